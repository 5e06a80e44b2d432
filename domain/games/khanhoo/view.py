"""Khanhoo's part of a table's view."""

from typing import Any

from domain.cards import Card
from domain.games.khanhoo.contracts import Meld, Melds
from domain.games.khanhoo.events import Bumped
from domain.games.khanhoo.meta import ORDER
from domain.games.khanhoo.state import Answer, Challenging, Claiming, Ended, State
from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.parts.piles import pile_view
from domain.seats import Seat


class KhanhooSeatView(HandView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and the melds that it has laid."""

    laid: Melds


class KhanhooView(TableView, frozen=True, kw_only=True):
    """A table of Khanhoo as its audience knows it. `discards` begin with the top card.

    `answered` names the seats of `answers`. A claim is null for an audience that does not know it.
    """

    seats: tuple[KhanhooSeatView, ...]
    eldest: Seat | None = None
    stock: Hand = Hand()
    discards: tuple[Card, ...] = ()
    discarded: int = 0
    limit: int | None = None
    renewals: int = 0
    discarder: Seat | None = None
    answered: tuple[Seat, ...] = ()
    answers: tuple[Answer, ...] = ()
    bumps: tuple[Bumped, ...] = ()
    standing: Seat | None = None
    out: Seat | None = None


_pile = pile_view(ORDER)


def seat_views(players: Players, state: State | None) -> tuple[KhanhooSeatView, ...]:
    """The seats with their hands and melds, which are empty before a deal."""
    if state is None:
        return tuple([KhanhooSeatView(seat, player, Hand(), ()) for seat, player in enumerate(players)])
    cards = state.cards
    laid = [_melds(state, seat) for seat in range(cards.players)]
    return tuple(map(KhanhooSeatView, range(cards.players), players, cards.hands, laid))


def _melds(state: State, seat: Seat) -> tuple[Meld, ...]:
    return tuple([laid.meld for laid in state.cards.laid[seat]])


def show(state: State) -> dict[str, Any]:
    """The fields that Khanhoo adds to a table's view."""
    cards = state.cards
    fields: dict[str, Any] = {
        "eldest": cards.eldest,
        "stock": _pile(cards.stock),
        "discards": cards.discards,
        "discarded": cards.discarded,
        "limit": cards.limit,
        "renewals": cards.renewals,
    }
    match state:
        case Claiming():
            answered = tuple([answer.seat for answer in state.answers])
            fields |= {"discarder": state.discarder, "answered": answered, "answers": state.answers}
        case Challenging():
            fields |= {"discarder": state.discarder, "bumps": state.bumps, "standing": state.bump.seat}
        case Ended():
            fields["out"] = state.out
        case _:
            pass
    return fields
