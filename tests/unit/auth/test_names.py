"""Names after PRECIS' Nickname profile, and which of them look alike."""

import unicodedata

import pytest

from service.auth.names import enforced_name, first_letters, labels, skeleton
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
