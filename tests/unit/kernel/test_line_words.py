"""What the sentences of ledger lines read in the lines' texts, and what the check of such sentences finds."""

from collections.abc import Mapping

from domain.cards import Face, Pack
from domain.kernel.line_words import line_parts, line_text
from domain.kernel.table_view import TableView
from domain.kernel.words import Filled, Parts, Sentence, Words, say, when
from domain.kernel.words_check import faults
from tests.support.for_each import for_each

WORDS: Mapping[str, tuple[Sentence, ...]] = {
    "back": (say("Taken back: {line}"),),
    "meld": (
        say("Meld of {side:seats}: {points:number} ({cards})", when("rule", "R-1")),
        say("{what:text} by {owner:seat}, {card}: {formula:text}"),
        say("{what:text} by {owner:seat}: {formula:text}"),
    ),
}

PACK = Pack.of(
    (Face("9", "h"), Face("9", "h", 1), Face("Jo", copy=2), Face("7", "h", owner=2), Face("Q", "s"), Face("T", "d"))
)


def parts(text: str, kind: str = "meld", rule: str = "R-1") -> Parts:
    return line_parts(WORDS, {"kind": kind, "rule": rule, "text": text}, PACK)


def seat(number: int) -> Filled:
    return Filled("seat", number)


def card(name: str) -> Filled:
    return Filled("card", name)


def number(value: str) -> Filled:
    return Filled("number", value)


def text(value: str) -> Filled:
    return Filled("text", value)


READ: tuple[tuple[str, Parts], ...] = (
    (
        "Meld of seats 0 and 2: 1,250 (9h.1 Jo.2)",
        ("Meld of ", seat(0), " and ", seat(2), ": ", number("1,250"), " (", card("9h.1"), " ", card("Jo.2"), ")"),
    ),
    ("Meld of seat 10: 5 (2.7h)", ("Meld of ", seat(10), ": ", number("5"), " (", card("2.7h"), ")")),
    ("A queen by seat 3, Qs: 2 × 3", (text("A queen"), " by ", seat(3), ", ", card("Qs"), ": ", text("2 × 3"))),
    ("A pair, a run by seat 1: (2 + 1): 3", (text("A pair, a run"), " by ", seat(1), ": ", text("(2 + 1): 3"))),
)  # fmt: skip


@for_each("recorded, expected", READ)
def test_a_sentence_reads_the_values_in_a_text_of_its_form(recorded: str, expected: Parts) -> None:
    assert parts(recorded) == expected


@for_each(
    "recorded",
    (
        "Meld of seats 0 and 2: 5 (9h.1 9s)",
        "Meld of seat two: 5 (9h)",
        "Meld of seat 0: 5 (9h) and more",
        "A queen by seat 3, Qx: 2",
        "A queen by seat 3\n: 2",
        "by seat 3: 2",
    ),
)
def test_any_other_text_is_shown_as_recorded(recorded: str) -> None:
    assert parts(recorded) == (recorded,)


def test_a_sentence_is_used_only_for_its_kind_and_rule() -> None:
    melded = "Meld of seat 1: 5 (9h)"
    assert parts(melded, rule="R-2") == parts(melded, kind="other") == (melded,)


def test_a_line_in_a_line_is_in_its_own_words_whatever_its_kind_and_rule() -> None:
    melded = "Meld of seat 1: 5 (9h)"
    taken_back = parts(f"Taken back: {melded}", "back", "R-9")
    assert taken_back == ("Taken back: ", *parts(melded))
    assert parts(f"Taken back: Taken back: {melded}", "back") == ("Taken back: ", *taken_back)
    assert parts("Taken back: as agreed", "back") == ("Taken back: ", "as agreed")


def test_people_read_names_and_signs() -> None:
    line = {"kind": "meld", "rule": "R-1", "text": "Meld of seats 0 and 1: 5 (9h.1 Td Jo.2)"}
    assert line_text(WORDS, line, PACK, ("Ada", "Berta").__getitem__) == "Meld of Ada and Berta: 5 (9♥ 10♦ ★)"


@for_each(
    "sentence, fault",
    (
        (say("{winner:seat} wins {card}: {points:number}", when("rule", "R-1")), None),
        (say("{pot:amount} won"), "lines: '{pot:amount} won': amount cannot be read from a text"),
        (say("{a:seat}{b:card}"), "lines: '{a:seat}{b:card}' has two holes side by side, or one twice"),
        (say("{card} beats {card}"), "lines: '{card} beats {card}' has two holes side by side, or one twice"),
        (say("won", when("suit", "s")), "lines: 'won' rests on suit, which is no field"),
    ),
)
def test_the_check_finds_sentences_that_can_read_nothing(sentence: Sentence, fault: str | None) -> None:
    found = faults(Words(lines={"won": (sentence,)}), (), (), TableView)
    assert found == (() if fault is None else (fault,))
