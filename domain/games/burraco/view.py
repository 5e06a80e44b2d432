"""Burraco's part of a table's view."""

from typing import Any

from msgspec import Struct

from domain.cards import Card
from domain.games.burraco.contracts import Kind
from domain.games.burraco.meta import ORDER, POZZETTI
from domain.games.burraco.scoring import points
from domain.games.burraco.state import Common, Melding, State
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.parts.piles import pile_view
from domain.seats import Seat


class MeldView(Struct, frozen=True, gc=False):
    """A meld by its number in the deal: its cards in order, the wild one, and the kind of burraco, if it is one."""

    meld: int
    cards: tuple[Card, ...]
    wild: Card | None
    burraco: Kind | None


class SideView(Struct, frozen=True, gc=False):
    """A side: its score when the cards were dealt, its melds and their value, and the seat that took its pozzetto."""

    seats: tuple[Seat, ...]
    score: int
    points: int
    pozzetto: Seat | None
    melds: tuple[MeldView, ...]


class BurracoView(TableView, frozen=True, kw_only=True):
    """A table of Burraco as its audience knows it. `order` runs from the dealer's left to the dealer.

    `top` is the last card of the discard pile, whose hand is sorted.
    """

    seats: tuple[HandView, ...]
    order: tuple[Seat, ...] = ()
    stock: Hand = Hand()
    pile: Hand = Hand()
    top: Card | None = None
    barred: Card | None = None
    idle: int = 0
    pozzetti: tuple[Hand, ...] = ()
    face_down: tuple[Seat, ...] = ()
    sides: tuple[SideView, ...] = ()


_pile = pile_view(ORDER)


def show(state: State) -> dict[str, Any]:
    """The fields that Burraco adds to a table's view."""
    common = state.common
    lying = {one.pozzetto: one.cards for one in common.pozzetti}
    return {
        "order": common.order,
        "stock": _pile(common.stock),
        "pile": _pile(common.pile),
        "top": common.pile[-1] if common.pile else None,
        "barred": state.barred if isinstance(state, Melding) else None,
        "idle": common.idle,
        "pozzetti": tuple([_pile(lying.get(number, ())) for number in range(1, POZZETTI + 1)]),
        "face_down": tuple([one.seat for one in common.pozzetti if one.seat is not None]),
        "sides": tuple([_side(common, side) for side in range(len(common.sides))]),
    }


def _side(common: Common, side: int) -> SideView:
    melds = common.melds_of(side)
    shown = tuple([MeldView(meld.meld, meld.arranged.cards, meld.arranged.wild, meld.burraco) for meld in melds])
    return SideView(common.sides[side], common.scores[side], points(melds), common.takers[side], shown)
