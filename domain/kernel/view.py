"""The part of a view that every game shares."""

from typing import Any

from msgspec import Struct

from domain.kernel.hands import Hand
from domain.kernel.ledger import LineAt
from domain.seats import Seat


class SeatView(Struct, frozen=True, gc=False):
    """A seat and its player. Games add what lies before a seat."""

    seat: Seat
    player: str | None


class HandView(SeatView, frozen=True, gc=False):
    """A seat with a hand, as far as the audience knows it."""

    hand: Hand


class DisputeView(Struct, frozen=True, gc=False):
    """A dispute at the table: who raised it, about which lines, and what has become of it."""

    dispute: int
    seat: Seat
    lines: tuple[LineAt, ...]
    status: str


class TableView(Struct, frozen=True, kw_only=True, gc=False):
    """What the view of every game holds; each game adds its own fields."""

    you: Seat | None
    """The seat whose view it is. Where all audiences see alike, views differ by it alone, so it comes first."""
    table: str
    game: str
    rules_version: int
    version: int
    status: str
    options: Any
    deals: int
    deal: int | None
    dealer: Seat | None
    phase: str | None
    seats: tuple[SeatView, ...]
    to_act: tuple[Seat, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...] | None
    disputes: tuple[DisputeView, ...]
