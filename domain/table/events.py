"""The events of a table's life, the same for every game."""

from typing import Any, ClassVar

from msgspec import Struct

from domain.kernel.decider import DealtHand, DealtTalon
from domain.kernel.event import Payload
from domain.kernel.ledger import Line
from domain.kernel.seats import Seat


class TableSecret(Struct, frozen=True, gc=False):
    """What only the house knows of a table: the last seed of the chain in hex, and the player who opened it."""

    seed: str
    opener: str


class TableOpened(Payload, frozen=True, gc=False):
    """The table is open; game, options and rules are pinned. `seed_commitment` is seed(0) of the chain, in hex."""

    TYPE: ClassVar = "table-opened"
    SECTIONS: ClassVar = {"house": TableSecret}

    game: str
    rules_version: int
    rules_digest: str
    options: dict[str, Any]
    deals: int
    seed_commitment: str


class SeatTaken(Payload, frozen=True, gc=False):
    """A player sat down, and may have added entropy (hex)."""

    TYPE: ClassVar = "seat-taken"

    seat: Seat
    player: str
    entropy: str | None


class SeatLeft(Payload, frozen=True, gc=False):
    """The player left the seat before the start."""

    TYPE: ClassVar = "seat-left"

    seat: Seat


class GameStarted(Payload, frozen=True, gc=False):
    """All seats are taken. `draws` tells who drew which card for the first deal, in games that draw."""

    TYPE: ClassVar = "game-started"

    first_dealer: Seat
    draws: tuple[dict[str, Any], ...] = ()


class CardsDealt(Payload, frozen=True, gc=False):
    """A deal's cards: a commitment for each card of the pack, from the top; each seat is told its own."""

    TYPE: ClassVar = "cards-dealt"
    SECTIONS: ClassVar = {"seat": DealtHand, "house": DealtTalon}

    deal: int
    dealer: Seat
    card_commitments: tuple[str, ...]
    lines: tuple[Line, ...] = ()


class DealScored(Payload, frozen=True, gc=False):
    """The deal is over and booked. `seed` (hex) opens every card of it."""

    TYPE: ClassVar = "deal-scored"

    deal: int
    outcome: str
    lines: tuple[Line, ...]
    totals: tuple[int, ...]
    seed: str


class GameFinished(Payload, frozen=True, gc=False):
    """The last deal is scored; the highest total wins, equal ones share."""

    TYPE: ClassVar = "game-finished"

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str
    lines: tuple[Line, ...] = ()


class TableClosed(Payload, frozen=True, gc=False):
    """The table was closed before its game started."""

    TYPE: ClassVar = "table-closed"

    seat: Seat | None
    reason: str


TableEvent = TableOpened | SeatTaken | SeatLeft | GameStarted | CardsDealt | DealScored | GameFinished | TableClosed

EVENTS: tuple[type[Payload], ...] = (
    TableOpened,
    SeatTaken,
    SeatLeft,
    GameStarted,
    CardsDealt,
    DealScored,
    GameFinished,
    TableClosed,
)
