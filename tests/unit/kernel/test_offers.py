"""Offers: exactly what they describe is legal, and a refusal names the rule of the field that failed."""

from itertools import combinations

import msgspec
import pytest

from domain.kernel.offers import (
    MOST_CARDS,
    MOST_EXAMPLES,
    MOST_LISTS,
    MOST_TOTAL,
    Field,
    Offer,
    OneOf,
    OneOfLists,
    SetsOf,
    SomeOf,
    Text,
    described,
    sets_of,
)
from domain.kernel.sums import splits
from domain.picking import field_from_wire, offer_from_wire, pick, pick_value
from tests.support.for_each import for_each

COLOUR = OneOf(("red", "blue", None))
CARDS = SomeOf(("a", "b", "c"), 1, 2)
NONE_OR_MORE = SomeOf(("a", "b"), 0, 2)
WORDS = Text(1, 5)
LISTS = OneOfLists(((), ("a", "b"), ("a", "b", "c")))
NUMBERS = OneOfLists(((1,), (2, 1)))
LOOSE = {"8s": 8, "6h": 6, "5d": 5, "3c": 3, "2c": 2}
TENS = SetsOf({"2c": 2, "3h": 3, "5h": 5, "5s": 5}, 10, (), 1, (("5h", "5s"),))


def sets(values: dict[str, int], total: int, *beside: int, least: int = 0) -> SetsOf:
    """Sets that some of these cards make up."""
    field = sets_of(values, total, beside=beside, least=least)
    assert field is not None
    return field


@for_each(
    "field, good, bad",
    [
        (COLOUR, ["red", "blue", None], ["green", "", 1, (), ("red",)]),
        (OneOf((True, False)), [True, False], [None, "true", "yes"]),
        (CARDS, [("a",), ("a", "b"), ("c", "a"), ["b"]], [(), None, ("a", "a"), ("d",), ("a", "b", "c"), "a", "ab", 3]),
        (NONE_OR_MORE, [(), None, ("a",), ("b", "a")], [("a", "a"), ("c",), "", 0]),
        (LISTS, [(), None, ("b", "a"), ["c", "a", "b"]], [("a",), ("a", "b", "b"), ("a", "c"), "ab", 1, {"a", "b"}]),
        (NUMBERS, [[1], (1, 2)], [(), None, (2,), ("1",), 1]),
        (TENS, [("5h", "5s"), ["2c", "3h", "5s"]], [(), None, ("5h",), tuple(TENS.values), ("5h", "5h"), ("Kh",), 10]),
        (WORDS, ["a", "abcde", "  ", "éé", "😀😀😀😀😀"], ["", "abcdef", None, 1, "a\n", "\x00", "\x7f", "\x9f"]),
    ],
)
def test_what_a_field_admits(field: Field, good: list[object], bad: list[object]) -> None:
    assert [value for value in good if not field.admits(value)] == []
    assert [value for value in bad if field.admits(value)] == []


def test_an_eight_takes_itself_and_what_makes_eight_in_seven_ways() -> None:
    field = sets(LOOSE, 8, least=1)
    every = [chosen for size in range(6) for chosen in combinations(LOOSE, size)]
    assert [chosen for chosen in every if field.admits(chosen)] == [
        ("8s",), ("6h", "2c"), ("5d", "3c"), ("8s", "6h", "2c"), ("8s", "5d", "3c"), ("6h", "5d", "3c", "2c"),
        ("8s", "6h", "5d", "3c", "2c"),
    ]  # fmt: skip
    assert field.examples[:3] == (("8s",), ("6h", "2c"), ("5d", "3c"))


def test_what_stands_beside_the_cards_stands_in_a_set_too() -> None:
    field = sets({"2c": 2, "6d": 6, "4h": 4}, 8, 4)
    assert [field.admits(chosen) for chosen in (["4h"], ["2c", "6d", "4h"], ["2c", "6d"], [])] == [
        True, True, False, False,
    ]  # fmt: skip
    assert sets({}, 8, 4, 4).examples == ((),)
    assert sets_of({"2c": 2, "3d": 3}, 8, beside=(4,)) is None
    assert sets_of({"9s": 9}, 8, least=1) is None


def test_examples_are_eight_at_most_and_the_shortest_first() -> None:
    field = sets({f"{number}.{copy}": number for number in range(1, 9) for copy in (1, 2, 3)}, 9, least=2)
    assert len(field.examples) == MOST_EXAMPLES
    assert len(field.examples[0]) == 2
    assert all(map(field.admits, field.examples))


def test_a_choice_is_judged_quickly_that_makes_up_no_sets_by_a_hair() -> None:
    numbers = [2] * 9 + [3, 3] + [4] * 4 + [5] + [6] * 2 + [7] * 2 + [8] * 7 + [10] * 8 + [12] + [14] * 3
    assert len(numbers) <= MOST_CARDS
    assert sum(numbers) % 29 == 0
    assert not splits(numbers, 29)


@for_each(
    "values, total, beside",
    [
        ({str(number): 1 for number in range(MOST_CARDS + 1)}, 5, ()),
        ({str(number): 1 for number in range(MOST_CARDS)}, 5, (1,)),
        ({"As": 0}, 5, ()),
        ({"As": 1}, 5, (-1,)),
        ({"As": 1}, 0, ()),
        ({"As": 1}, MOST_TOTAL + 1, ()),
    ],
)
def test_sets_that_could_not_be_judged_quickly_are_not_offered(
    values: dict[str, int], total: int, beside: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"more than|less than|not in"):
        sets_of(values, total, beside=beside)


