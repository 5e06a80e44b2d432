"""The order around a table at which everything goes clockwise: turns, speaking, dealing."""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from domain.kernel.acts import once_a_seat, once_a_state
from domain.kernel.course import Course, Deals, Standing, dealer_of
from domain.kernel.offers import Offer
from domain.seats import Seat, clockwise


class HasPlayers(Protocol):
    """Options with a number of players."""

    @property
    def players(self) -> int:
        """The number of players."""


def seats_of_players(options: HasPlayers) -> int:
    """The number of seats at a table whose options give the number of players."""
    return options.players


def next_dealer(standing: Standing) -> Seat:
    """The dealer of the next deal: the seat to the left. Raises ValueError in a game without a dealer."""
    return (dealer_of(standing) + 1) % len(standing.totals)


def order_of_turns(standing: Standing) -> tuple[Seat, ...]:
    """All seats, from the dealer's left around to the dealer. Raises ValueError in a game without a dealer."""
    return clockwise(next_dealer(standing), len(standing.totals))


def one_at_a_time(
    settled: Callable[[Any], object | None], due: Callable[[Any], bool] | None = None
) -> Callable[[Any], tuple[Seat, ...]]:
    """The `to_act` of a game in which one seat acts at a time, which the phase names as its `turn`.

    No seat must act while an automatic event is due, or once the deal is settled.
    """

    def to_act(state: Any) -> tuple[Seat, ...]:
        turn = state.turn
        waits = turn is None or (due is not None and due(state)) or settled(state) is not None
        return () if waits else (turn,)

    return once_a_state(to_act)


def in_turn(
    to_act: Callable[[Any], tuple[Seat, ...]], acts: Callable[[Any, Seat], tuple[Offer, ...]]
) -> Callable[[Any, Seat], tuple[Offer, ...]]:
    """The `offers` of a game in which a seat has acts only while it must act: those of `acts` then."""

    def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
        return acts(state, seat) if seat in to_act(state) else ()

    return once_a_seat(offers)


class Clockwise(Struct, frozen=True, gc=False):
    """A table of `size` seats at which turn and deal pass to the left, whatever the options."""

    size: int

    def seats(self, _: object) -> int:
        """The number of seats."""
        return self.size

    def left(self, seat: Seat) -> Seat:
        """The seat to the left, which comes next."""
        return (seat + 1) % self.size

    def order_of_turns(self, dealer: Seat) -> tuple[Seat, ...]:
        """All seats, from the dealer's left around to the dealer."""
        return clockwise(self.left(dealer), self.size)

    def next_dealer(self, standing: Standing) -> Seat:
        """The dealer of the next deal: the seat to the left. Raises ValueError in a game without a dealer."""
        return self.left(dealer_of(standing))

    def course(self, deals: Callable[[Any], Deals]) -> Course:
        """The course of a game at such a table, of as many deals as are agreed."""
        return Course(seats=self.seats, deals=deals, next_dealer=self.next_dealer)
