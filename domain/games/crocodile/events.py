"""What happens in a deal of Crocodile."""

from typing import ClassVar, TypeAlias

from msgspec import Struct

from domain.games.crocodile.contracts import BonusName, ContractName
from domain.kernel.cards import Card, Suit
from domain.kernel.event import Payload
from domain.kernel.seats import Seat
from domain.kernel.shuffle import Opening


class BidMade(Payload, frozen=True, gc=False):
    """A player bid a contract."""

    TYPE: ClassVar = "bid-made"

    seat: Seat
    contract: ContractName


class BidPassed(Payload, frozen=True, gc=False):
    """A player passed, for good."""

    TYPE: ClassVar = "bid-passed"

    seat: Seat


class CascoForced(Payload, frozen=True, gc=False):
    """All passed; eldest must play Casco."""

    TYPE: ClassVar = "casco-forced"

    seat: Seat


class ContractDeclared(Payload, frozen=True, gc=False):
    """Declarer declared the contract; trump is null where there is none or it is still to be turned."""

    TYPE: ClassVar = "contract-declared"

    seat: Seat
    contract: ContractName
    trump: Suit | None
    bonus: BonusName | None


class TalonTurned(Payload, frozen=True, gc=False):
    """The talon's top card was turned up and fixes trumps."""

    TYPE: ClassVar = "talon-turned"

    card: Card
    trump: Suit
    opening: Opening


class CascoCards(Struct, frozen=True, gc=False):
    """What declarer kept, discarded (in the order dealt) and took (in the talon's order)."""

    kept: Card
    discarded: tuple[Card, ...]
    taken: tuple[Opening, ...]


class CascoTaken(Payload, frozen=True, gc=False):
    """Declarer kept one card, discarded eight and took the talon."""

    TYPE: ClassVar = "casco-taken"
    SECTIONS: ClassVar = {"seat": CascoCards}

    seat: Seat


class CascoLaid(Payload, frozen=True, gc=False):
    """Declarer laid five cards face up and named trumps, null for sans."""

    TYPE: ClassVar = "casco-laid"

    seat: Seat
    cards: tuple[Card, ...]
    trump: Suit | None
    bonus: BonusName | None


class PriorityOffered(Payload, frozen=True, gc=False):
    """The first opponent offered the other the right to exchange first."""

    TYPE: ClassVar = "priority-offered"

    seat: Seat
    to: Seat


class PriorityAnswered(Payload, frozen=True, gc=False):
    """The other opponent accepted or refused to exchange first."""

    TYPE: ClassVar = "priority-answered"

    seat: Seat
    accepted: bool


class ExchangedCards(Struct, frozen=True, gc=False):
    """What was discarded (sorted) and drawn unseen (in the order drawn)."""

    discarded: tuple[Card, ...]
    drawn: tuple[Opening, ...]


class CardsExchanged(Payload, frozen=True, gc=False):
    """A player discarded `count` cards and drew as many, `taken` among them by name."""

    TYPE: ClassVar = "cards-exchanged"
    SECTIONS: ClassVar = {"seat": ExchangedCards}

    seat: Seat
    count: int
    taken: tuple[Card, ...] = ()


class HandExposed(Payload, frozen=True, gc=False):
    """Declarer's cards lie open."""

    TYPE: ClassVar = "hand-exposed"

    seat: Seat
    cards: tuple[Card, ...]


class CardPlayed(Payload, frozen=True, gc=False):
    """A player played a card."""

    TYPE: ClassVar = "card-played"

    seat: Seat
    card: Card


class TrickWon(Payload, frozen=True, gc=False):
    """A player won a trick, the `trick`th of the deal."""

    TYPE: ClassVar = "trick-won"

    seat: Seat
    trick: int


class DealConceded(Payload, frozen=True, gc=False):
    """Declarer conceded."""

    TYPE: ClassVar = "deal-conceded"

    seat: Seat


class Utterance(Struct, frozen=True, gc=False):
    """What was said."""

    text: str


class TableTalk(Payload, frozen=True, gc=False):
    """An opponent said something; the words are sealed, so that they can be erased."""

    TYPE: ClassVar = "table-talk"
    SECTIONS: ClassVar = {"public": Utterance}

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

EVENTS: tuple[type[Payload], ...] = (
    BidMade,
    BidPassed,
    CascoForced,
    ContractDeclared,
    TalonTurned,
    CascoTaken,
    CascoLaid,
    PriorityOffered,
    PriorityAnswered,
    CardsExchanged,
    HandExposed,
    CardPlayed,
    TrickWon,
    DealConceded,
    TableTalk,
)
