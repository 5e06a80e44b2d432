"""The part of a view that every game shares."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

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


class DeadlineView(Struct, frozen=True, gc=False):
    """A time at which something happens by itself: the house acts for a seat, or a limit of the game runs out."""

    at: str
    seat: Seat | None
    """The seat whose time runs out; None for a limit of the game's own rules."""
    rule: str


class ClockView(Struct, frozen=True, gc=False):
    """A seat's clock: what is left of the reserve, and how many acts in a row the house did for the seat."""

    seat: Seat
    reserve_ms: int
    run_out: int


class LeavingView(Struct, frozen=True, gc=False):
    """Who agrees to end the game, who has left it for good, and whose seats the house plays."""

    agreed: tuple[Seat, ...]
    abandoned: tuple[Seat, ...]
    bots: tuple[Seat, ...]


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
    table_options: Any = UNSET
    """The table's own options; only where one is not as by default."""
    deadlines: tuple[DeadlineView, ...] | UnsetType = UNSET
    """Only at a table with a clock, or of a game with time limits."""
    clocks: tuple[ClockView, ...] | UnsetType = UNSET
    """Only at a table with a clock."""
    leaving: LeavingView | UnsetType = UNSET
    """Only once somebody has left the game, or wants to end it."""
