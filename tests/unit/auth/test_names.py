"""Names after PRECIS' Nickname profile, which of them look alike, and which read as no person's."""

import unicodedata
from typing import Any

import msgspec
import pytest

from service.auth.names import RESERVED, enforced_name, first_letters, labels, pretends, skeleton
from service.describe.texts import ENGLISH, english
from tests.support.for_each import for_each


@for_each(
    "given, kept",
    [
        ("Ada", "Ada"),
        (" Ada  de\u00a0 la Cruz ", "Ada de la Cruz"),
        ("a\u0300", "\u00e0"),
        ("\uff21\uff44\uff41", "Ada"),
        ("\u05d3\u05d5\u05d3", "\u05d3\u05d5\u05d3"),
        ("\u0646\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0646\u0645\u06cc\u200c\u0634\u0648\u062f"),
        ("李", "李"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("👩🏽\u200d\u2764\ufe0f\u200d👩🏽", "👩🏽\u200d\u2764\ufe0f\u200d👩🏽"),
        (" 👩\u200d👧 ", "👩👧"),
    ],
)
def test_a_name_is_kept_as_the_profile_has_it(given: str, kept: str) -> None:
    assert enforced_name(given) == kept
    assert enforced_name(kept) == kept


IGNORABLE = [*range(0xE0000, 0xE1000), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x200B,
             0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF,
             0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)]  # fmt: skip
"""Default_Ignorable_Code_Point of Unicode, but for the joiners U+200C and U+200D."""


def test_no_ignorable_character_makes_a_name_of_its_own() -> None:
    assert len(IGNORABLE) > 4100
    for sign in map(chr, IGNORABLE):
        with pytest.raises(ValueError, match="must not hold the character U"):
            enforced_name(f"A{sign}da")


@for_each("name", ["A\u200ddA", "A\u200cda", "Ada\u200d", "\u200dAda", "👩\u200dA", "A\ufe0f"])
def test_joiners_join_only_what_they_are_for(name: str) -> None:
    with pytest.raises(ValueError, match="must not hold the character U"):
        enforced_name(name)


MARKED = {
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "Nguyễn Thị Thuỳ Dương"),
    "Yoruba": "Ọláńrewájú Adébáyọ̀",
    "Navajo": "Hastiin Tʼáá Bąą́h",
    "Lithuanian, with accents": "Kū̃dikis",
    "Hebrew with points and accents": "\u05e9\u05bc\u05c1\u05b4\u0591\u05de\u05b0\u05e2\u05d5\u05b9\u05df",
    "Arabic with vowels": "مُحَمَّدٌ عَبْدُ ٱللّٰه",
    "Thai": "ผู้ใหญ่ลี ก๊กทู้ ณัฐวุฒิ์",
    "Devanagari": "श्रीमती ज्योत्स्ना क्षत्रियाँ",
    "Devanagari with a joiner": "क्\u200dष",
    "Tamil": "கிருஷ்ணமூர்த்தி",
    "Bengali": "শ্রীকৃষ্ণ চট্টোপাধ্যায়",
    "Burmese": "မြွှောင့် ကျွန်ုပ်",
    "Khmer": "ស្ត្រី ព្រះ",
    "Tibetan": "བསྒྲུབས་ ཧཱུྃ",
    "Korean, decomposed": unicodedata.normalize("NFD", "김철수"),
    "a keycap": "1\u20e3",
}


@for_each("name", MARKED.values())
def test_letters_have_the_marks_of_their_orthography(name: str) -> None:
    assert enforced_name(name) == unicodedata.normalize("NFKC", name)


ACCENTS = [chr(mark) for mark in range(0x300, 0x340) if unicodedata.category(chr(mark)) == "Mn"]


@for_each(
    "name",
    [
        "Z" + "".join(ACCENTS[:40]),
        "Ada" + "\u0488\u0489\u20dd\u20de\u20df",
        "q\u0323\u0324\u0325\u0326\u0327",
        "q\u0308\u0308",
        "q\u0308\u0301\u0308",
        "\u05d3" + "\u05b0\u05b1\u05b2\u05b3\u05b4",
        "ก" + "\u0e48" * 2,
        "क\u093f\u0901\u093f\u0902\u093f\u093c\u094d\u0951",
    ],
)
def test_marks_do_not_pile_up(name: str) -> None:
    with pytest.raises(ValueError, match="must have at most 4 marks on a letter, each of them once"):
        enforced_name(name)
    with pytest.raises(ValueError, match="must have at most 4 marks on a letter, each of them once"):
        enforced_name(unicodedata.normalize("NFD", name))


@pytest.mark.parametrize("name", ["", " ", "\u00a0\u2003"])
def test_a_name_has_a_visible_character(name: str) -> None:
    with pytest.raises(ValueError, match="must have a visible character"):
        enforced_name(name)


def test_a_name_is_not_longer_as_it_is_kept() -> None:
    assert len(unicodedata.normalize("NFKC", "\ufdfa" * 4)) > 64
    with pytest.raises(ValueError, match="must have at most 64 characters"):
        enforced_name("\ufdfa" * 4)


