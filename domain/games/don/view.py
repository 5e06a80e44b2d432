"""Nine-Card Don's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Suit
from domain.games.don.meta import ORDER
from domain.games.don.scoring import counts, side_scores
from domain.games.don.state import Playing, State
from domain.kernel.hands import Hand
from domain.parts.piles import pile_view
from domain.parts.sides import OPPOSITE
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickTableView, trick_fields
from domain.seats import Seat


class SideView(Struct, frozen=True, gc=False):
    """A side: its score including this deal so far, and its captured cards' count towards game.

    After the last trick, its points for game are in the score.
    """

    seats: tuple[Seat, ...]
    score: int
    count: int


class DonView(TrickTableView, frozen=True, kw_only=True):
    """A table of Nine-Card Don as its audience knows it. `order` runs from the pitcher to the dealer."""

    order: tuple[Seat, ...] = ()
    pitcher: Seat | None = None
    waiting: Hand = Hand()
    aside: Hand = Hand()
    trump: Suit | None = None
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None
    sides: tuple[SideView, ...] = ()


_pile = pile_view(ORDER)


def show(state: State) -> dict[str, Any]:
    """The fields that Nine-Card Don adds to a table's view."""
    common = state.common
    fields: dict[str, Any] = {
        "order": common.order,
        "pitcher": common.pitcher,
        "waiting": _pile(state.waiting),
        "aside": _pile(common.aside),
        "sides": _sides(state),
    }
    if isinstance(state, Playing):
        fields |= {"trump": state.trump, **trick_fields(state.tricks)}
    return fields


def _sides(state: State) -> tuple[SideView, ...]:
    if isinstance(state, Playing):
        return tuple(map(SideView, OPPOSITE, side_scores(state), counts(state)))
    return tuple(map(SideView, OPPOSITE, state.common.scores, (0, 0)))
