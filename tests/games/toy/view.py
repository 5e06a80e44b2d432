"""The toy's part of a table's view."""

from typing import Any

from domain.kernel.game import Players
from domain.kernel.hands import Hand, Pile
from domain.kernel.table_view import HandView, TableView
from domain.seats import Seat
from tests.games.toy.events import Pledged
from tests.games.toy.meta import ORDER, SEATS, SIDES
from tests.games.toy.state import Captured, Playing, Pledging, State


class ToySeatView(HandView, frozen=True, gc=False):
    """A seat: its player, its hand, and its two cards that it has not seen."""

    blind: Hand
    brow: Hand


class ToyView(TableView, frozen=True, kw_only=True):
    """A table of the toy as its audience knows it."""

    seats: tuple[ToySeatView, ...]
    eldest: Seat | None = None
    table_cards: Hand = Hand()
    stock: Hand = Hand()
    discards: Hand = Hand()
    answered: tuple[Seat, ...] = ()
    pledges: tuple[Pledged, ...] = ()
    captured: tuple[int, ...] = ()
    snap: bool = False


def seat_views(players: Players, state: State | None) -> tuple[ToySeatView, ...]:
    """The seats."""
    if state is None:
        return tuple(ToySeatView(seat, player, Hand(), Hand(), Hand()) for seat, player in enumerate(players))
    cards = state.common.cards
    return tuple(
        map(ToySeatView, range(SEATS), players, cards.hands, map(_pile, cards.blinds), map(_pile, cards.brows))
    )


def show(state: State) -> dict[str, Any]:
    """The fields that the toy adds to a table's view."""
    cards = state.common.cards
    fields: dict[str, Any] = {
        "eldest": state.common.eldest,
        "table_cards": _pile(cards.table),
        "stock": _pile(cards.stock),
        "discards": _pile(cards.discards),
    }
    if isinstance(state, Pledging):
        fields["answered"] = tuple(answer.seat for answer in state.answers)
    if isinstance(state, Playing):
        fields |= {
            "pledges": state.pledges,
            "captured": tuple(_captured(state.captures, seats) for seats in SIDES),
            "snap": state.alike and state.snapper is None,
        }
    return fields


def _pile(cards: Pile) -> Hand:
    """The cards as far as they are known, sorted, and the number of others."""
    return Hand.of(cards, ORDER)


def _captured(captures: tuple[Captured, ...], seats: tuple[Seat, ...]) -> int:
    """What these seats have captured."""
    return sum(each.value for each in captures if each.seat in seats)
