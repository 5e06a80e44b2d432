"""The events of a deal of Solo."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import UNSET, UnsetType

from domain.cards import Card, Suit
from domain.games.solo.contracts import GameName
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon
from domain.seats import Seat
from domain.table.events import DealScored


class BidAsked(Payload, frozen=True, gc=False):
    """A player asked for a level: the first, which is held at once, or the one above the holder's."""

    TYPE: ClassVar = "bid-asked"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    level: int


class BidHeld(Payload, frozen=True, gc=False):
    """The holder said yes, and so holds the level asked for."""

    TYPE: ClassVar = "bid-held"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    level: int


class QueenShown(Payload, frozen=True, gc=False):
    """All passed; the holder of the queen of clubs shows it, and must declare a simple game."""

    TYPE: ClassVar = "queen-shown"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = Reveals(to_all="card")

    seat: Seat
    card: Card


class ContractDeclared(Payload, frozen=True, gc=False):
    """Declarer named the game and trumps; `called` is the card whose holder is the partner, null in games
    played alone.
    """

    TYPE: ClassVar = "contract-declared"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    game: GameName
    trump: Suit
    called: Card | None
    level: int


class PartnerShown(Payload, frozen=True, gc=False):
    """The called card was played, so the partner is known."""

    TYPE: ClassVar = "partner-shown"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class GameScored1(DealScored, frozen=True, gc=False):
    """The first form of `deal-scored`: with all members of the second or, in older tables, with none of them."""

    REVEALS: ClassVar = NOTHING

    declarer: Seat | UnsetType = UNSET
    partner: Seat | UnsetType | None = UNSET
    game: GameName | UnsetType = UNSET
    level: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raises ValueError if some of the members are present and others are not."""
        if len({member is UNSET for member in (self.declarer, self.partner, self.game, self.level)}) > 1:
            raise ValueError("of declarer, partner, game and level some are there and others are not")


class GameScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with declarer, partner, game and level; `partner` is null in games played alone."""

    SCHEMA: ClassVar = 2
    EARLIER: ClassVar = (GameScored1,)
    REVEALS: ClassVar = NOTHING

    declarer: Seat
    partner: Seat | None
    game: GameName
    level: int


SoloEvent: TypeAlias = (
    BidAsked | BidHeld | BidPassed | QueenShown | ContractDeclared | CardPlayed | PartnerShown | TrickWon
)

EVENTS: tuple[type[Payload], ...] = (*get_args(SoloEvent), GameScored)
