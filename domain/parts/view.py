"""The seats of a view, as games with hands and games with tricks share them."""

from collections.abc import Callable
from typing import Any

from domain.kernel.game import Players
from domain.kernel.hands import Hand, Hands
from domain.kernel.view import HandView, TableView
from domain.parts.phases import HasHands, PlayPhase


class TrickSeatView(HandView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and the number of tricks it won in this deal."""

    tricks: int


class TrickTableView(TableView, frozen=True, kw_only=True, gc=False):
    """A table at which tricks are taken."""

    seats: tuple[TrickSeatView, ...]


def hands(state: HasHands) -> Hands:
    """The hands, by seat."""
    return state.hands


def tricks_won(state: HasHands) -> tuple[int, ...]:
    """The numbers of tricks won, by seat; none outside the play."""
    seats = len(state.hands)
    return state.tricks.won_by(seats) if isinstance(state, PlayPhase) else (0,) * seats


def hand_seats(players: Players, state: HasHands | None) -> tuple[HandView, ...]:
    """The seats with their hands, which are empty before the first deal."""
    numbers = range(len(players))
    return tuple(map(HandView, numbers, players, [Hand()] * len(players) if state is None else state.hands))


def trick_seats(
    tricks: Callable[[Any], tuple[int, ...]] = tricks_won,
) -> Callable[[Players, HasHands | None], tuple[TrickSeatView, ...]]:
    """The function that makes a view's seats with the numbers of tricks won, by seat."""

    def seats(players: Players, state: HasHands | None) -> tuple[TrickSeatView, ...]:
        numbers = range(len(players))
        if state is None:
            return tuple([TrickSeatView(seat, players[seat], Hand(), 0) for seat in numbers])
        return tuple(map(TrickSeatView, numbers, players, state.hands, tricks(state)))

    return seats
