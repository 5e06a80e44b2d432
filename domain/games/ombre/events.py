"""The events of a deal of Ombre."""

from typing import ClassVar, TypeAlias, get_args

from domain.cards import Card
from domain.games.ombre.contracts import ContractName
from domain.kernel.event import NOTHING, Payload
from domain.parts import auction, phases
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon
from domain.seats import Seat
from domain.table.events import DealScored


class BidMade(auction.BidMade[ContractName], frozen=True, gc=False):
    """A player bid a contract, or held the highest bid."""

    REVEALS: ClassVar = NOTHING

    hold: bool


class DealPassedOut(Payload, frozen=True, gc=False):
    """All passed; nothing is played or paid, and the pool stays."""

    TYPE: ClassVar = "deal-passed-out"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING


class ContractDeclared(phases.ContractDeclared[ContractName], frozen=True, gc=False):
    """Ombre began the contract; trump is null if it is still to be turned."""

    REVEALS: ClassVar = NOTHING


class ExchangeYielded(Payload, frozen=True, gc=False):
    """A defender let the other, the seat `to`, exchange first."""

    TYPE: ClassVar = "exchange-yielded"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    to: Seat


class SurrenderOffered(Payload, frozen=True, gc=False):
    """Ombre offered to surrender."""

    TYPE: ClassVar = "surrender-offered"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class SurrenderAnswered(Payload, frozen=True, gc=False):
    """A defender accepted the surrender, or forbade it and became new Ombre."""

    TYPE: ClassVar = "surrender-answered"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    accepted: bool


class EstuchesScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked; `estuches` are the cards that earned Ombre a payment, high to low."""

    REVEALS: ClassVar = NOTHING

    estuches: tuple[Card, ...]


OmbreEvent: TypeAlias = (
    BidMade
    | BidPassed
    | DealPassedOut
    | ContractDeclared
    | TalonTurned
    | CardsExchanged
    | ExchangeYielded
    | CardPlayed
    | TrickWon
    | PlayStopped
    | AllTricksUndertaken
    | SurrenderOffered
    | SurrenderAnswered
)

EVENTS: tuple[type[Payload], ...] = (*get_args(OmbreEvent), EstuchesScored)
