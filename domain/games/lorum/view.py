"""Lórum's part of a table's view."""

from itertools import groupby
from typing import Any, assert_never

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.lorum.contracts import HAND, KindName
from domain.games.lorum.meta import PACK, SEATS
from domain.games.lorum.state import Blind, Domino, LastTrick, Place, Playing, Quart, State, Train
from domain.kernel.game import Players
from domain.kernel.hands import Hand, Hands
from domain.parts.tricks import Played
from domain.parts.views import TrickSeatView, TrickTableView
from domain.seats import Seat


class LorumSeatView(TrickSeatView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, the tricks it won in this deal, and its places.

    Cards that are turned away are in the places, not in the hand.
    """

    places: tuple[Hand, ...]


class RowView(Struct, frozen=True, gc=False):
    """A row of Domino: its suit, and its cards."""

    suit: Suit
    cards: tuple[Card, ...]


class LorumView(TrickTableView, frozen=True, kw_only=True):
    """A table of Lórum as its audience knows it. `order` runs from eldest to the dealer."""

    seats: tuple[LorumSeatView, ...]
    pool: int
    order: tuple[Seat, ...] = ()
    kind: KindName | None = None
    trick: tuple[Played, ...] = ()
    last_trick: LastTrick | None = None
    count: int | None = None
    train: tuple[Card, ...] = ()
    sequence: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    rows: tuple[RowView, ...] = ()
    starting_rank: str | None = None


def seat_views(players: Players, state: State | None) -> tuple[LorumSeatView, ...]:
    """The seats; the state is None before the first deal."""
    held: Hands = (Hand(),) * SEATS
    if state is None:
        return tuple([LorumSeatView(seat, players[seat], held[seat], 0, ()) for seat in range(SEATS)])
    places: tuple[tuple[Hand, ...], ...] = ((),) * SEATS
    if isinstance(state, Blind):
        places = tuple(map(_places, state.places))
    return tuple(map(LorumSeatView, range(SEATS), players, state.hands, _tricks(state), places))


def _tricks(state: State) -> tuple[int, ...]:
    """The numbers of tricks won, by seat; tricks in which each player captured their own card do not count (LO-4.3)."""
    match state:
        case Playing():
            return state.tricks.won_by(SEATS)
        case Blind():
            return tuple(map(state.winners.count, range(SEATS)))
        case _:
            return (0,) * SEATS


def show(state: State) -> dict[str, Any]:
    """The fields that Lórum adds to a table's view."""
    fields: dict[str, Any] = {"order": state.common.order, "kind": state.common.kind.kind}
    match state:
        case Playing():
            last = state.tricks.last
            return fields | {
                "trick": state.tricks.trick,
                "last_trick": None if last is None else LastTrick(last.winner, last.cards),
            }
        case Blind():
            return fields | {"trick": state.trick, "last_trick": state.last}
        case Train():
            return fields | {"count": state.count, "train": tuple([played.card for played in state.played])}
        case Quart():
            sequence = tuple([played.card for played in state.sequence])
            return fields | {"sequence": sequence, "gone": PACK.sorted(state.gone)}
        case Domino():
            rows = tuple([RowView(suit, tuple(row)) for suit, row in groupby(PACK.sorted(state.laid), PACK.suit)])
            return fields | {"rows": rows, "starting_rank": state.starting_rank}
        case _:
            assert_never(state)


def _places(own: tuple[Place, ...]) -> tuple[Hand, ...]:
    cards = {place.number: place.card for place in own}
    return tuple([_place(cards[number]) if number in cards else Hand() for number in range(1, HAND + 1)])


def _place(card: Card | None) -> Hand:
    return Hand(hidden=1) if card is None else Hand((card,))
