"""Diloti's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.games.diloti.facts import xeris
from domain.games.diloti.meta import ORDER
from domain.games.diloti.scoring import points
from domain.games.diloti.state import Capture, Declaration, State
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.parts.piles import pile_view
from domain.seats import Seat


class SideView(Struct, frozen=True, gc=False):
    """A side: its score when the cards were dealt, its captures in this deal, its number of xeris, and its points."""

    seats: tuple[Seat, ...]
    score: int
    xeris: int
    points: int
    captured: Hand


class DilotiView(TableView, frozen=True, kw_only=True):
    """A table of Diloti as its audience knows it. `order` runs from eldest to the dealer."""

    seats: tuple[HandView, ...]
    order: tuple[Seat, ...] = ()
    batch: int | None = None
    stock: Hand = Hand()
    loose: Hand = Hand()
    declarations: tuple[Declaration, ...] = ()
    last_captor: Seat | None = None
    sides: tuple[SideView, ...] = ()


_pile = pile_view(ORDER)


def show(state: State) -> dict[str, Any]:
    """The fields that Diloti adds to a table's view."""
    return {
        "order": state.order,
        "batch": state.batch,
        "stock": _pile(state.stock),
        "loose": _pile(state.loose),
        "declarations": state.declarations,
        "last_captor": state.last_captor,
        "sides": tuple(map(_side, state.sides, state.scores, state.by_side)),
    }


def _side(seats: tuple[Seat, ...], score: int, captures: tuple[Capture, ...]) -> SideView:
    cards = Hand(hidden=sum([len(capture.cards) for capture in captures]))
    return SideView(seats, score, xeris(captures), points(captures), cards)
