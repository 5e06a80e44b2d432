"""The events of a deal of L'Hombre."""

from typing import ClassVar, TypeAlias, get_args

import msgspec

from domain.cards import Card
from domain.games.lhombre.contracts import ContractName
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts import auction, phases
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.seats import Seat


class BidMade(auction.BidMade[ContractName], frozen=True, gc=False):
    """A player bid a contract, or made the highest bid his own; a bid of Grand Tourné shows both black aces."""

    REVEALS: ClassVar = Reveals(to_all="shown")

    held: bool = msgspec.field(name="self")
    """Whether it is a *self*."""
    shown: tuple[Card, ...]


class DealWashedOut(Payload, frozen=True, gc=False):
    """All passed; nothing is played or paid."""

    TYPE: ClassVar = "deal-washed-out"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING


class ContractDeclared(phases.ContractDeclared[ContractName], frozen=True, gc=False):
    """Declarer declared the contract; trump is null if there is none or it is still to be turned."""

    REVEALS: ClassVar = NOTHING


class DealAbandoned(Payload, frozen=True, gc=False):
    """Declarer laid the hand open and pays a bête."""

    TYPE: ClassVar = "deal-abandoned"
    REVEALS: ClassVar = Reveals(to_all="cards")

    seat: Seat
    cards: tuple[Card, ...]


LhombreEvent: TypeAlias = (
    BidMade
    | BidPassed
    | DealWashedOut
    | ContractDeclared
    | TalonTurned
    | CardsExchanged
    | CardPlayed
    | HandExposed
    | TrickWon
    | PlayStopped
    | AllTricksUndertaken
    | DealAbandoned
)

EVENTS: tuple[type[Payload], ...] = get_args(LhombreEvent)
