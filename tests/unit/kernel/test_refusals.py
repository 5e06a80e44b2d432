"""The first rule that an act breaks, and of a question about some of its fields."""

from typing import Any, ClassVar

import pytest

from domain.cards import Card, pack_of
from domain.kernel.action import Action, Phase
from domain.kernel.acts import ActRules, Acts, Free, Refusal, limiting
from domain.kernel.event import Payload
from domain.kernel.refusals import Broken, first_broken
from domain.seats import Seat

PACK = pack_of("AKQ")


class Give(Action, frozen=True, tag="give"):
    """Give cards to a seat."""

    RULE: ClassVar = "R-1"

    to: int
    cards: tuple[Card, ...] = ()
    open: Card | None = None
    word: str = ""


class Giving(Phase, frozen=True):
    """A phase in which cards are given, this one left out of the pack."""

    PHASE: ClassVar = "giving"

    away: Card | None = None


class GivingBack(Giving, frozen=True):
    """A phase in which they are given back."""


def to_oneself(_: object, seat: Seat, action: Give) -> str | None:
    return "cards are given to another seat" if action.to == seat else None


def nothing(_: object, _seat: Seat, action: Give) -> str | None:
    return None if action.cards else f"seat {action.to} is given no card"


ACTS = Acts(
    "R-0",
    (
        ActRules(Give, Payload, (Refusal("R-2", to_oneself, ("to",)), Refusal("R-3", nothing, ("to", "cards")))),
        ActRules(Give, Payload, (Refusal("R-4", lambda *_: "nothing is open", ("open",)),), phase=GivingBack),
    ),
    dealt=lambda state, card: card != state.away,
)


def broken(state: Giving = Giving(), **fields: Any) -> Broken | None:  # noqa: B008 - a value
    return first_broken(ACTS, PACK, state, 1, Give, fields)


def test_the_first_rule_that_is_broken_is_named_and_says_what_is_wrong() -> None:
    assert broken(to=1, cards=(), open=None, word="") == Broken("R-2", "cards are given to another seat")
    assert broken(to=0, cards=(), open=None, word="") == Broken("R-3", "seat 0 is given no card")
    assert broken(to=0, cards=("As",), open=None, word="") is None


def test_a_rule_of_another_phase_is_not_looked_at() -> None:
    assert broken(GivingBack(), to=0, cards=("As",), open=None) == Broken("R-4", "nothing is open")


@pytest.mark.parametrize("fields", [{"cards": ("Ks", "2s")}, {"cards": ("As",), "open": "2s"}])
def test_a_card_of_another_pack_comes_before_every_rule(fields: dict[str, Any]) -> None:
    assert broken(to=1, **fields) == Broken("R-0", "2s is none of the cards of this table")


def test_so_does_a_card_of_the_pack_that_this_table_does_not_play_with() -> None:
    assert broken(Giving("Ks"), to=1, open="Ks") == Broken("R-0", "Ks is none of the cards of this table")


def test_words_are_no_cards() -> None:
    assert broken(to=0, cards=("As",), open=None, word="2s") is None


def test_an_act_is_limited_by_its_rules_in_their_order_each_once() -> None:
    assert limiting(ACTS, Give) == ("R-2", "R-3", "R-4")
    rows = (Refusal("R-3", nothing), Free("word", ("", "a")), Refusal("R-3", to_oneself))
    assert limiting(Acts("R-0", (*ACTS.rules[1:], ActRules(Give, Payload, rows))), Give) == ("R-4", "R-3", "R-1")
    assert limiting(Acts("R-0", (ActRules(Give, Payload),)), Give) == ("R-1",)


def test_a_rule_about_a_field_that_is_left_open_is_not_judged() -> None:
    assert broken(cards=()) is None
    assert broken(to=1) == Broken("R-2", "cards are given to another seat")
    assert broken(to=0) is None
