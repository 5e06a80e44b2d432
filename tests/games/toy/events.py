"""What happens in a deal of the toy."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import Payload
from domain.seats import Seat
from domain.table.events import DealScored


class PassedCard(Struct, frozen=True, gc=False):
    """What giver and receiver know of a card passed."""

    card: Card


class CardPassed(Payload, frozen=True, gc=False):
    """A player passed a card to the partner."""

    TYPE: ClassVar = "card-passed"
    SECTIONS: ClassVar = {"seat": PassedCard}

    seat: Seat
    to: Seat


class PledgedCards(Struct, frozen=True, gc=False):
    """What a player pledges; nothing where the list is empty."""

    cards: tuple[Card, ...]


class PledgeMade(Payload, frozen=True, gc=False):
    """A player pledged cards, or nothing."""

    TYPE: ClassVar = "pledge-made"
    SECTIONS: ClassVar = {"seat": PledgedCards}

    seat: Seat


class Pledged(Struct, frozen=True, gc=False):
    """A player's pledge, once it is open."""

    seat: Seat
    cards: tuple[Card, ...]


class PledgesOpened(Payload, frozen=True, gc=False):
    """All have answered: the pledges are opened, by seat."""

    TYPE: ClassVar = "pledges-opened"
    CHECK: ClassVar = "turn-up"

    pledges: tuple[Pledged, ...]


class CardLaid(Payload, frozen=True, gc=False):
    """A player laid a card on the table."""

    TYPE: ClassVar = "card-laid"

    seat: Seat
    card: Card


class CardsCaptured(Payload, frozen=True, gc=False):
    """A player took cards from the table with a card."""

    TYPE: ClassVar = "cards-captured"

    seat: Seat
    card: Card
    taken: tuple[Card, ...]


class CardTurned(Payload, frozen=True, gc=False):
    """A player's unseen card was turned up and lies on the table."""

    TYPE: ClassVar = "card-turned"

    seat: Seat
    turned: Opening


class Snapped(Payload, frozen=True, gc=False):
    """A player was the first to say that two cards of one rank lie on each other."""

    TYPE: ClassVar = "snapped"

    seat: Seat


class DealtCards(Struct, frozen=True, gc=False):
    """The cards that a seat gets with a batch."""

    cards: tuple[Opening, ...]


class BatchDealt(Payload, frozen=True, gc=False):
    """No hand held a card: each got one from the stock."""

    TYPE: ClassVar = "batch-dealt"
    CHECK: ClassVar = "draws"
    SECTIONS: ClassVar = {"seat": DealtCards}

    batch: int


class RenewedStock(Struct, frozen=True, gc=False):
    """What only the house knows of a renewed stock: its cards, from the top."""

    stock: tuple[Opening, ...]


class StockRenewed(Payload, frozen=True, gc=False):
    """The captured cards were shuffled anew and lie under what was left of the stock, at places of their own."""

    TYPE: ClassVar = "stock-renewed"
    CHECK: ClassVar = "draws"
    FIELD_CHECKS: ClassVar = {"card_commitments": "commitments"}
    SECTIONS: ClassVar = {"house": RenewedStock}

    renewal: int
    card_commitments: tuple[str, ...]


class TurnLapsed(Payload, frozen=True, gc=False):
    """The time for a turn ran out: the deal is lost."""

    TYPE: ClassVar = "turn-lapsed"

    seat: Seat


class ToyScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked. `captured` is what each side has captured, brows included."""

    captured: tuple[int, ...]


ToyEvent: TypeAlias = (
    CardPassed
    | PledgeMade
    | PledgesOpened
    | CardLaid
    | CardsCaptured
    | CardTurned
    | Snapped
    | BatchDealt
    | StockRenewed
    | TurnLapsed
)

EVENTS: tuple[type[Payload], ...] = (*get_args(ToyEvent), ToyScored)
