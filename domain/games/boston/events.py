"""The events of a deal of Boston."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card, Suit
from domain.games.boston.contracts import ContractName
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts import auction
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.seats import Seat
from domain.table.events import DealScored


class BidMade(auction.BidMade[ContractName], frozen=True, gc=False):
    """A player bid a contract and a suit; `shown` are the four aces if the bid is Four-ace misère (BO-3.7)."""

    REVEALS: ClassVar = Reveals(to_all="shown")

    suit: Suit
    shown: tuple[Card, ...] = ()


class PlayedAlone(Payload, frozen=True, gc=False):
    """Declarer plays alone."""

    TYPE: ClassVar = "played-alone"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SupportCalled(Payload, frozen=True, gc=False):
    """Declarer called for a supporter."""

    TYPE: ClassVar = "support-called"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SupportAnswered(Payload, frozen=True, gc=False):
    """A player agreed to be the supporter, or declined."""

    TYPE: ClassVar = "support-answered"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    accepted: bool


class CardOfDiscard(Struct, frozen=True, gc=False):
    """The card that declarer put down."""

    card: Card


class CardPutDown(Payload, frozen=True, gc=False):
    """Declarer put a card face down (BO-5.3)."""

    TYPE: ClassVar = "card-put-down"
    SECTIONS: ClassVar = {"seat": CardOfDiscard}
    REVEALS: ClassVar = Reveals(hides=True)

    seat: Seat


class GameScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked. The contract, declarer and supporter are null if the deal was thrown in."""

    REVEALS: ClassVar = NOTHING

    declarer: Seat | None
    supporter: Seat | None
    contract: ContractName | None
    suit: Suit | None


BostonEvent: TypeAlias = (
    BidMade
    | BidPassed
    | PlayedAlone
    | SupportCalled
    | SupportAnswered
    | CardPutDown
    | HandExposed
    | CardPlayed
    | TrickWon
)

EVENTS: tuple[type[Payload], ...] = (*get_args(BostonEvent), GameScored)