@for_each(
    "name, other",
    [
        ("Ada", "\u0410d\u0430"),
        ("Ada", "ADA"),
        ("Paypal", "PaypaI"),
        ("Paypal", "Paypa1"),
        ("modern", "rnodern"),
        ("O'Neill", "O\u2019Neill"),
        ("\u00e0", "a\u0300"),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(name: str, other: str) -> None:
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(("name", "other"), [("Ada", "Eda"), ("Ada", "Adam"), ("Ada", "Ad a"), ("李", "季")])
def test_names_that_look_otherwise_have_not(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


ONE = "019752d0-6c00-7000-8000-000000000001"
OTHER = "019752d0-6c00-7000-9000-000000000001"
LATER = "019ab2d0-6c00-7000-8000-000000000001"


def test_where_names_look_alike_the_ids_letters_tell_players_apart() -> None:
    assert labels({ONE: "Ada", LATER: "Bo"}) == {ONE: "Ada", LATER: "Bo"}
    assert labels({ONE: "Ada", LATER: "\u0410da"}) == {ONE: "Ada (019752d0)", LATER: "\u0410da (019ab2d0)"}
    apart = labels({ONE: "Ada", OTHER: "Ada"})
    assert apart == {ONE: "Ada (019752d0-6c00-7000-8)", OTHER: "Ada (019752d0-6c00-7000-9)"}


def test_the_letters_of_a_player_alone_are_eight() -> None:
    assert first_letters(ONE) == first_letters(ONE, [ONE]) == first_letters(ONE, [LATER]) == "019752d0"


PRETENDING = (
    *RESERVED, "Quick bot", "QUICK BOT", "Random Bot 2", "Bot (strong)", "bot_1", "The strong bot", "A bot",
    "House bot", "Qu1ck b0t", "R4ndom b07", "Qu\u00edck b\u00f8t", "Q u i c k  b.o.t", "\u2018Quick\u2019 | bot!",
    "\U0001f916 Quick bot", "\U0001d56d\U0001d594\U0001d599", "\U0001f171\U0001f17e\U0001f183",
    "\u0412\u041e\u0422", "\u0432\u043e\u0442",
    "\u24d1\u24de\u24e3", "\u1d2e\u1d3c\u1d40 Quick bot", "Quick\u2003bot", "\uff22\uff2f\uff34",
    "The house", "H\u043euse", "Seat 2", "seat:0", "Seat #10", "Seat l", "\u0405\u0435\u0430t \uff12", "2. seat",
    "bot:1", "CODILLE", "COD1LLE", "codiIIe", "cl0ck", "Free seat", "(erased)", "Erased player", "Seat 2, free",
    "The public", "Seat two", "seat-ONE", "Level strong", "Codille Team", "Administrator", "6ot",
    "\u1d2e\u1d3c\u1d40 Ada", "\u0299\u1d0f\u1d1b Ada", "[bot] Ada", "Bot: Ada", "Quick bot for Ada",
    "The strong bot of seat 2", "\U0001f171\U0001f17e\U0001f183 Ada",
)  # fmt: skip


@for_each("name", PRETENDING)
def test_a_name_that_reads_as_the_houses_a_bots_or_a_seats_pretends(name: str) -> None:
    assert pretends(enforced_name(name))


def test_what_pages_call_those_who_are_no_people_pretends() -> None:
    texts = msgspec.json.decode(ENGLISH.read_bytes(), type=dict[str, Any])
    keys = {"seat", "seat.free", "seat.erased", "play.seat", "play.free-seat", "player.erased", "replay.free"}
    keys |= {key for key in texts if key.startswith(("bot", "level.", "account."))}
    assert len(keys) > 12
    for key in keys:
        assert pretends(enforced_name(texts[key].format(level="Quick", seat=2))), key


@for_each(
    "name",
    ["Robot", "Strongman", "Botvinnik", "Sebastian Bach", "Abbot", "Kingsley", "Housemartin", "Talbot", "Cabot", "Abot",
     "Boti", "Botond", "Armstrong", "B. Strong", "Mr Strong", "Quickly", "Quick Silver", "Randolph", "Clockwork",
     "Seaton", "Seattle", "Banks", "Poole", "Freeman", "Dr House", "House of Cards", "Ada's bot", "my bot", "Player 1",
     "B", "42", "!!", "\u674e", "\u0412\u043e\u0442\u0430\u043d", "\U0001f916", "You",
     "Ben Bot", "Bo Tran", "Botan the Quick", "Quick Botha", "Strong Bo", "Level Best", "Seat Leon", "Teamster"],
)  # fmt: skip
def test_a_name_that_has_such_a_word_in_it_does_not(name: str) -> None:
    assert not pretends(enforced_name(name))


def test_no_name_has_the_mark_of_bots() -> None:
    mark = english().plain("bot.mark")
    assert all(
        english().plain(key, level="Quick", seat=1).startswith(f"{mark} ") for key in ("bot", "bot.one-of", "bot.any")
    )
    assert mark not in enforced_name(f"{mark} Ada {mark}")
    assert mark not in enforced_name(f"\U0001f469\u200d\U0001f467 {mark}")
