"""The events of a deal of Crocodile."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card, Suit
from domain.fair.deck import Opening
from domain.games.crocodile.contracts import BonusName, ContractName
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts import auction, phases
from domain.parts.auction import BidPassed
from domain.parts.exchange import ExchangedCards, TalonTurned
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.seats import Seat


class BidMade(auction.BidMade[ContractName], frozen=True, gc=False):
    """A player bid a contract."""

    REVEALS: ClassVar = NOTHING


class CascoForced(Payload, frozen=True, gc=False):
    """All passed; eldest must play Casco."""

    TYPE: ClassVar = "casco-forced"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class ContractDeclared(phases.ContractDeclared[ContractName], frozen=True, gc=False):
    """Declarer declared the contract; trump is null without trumps, and until the card that fixes them is turned."""

    REVEALS: ClassVar = NOTHING

    bonus: BonusName | None


class CascoCards(Struct, frozen=True, gc=False):
    """The cards that declarer kept, discarded (in the order dealt) and took (in the talon's order)."""

    kept: Card
    discarded: tuple[Card, ...]
    taken: tuple[Opening, ...]


class CascoTaken(Payload, frozen=True, gc=False):
    """Declarer kept one card, discarded eight and took the talon."""

    TYPE: ClassVar = "casco-taken"
    SECTIONS: ClassVar = {"seat": CascoCards}
    REVEALS: ClassVar = Reveals(to_seats="taken", hides=True)

    seat: Seat


class CascoLaid(Payload, frozen=True, gc=False):
    """Declarer laid five cards face up and named trumps, null for sans."""

    TYPE: ClassVar = "casco-laid"
    REVEALS: ClassVar = Reveals(to_all="cards")

    seat: Seat
    cards: tuple[Card, ...]
    trump: Suit | None
    bonus: BonusName | None


class PriorityOffered(Payload, frozen=True, gc=False):
    """The first opponent offered the other the right to exchange first."""

    TYPE: ClassVar = "priority-offered"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    to: Seat


class PriorityAnswered(Payload, frozen=True, gc=False):
    """The other opponent accepted or refused to exchange first."""

    TYPE: ClassVar = "priority-answered"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    accepted: bool


class CardsExchanged(Payload, frozen=True, gc=False):
    """A player discarded `count` cards and drew as many, the `taken` ones by name."""

    TYPE: ClassVar = "cards-exchanged"
    SECTIONS: ClassVar = {"seat": ExchangedCards}
    REVEALS: ClassVar = Reveals(to_all="taken", to_seats="drawn", hides=True)

    seat: Seat
    count: int
    taken: tuple[Card, ...] = ()


class DealConceded(Payload, frozen=True, gc=False):
    """Declarer conceded."""

    TYPE: ClassVar = "deal-conceded"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class Utterance(Struct, frozen=True, gc=False):
    """The words of an opponent's talk."""

    text: str


class TableTalk(Payload, frozen=True, gc=False):
    """An opponent said something; the words are sealed, so that they can be erased."""

    TYPE: ClassVar = "table-talk"
    SECTIONS: ClassVar = {"public": Utterance}
    REVEALS: ClassVar = NOTHING

    seat: Seat


CrocodileEvent: TypeAlias = (
    BidMade
    | BidPassed
    | CascoForced
    | ContractDeclared
    | TalonTurned
    | CascoTaken
    | CascoLaid
    | PriorityOffered
    | PriorityAnswered
    | CardsExchanged
    | HandExposed
    | CardPlayed
    | TrickWon
    | DealConceded
    | TableTalk
)

EVENTS: tuple[type[Payload], ...] = get_args(CrocodileEvent)
