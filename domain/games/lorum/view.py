"""Lórum's part of a table's view."""

from collections.abc import Iterable
from itertools import chain, groupby
from typing import Any, assert_never

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.lorum.contracts import COSTS, HAND, KindName
from domain.games.lorum.meta import PACK, SEATS
from domain.games.lorum.scoring import costs
from domain.games.lorum.state import Blind, Domino, LastTrick, Place, Playing, Quart, State, Train
from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.parts.tricks import Played
from domain.parts.views import TrickSeatView, TrickTableView
from domain.seats import Seat


class LorumSeatView(TrickSeatView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and what it won in this deal.

    Cards that are turned away are in the places, not in the hand. `cards_left` counts the cards in either. `captured`
    has the cards that cost.
    """

    places: tuple[Hand, ...]
    cards_left: int
    captured: tuple[Card, ...]


class RowView(Struct, frozen=True, gc=False):
    """A row of Domino: its suit, and its cards."""

    suit: Suit
    cards: tuple[Card, ...]


class PassedMarkView(Struct, frozen=True, gc=False):
    """A mark of the count, the seat that passed it, and the chips that it costs."""

    seat: Seat
    mark: int
    chips: int


class LorumView(TrickTableView, frozen=True, kw_only=True):
    """A table of Lórum as its audience knows it. `order` runs from eldest to the dealer.

    `played` has every card played in this deal, in order.
    """

    seats: tuple[LorumSeatView, ...]
    pool: int
    order: tuple[Seat, ...] = ()
    kind: KindName | None = None
    points: tuple[int, ...] = ()
    played: tuple[Played, ...] = ()
    trick: tuple[Played, ...] = ()
    last_trick: LastTrick | None = None
    count: int | None = None
    train: tuple[Card, ...] = ()
    passed: tuple[PassedMarkView, ...] = ()
    sequence: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    rows: tuple[RowView, ...] = ()
    starting_rank: str | None = None


def seat_views(players: Players, state: State | None) -> tuple[LorumSeatView, ...]:
    """The seats; the state is None before the first deal."""
    if state is None:
        return tuple([LorumSeatView(seat, players[seat], Hand(), 0, (), 0, ()) for seat in range(SEATS)])
    places: tuple[tuple[Hand, ...], ...] = ((),) * SEATS
    left = [len(hand.known) + hand.hidden for hand in state.hands]
    if isinstance(state, Blind):
        places, left = tuple(map(_places, state.places)), list(map(len, state.places))
    won, captured = _tricks(state), _captured(state)
    return tuple(map(LorumSeatView, range(SEATS), players, state.hands, won, places, left, captured))


def _captured(state: State) -> tuple[tuple[Card, ...], ...]:
    """The cards that cost among those that each seat has captured."""
    costs = COSTS[state.common.kind.kind]
    match state:
        case Playing() if costs:
            return tuple([PACK.sorted(cards) if cards else () for cards in state.tricks.captures(SEATS, costs)])
        case Blind() if state.captured is not None:
            return tuple([PACK.sorted(costs) if seat == state.captured.seat else () for seat in range(SEATS)])
        case _:
            return ((),) * SEATS


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
    fields: dict[str, Any] = {
        "order": state.common.order,
        "kind": state.common.kind.kind,
        "points": costs(state),
        "played": _played(state),
    }
    match state:
        case Playing():
            last = state.tricks.last
            return fields | {
                "trick": state.tricks.trick,
                "last_trick": None if last is None else LastTrick(last.winner, last.cards),
            }
        case Blind():
            return fields | {"trick": state.trick, "last_trick": state.complete[-1] if state.complete else None}
        case Train():
            passed = tuple([PassedMarkView(each.seat, each.mark.mark, each.mark.chips) for each in state.passed])
            return fields | {"count": state.count, "train": _cards(state.played), "passed": passed}
        case Quart():
            return fields | {"sequence": _cards(state.sequence), "gone": PACK.sorted(_cards(state.gone))}
        case Domino():
            rows = tuple([RowView(suit, tuple(row)) for suit, row in groupby(PACK.sorted(state.rows), PACK.suit)])
            return fields | {"rows": rows, "starting_rank": state.starting_rank}
        case _:
            assert_never(state)


def _played(state: State) -> tuple[Played, ...]:
    """Every card played in the deal, in order."""
    match state:
        case Playing():
            return (*chain.from_iterable(trick.cards for trick in state.tricks.complete), *state.tricks.trick)
        case Blind():
            return (*chain.from_iterable(trick.cards for trick in state.complete), *state.trick)
        case Train():
            return state.played
        case Quart():
            return (*state.gone, *state.sequence)
        case Domino():
            return state.laid
        case _:
            assert_never(state)


def _cards(played: Iterable[Played]) -> tuple[Card, ...]:
    return tuple([each.card for each in played])


def _places(own: tuple[Place, ...]) -> tuple[Hand, ...]:
    cards = {place.number: place.card for place in own}
    return tuple([_place(cards[number]) if number in cards else Hand() for number in range(1, HAND + 1)])


def _place(card: Card | None) -> Hand:
    return Hand(hidden=1) if card is None else Hand((card,))
