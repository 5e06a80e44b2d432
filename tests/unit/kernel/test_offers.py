"""Offers: exactly what they describe is legal, and a refusal names the rule of the field that failed."""

import pytest

from domain.kernel.offers import Field, Offer, OneOf, SomeOf, Text, require
from domain.kernel.rejection import Code, Rejected

COLOUR = OneOf(("red", "blue", None), "R-1")
CARDS = SomeOf(("a", "b", "c"), 1, 2, "R-2")
NONE_OR_MORE = SomeOf(("a", "b"), 0, 2, "R-3")
WORDS = Text(1, 5, "R-4")


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (COLOUR, ["red", "blue", None], ["green", "", 1, (), ("red",)]),
        (OneOf((True, False), "R"), [True, False], [None, "true", "yes"]),
        (CARDS, [("a",), ("a", "b"), ("c", "a"), ["b"]], [(), None, ("a", "a"), ("d",), ("a", "b", "c"), "a", "ab", 3]),
        (NONE_OR_MORE, [(), None, ("a",), ("b", "a")], [("a", "a"), ("c",), "", 0]),
        (WORDS, ["a", "abcde", "  ", "éé", "😀😀😀😀😀"], ["", "abcdef", None, 1, "a\n", "\x00", "\x7f", "\x9f"]),
    ],
)
def test_what_a_field_admits(field: Field, good: list[object], bad: list[object]) -> None:
    assert [value for value in good if not field.admits(value)] == []
    assert [value for value in bad if field.admits(value)] == []


def test_offers_as_they_stand_on_the_wire() -> None:
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
    Offer("mix", {"colour": OneOf(("red",), "R-1"), "cards": SomeOf(("a", "b"), 0, 1, "R-2")}),
    Offer("mix", {"colour": OneOf(("blue",), "R-1"), "cards": SomeOf(("a", "b"), 2, 2, "R-2"), "words": WORDS}),
    Offer("bare"),
)


@pytest.mark.parametrize(
    ("kind", "fields"),
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
    require(OFFERS, kind, fields, "R-0")


@pytest.mark.parametrize(
    ("kind", "fields", "rule"),
    [
        ("other", {}, "R-0"),
        ("mix", {"colour": "green"}, "R-1"),
        ("mix", {}, "R-1"),
        ("mix", {"colour": "red", "cards": ("a", "b")}, "R-2"),
        ("mix", {"colour": "blue", "cards": ("a",), "words": "go"}, "R-2"),
        ("mix", {"colour": "blue", "cards": ("a", "b")}, "R-4"),
        ("mix", {"colour": "blue", "cards": ("a", "b"), "words": "too long"}, "R-4"),
        ("mix", {"colour": "red", "words": "go"}, "R-1"),
        ("bare", {"colour": "red"}, "R-0"),
    ],
)
def test_a_refusal_names_the_rule_of_the_field_that_failed(kind: str, fields: dict[str, object], rule: str) -> None:
    with pytest.raises(Rejected) as refused:
        require(OFFERS, kind, fields, "R-0")
    assert (refused.value.code, refused.value.rule) == (Code.RULE_VIOLATION, rule)


@pytest.mark.parametrize(("cards", "more"), [(("a", "b"), ("x", "y")), (("a",), ("z",)), ((), ("x",))])
def test_of_several_offers_one_that_has_the_field_tells_what_was_wrong(
    cards: tuple[str, ...], more: tuple[str, ...]
) -> None:
    offers = (
        Offer("draw", {"cards": SomeOf(("a", "b"), 0, 2, "R-5")}),
        Offer("draw", {"cards": SomeOf(("a", "b"), 1, 2, "R-5"), "more": SomeOf(("x",), 1, 1, "R-6")}),
    )
    with pytest.raises(Rejected) as refused:
        require(offers, "draw", {"cards": cards, "more": more}, "R-0")
    assert refused.value.rule in ("R-5", "R-6")


def test_nothing_offered_is_a_refusal_by_the_rule_of_the_action() -> None:
    with pytest.raises(Rejected) as refused:
        require((), "mix", {}, "R-0")
    assert (refused.value.code, refused.value.rule) == (Code.RULE_VIOLATION, "R-0")


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"colour": "green", "cards": ("a",)}, "colour must be one of red, blue, null"),
        ({"colour": "red", "cards": ("c",)}, "cards must be 1 of a, b or 2 to 3 of a, b, d"),
        ({"colour": "blue", "cards": ("c",)}, "cards must be 2 to 3 of a, b, d"),
        ({"colour": None, "cards": ("c",)}, "cards must be 0 of no cards"),
    ],
)
def test_a_refusal_says_what_the_field_may_be_by_all_offers_of_the_type(fields: dict[str, object], detail: str) -> None:
    offers = (
        Offer("mix", {"colour": OneOf(("red",), "R-1"), "cards": SomeOf(("a", "b"), 1, 1, "R-2")}),
        Offer("mix", {"colour": OneOf(("red", "blue"), "R-1"), "cards": SomeOf(("a", "b", "d"), 2, 3, "R-2")}),
        Offer("mix", {"colour": OneOf((None,), "R-1"), "cards": SomeOf((), 0, 0, "R-2")}),
        Offer("other", {"colour": OneOf(("green",), "R-1")}),
    )
    with pytest.raises(Rejected) as refused:
        require(offers, "mix", fields, "R-0")
    assert refused.value.detail == detail


@pytest.mark.parametrize(("colour", "rule"), [("green", "R-9"), ("black", "R-1")])
def test_of_several_offers_the_one_that_another_rule_takes_the_value_from_names_the_rule(
    colour: str, rule: str
) -> None:
    offers = (
        Offer("mix", {"colour": OneOf(("red",), "R-1")}),
        Offer("mix", {"colour": OneOf(("blue",), "R-1", {"green": "R-9"})}),
    )
    with pytest.raises(Rejected) as refused:
        require(offers, "mix", {"colour": colour}, "R-0")
    assert (refused.value.rule, refused.value.detail) == (rule, "colour must be one of red, blue")