def test_lists_are_not_offered_that_are_too_many_or_repeat_an_item() -> None:
    assert OneOfLists(tuple((number,) for number in range(MOST_LISTS))).admits([511])
    with pytest.raises(ValueError, match="more than 512"):
        OneOfLists(tuple((number,) for number in range(MOST_LISTS + 1)))
    with pytest.raises(ValueError, match="twice"):
        OneOfLists((("a", "b", "a"),))


def test_picks_follow_what_is_drawn() -> None:
    first, last = lambda _: 0, lambda count: count - 1
    assert [pick_value(field, first) for field in (COLOUR, LISTS, CARDS, TENS, WORDS)] == [
        "red",
        (),
        ("a",),
        ("5h", "5s"),
        "Lead ",
    ]
    assert [pick_value(field, last) for field in (COLOUR, LISTS, CARDS)] == [None, ("a", "b", "c"), ("c", "b")]
    assert pick_value(sets(LOOSE, 8, least=1), lambda count: min(count - 1, 1)) == ("6h", "2c", "8s", "5d", "3c")
    assert pick(Offer("mix", {"colour": COLOUR, "cards": CARDS}), first) == {
        "type": "mix", "colour": "red", "cards": ("a",),
    }  # fmt: skip


@for_each(
    "field, value",
    [
        (OneOf(("a",)), "c"),
        (LISTS, ["a"]),
        (LISTS, "c"),
        (CARDS, ["d"]),
        (sets(LOOSE, 8, least=1), ["8s", "Kd"]),
        (sets(LOOSE, 8, least=1), ["2c"]),
        (sets(LOOSE, 8, least=1), None),
        (WORDS, ""),
    ],
)
def test_a_field_refuses_every_other_value(field: Field, value: object) -> None:
    assert not Offer("act", {"it": field}).admits({"it": value})


def test_an_offer_is_read_from_the_wire_as_it_was() -> None:
    offer = Offer(
        "all", {"one": COLOUR, "lists": LISTS, "numbers": NUMBERS, "some": CARDS, "sets": TENS, "words": WORDS}
    )
    wire = msgspec.json.encode(offer.describe())
    read = offer_from_wire(msgspec.json.decode(wire))
    assert read == offer
    assert msgspec.json.encode(read.describe()) == wire


@pytest.mark.parametrize("wire", [{}, {"any_of": ["a"]}, {"some_of": ["a"]}, {"text": 5}, {"sets_of": {"total": 5}}])
def test_a_field_of_an_unknown_kind_is_an_error(wire: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        field_from_wire(wire)


def test_offers_as_they_stand_on_the_wire() -> None:
    assert LISTS.describe() == {"one_of": ((), ("a", "b"), ("a", "b", "c"))}
    assert sets({"5h": 5, "Kd": 10}, 9, 4).describe() == {
        "sets_of": {"values": {"5h": 5, "Kd": 10}, "total": 9, "with": (4,), "min": 0, "examples": (("5h",),)}
    }
    offer = Offer("mix", {"colour": COLOUR, "cards": CARDS, "words": WORDS})
    assert offer.describe() == {
        "type": "mix",
        "fields": {
            "colour": {"one_of": ("red", "blue", None)},
            "cards": {"some_of": ("a", "b", "c"), "min": 1, "max": 2},
            "words": {"text": {"min": 1, "max": 5}},
        },
    }
    assert Offer("bare").describe() == {"type": "bare", "fields": {}}


OFFERS = (
    Offer("mix", {"colour": OneOf(("red",)), "cards": SomeOf(("a", "b"), 0, 1)}),
    Offer("mix", {"colour": OneOf(("blue",)), "cards": SomeOf(("a", "b"), 2, 2), "words": WORDS}),
    Offer("bare"),
)


@for_each(
    "kind, fields",
    [
        ("mix", {"colour": "red"}),
        ("mix", {"colour": "red", "cards": ()}),
        ("mix", {"colour": "red", "cards": ("b",), "words": None}),
        ("mix", {"colour": "blue", "cards": ("b", "a"), "words": "go"}),
        ("bare", {}),
        ("bare", {"words": None, "cards": ()}),
    ],
)
def test_what_an_offer_describes_is_accepted(kind: str, fields: dict[str, object]) -> None:
    assert described(OFFERS, kind, fields)


@for_each(
    "kind, fields",
    [
        ("other", {}),
        ("mix", {"colour": "green"}),
        ("mix", {}),
        ("mix", {"colour": "red", "cards": ("a", "b")}),
        ("mix", {"colour": "blue", "cards": ("a",), "words": "go"}),
        ("mix", {"colour": "blue", "cards": ("a", "b")}),
        ("mix", {"colour": "blue", "cards": ("a", "b"), "words": "too long"}),
        ("mix", {"colour": "red", "words": "go"}),
        ("bare", {"colour": "red"}),
    ],
)
def test_what_no_offer_describes_is_not(kind: str, fields: dict[str, object]) -> None:
    assert not described(OFFERS, kind, fields)
