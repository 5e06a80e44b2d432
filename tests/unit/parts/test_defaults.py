"""The mildest act of those offered."""

from typing import Any

import pytest

from domain.cards import Card, pack_of
from domain.kernel.action import Action
from domain.kernel.offers import Choice, Field, Offer, OneOf, OneOfLists, SomeOf, Text, sets_of
from domain.parts.defaults import low_first, mildest
from tests.support.for_each import for_each

PACK = pack_of("AK2", copies=2, jokers=1)


class Pass(Action, frozen=True, tag="pass"):
    pass


class Take(Action, frozen=True, tag="take"):
    field: Any = None


def default(offers: tuple[Offer, ...], preferred: dict[str, Choice] | None = None) -> Action:
    return mildest(lambda _, __: offers, low_first(PACK), (Pass, Take), preferred or {})(None, 0)


def test_low_cards_come_first_whatever_their_suit_then_jokers_then_those_kept_longest() -> None:
    cards = low_first(PACK, ("2c.1",))
    assert sorted(cards) == sorted(PACK)
    assert [card[0] for card in cards] == [*"2" * 7, *"K" * 8, *"A" * 8, "J", "2"]
    assert low_first(pack_of("K2", owners=(0, 1)))[:8] == tuple(
        f"{owner}.2{suit}" for owner in (0, 1) for suit in "shdc"
    )


def test_the_mildest_type_is_taken_in_whatever_order_types_are_offered() -> None:
    assert default((Offer("concede"), Offer("take"), Offer("pass"))) == Pass()
    assert default((Offer("concede"), Offer("take"))) == Take()


def test_nothing_is_taken_that_the_game_does_not_name() -> None:
    with pytest.raises(ValueError, match="seat 0"):
        default((Offer("concede"),))


LOW: tuple[Card, ...] = ("As.1", "2s.1", "Kh.2", "2h.2")


@for_each(
    "field, value",
    [
        (OneOf(LOW), "2s.1"),
        (OneOf(("solo", "tout")), "solo"),
        (OneOf((None, *LOW)), None),
        (OneOf((True, False)), True),
        (SomeOf(LOW, 0, 4), ()),
        (SomeOf(LOW, 3, 4), ("2s.1", "2h.2", "Kh.2")),
        (OneOfLists((("As.1",), (), ("2s.1",))), ()),
        (sets_of({"As.1": 1, "2s.1": 2, "Kh.2": 3}, 3, least=1), ("Kh.2",)),
        (Text(1, 9), "."),
    ],
)
def test_fields_are_filled_with_as_little_as_may_be(field: Field, value: object) -> None:
    assert field.admits(value)
    assert default((Offer("take", {"field": field}),)) == Take(value)


def test_a_preferred_value_is_taken_where_it_is_offered() -> None:
    answer = Offer("take", {"field": OneOf((True, False))})
    assert default((answer,), {"field": False}) == Take(False)
    assert default((answer,), {"field": "tout"}) == Take(True)
