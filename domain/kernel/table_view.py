"""The part of a view that all games share."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from domain.kernel.hands import Hand
from domain.kernel.ledger import LineAt
from domain.seats import Bot, Seat


class PlayedSeat(Struct, frozen=True, gc=False, kw_only=True):
    """The field of a seat that comes after those of its game."""

    bot: Bot | None = None
    """The bot that plays the seat now; None for a person, and where the house takes the mildest acts."""


class SeatView(PlayedSeat, frozen=True, gc=False):
    """A seat and its player. Games add the cards and counts that belong to the seat."""

    seat: Seat
    player: str | None


class HandView(SeatView, frozen=True, gc=False):
    """A seat with a hand, as far as the audience knows it."""

    hand: Hand


class DisputeView(Struct, frozen=True, gc=False):
    """A dispute at the table: the seat that raised it, the disputed lines, and its status."""

    dispute: int
    seat: Seat
    lines: tuple[LineAt, ...]
    status: str


class DeadlineView(Struct, frozen=True, gc=False):
    """A time at which the house acts for a seat, or a time limit of the game expires."""

    at: str
    seat: Seat | None
    """The seat whose time expires; None for a limit of the game's own rules."""
    rule: str


class ClockView(Struct, frozen=True, gc=False):
    """A seat's clock: the time left in its reserve, and the number of acts in a row that the house made for it."""

    seat: Seat
    reserve_ms: int
    run_out: int


class LeavingView(Struct, frozen=True, gc=False):
    """The seats that agree to end the game, those that have left for good, and those that the house plays."""

    agreed: tuple[Seat, ...]
    abandoned: tuple[Seat, ...]
    bots: tuple[Seat, ...]


class TableView(Struct, frozen=True, kw_only=True, gc=False):
    """The fields that every game's view has; each game adds its own."""

    you: Seat | None
    """The seat whose view it is. It comes first, since views differ only here in a game whose audiences all see
    alike.
    """
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
    """The table's own options; only if one differs from the default."""
    deadlines: tuple[DeadlineView, ...] | UnsetType = UNSET
    """Only at a table with a clock, or of a game with time limits."""
    clocks: tuple[ClockView, ...] | UnsetType = UNSET
    """Only at a table with a clock."""
    leaving: LeavingView | UnsetType = UNSET
    """Only once somebody has left the game, or wants to end it."""
