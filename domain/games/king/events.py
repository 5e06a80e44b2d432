"""The events of a deal of King."""

from typing import ClassVar, TypeAlias, get_args

from domain.cards import Suit
from domain.games.king.contracts import AimName, Direction
from domain.kernel.event import NOTHING, Payload
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon
from domain.seats import Seat
from domain.table.events import DealScored


class TrumpsNamed(Payload, frozen=True, gc=False):
    """A player named the trump suit; null for no trumps."""

    TYPE: ClassVar = "trumps-named"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    trump: Suit | None


class AuctionOpened(Payload, frozen=True, gc=False):
    """The dealer put the right to name trumps up for auction among the three others."""

    TYPE: ClassVar = "auction-opened"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class TricksBid(Payload, frozen=True, gc=False):
    """A player bid a number of tricks."""

    TYPE: ClassVar = "bid-made"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    tricks: int


class DirectionDeclared(Payload, frozen=True, gc=False):
    """The dealer said whether the deal is played up or down."""

    TYPE: ClassVar = "direction-declared"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    direction: Direction


class KingScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with its aim and, if trumps were bought, the buyer and the price."""

    REVEALS: ClassVar = NOTHING

    aim: AimName
    buyer: Seat | None
    price: int | None


KingEvent: TypeAlias = TrumpsNamed | AuctionOpened | TricksBid | BidPassed | DirectionDeclared | CardPlayed | TrickWon

EVENTS: tuple[type[Payload], ...] = (*get_args(KingEvent), KingScored)
