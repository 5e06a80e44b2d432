"""The parts of a view that games with tricks share."""

from collections.abc import Callable
from typing import Any

from domain.kernel.game import Players
from domain.kernel.hands import Hand
from domain.kernel.view import HandView, TableView


class TrickSeatView(HandView, frozen=True, gc=False):
    """A seat: its player, the known part of its hand, and the number of tricks it won in this deal."""

    tricks: int


class TrickTableView(TableView, frozen=True, kw_only=True, gc=False):
    """A table at which tricks are taken."""

    seats: tuple[TrickSeatView, ...]


def trick_seats(
    hands: Callable[[Any], tuple[Hand, ...]], tricks: Callable[[Any], tuple[int, ...]]
) -> Callable[[Players, Any], tuple[TrickSeatView, ...]]:
    """The function that makes a view's seats, from a state's hands and the numbers of tricks won, both by seat."""

    def seats(players: Players, state: Any) -> tuple[TrickSeatView, ...]:
        numbers = range(len(players))
        if state is None:
            return tuple([TrickSeatView(seat, players[seat], Hand(), 0) for seat in numbers])
        return tuple(map(TrickSeatView, numbers, players, hands(state), tricks(state)))

    return seats
