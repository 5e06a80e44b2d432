"""The events of a deal of Diloti."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.seats import Seat
from domain.table.events import DealScored


class CardLaid(Payload, frozen=True, gc=False):
    """A player laid a card, which is then loose on the table (DL-4.2)."""

    TYPE: ClassVar = "card-laid"
    REVEALS: ClassVar = Reveals(to_all="card")

    seat: Seat
    card: Card


class CardsCaptured(Payload, frozen=True, gc=False):
    """A player captured with a card: loose cards, and declarations by their numbers, both sorted (DL-5, DL-8).

    `taken` are all the cards taken from the table, sorted; `xeri` says whether the capture cleared the table and counts
    as one.
    """

    TYPE: ClassVar = "cards-captured"
    REVEALS: ClassVar = Reveals(to_all="card")

    seat: Seat
    card: Card
    loose: tuple[Card, ...]
    declarations: tuple[int, ...]
    taken: tuple[Card, ...]
    xeri: bool


class DeclarationMade(Payload, frozen=True, gc=False):
    """A player made the deal's next declaration: its number, its value, its cards, and its number of sets (DL-6).

    `loose` and `declarations`, sorted, went into it with the card.
    """

    TYPE: ClassVar = "declaration-made"
    REVEALS: ClassVar = Reveals(to_all="card")

    seat: Seat
    card: Card
    value: int
    loose: tuple[Card, ...]
    declarations: tuple[int, ...]
    declaration: int
    cards: tuple[Card, ...]
    sets: int


class DealtBatch(Struct, frozen=True, gc=False):
    """The openings of the cards that a seat gets with a batch, in the order dealt."""

    cards: tuple[Opening, ...]


class BatchDealt(Payload, frozen=True, gc=False):
    """All hands were empty: six more cards were dealt to each (DL-3.2)."""

    TYPE: ClassVar = "batch-dealt"
    CHECK: ClassVar = "draws"
    SECTIONS: ClassVar = {"seat": DealtBatch}
    REVEALS: ClassVar = Reveals(to_seats="cards")

    batch: int


class RestTaken(Payload, frozen=True, gc=False):
    """All cards are played: the loose cards go to the side of the player who captured last (DL-9.2)."""

    TYPE: ClassVar = "rest-taken"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    cards: tuple[Card, ...]


class SideScore(Struct, frozen=True, gc=False):
    """A side's results in a deal: the number of its cards, its xeris, and its score."""

    seats: tuple[Seat, ...]
    cards: int
    xeris: int
    points: int


class DilotiScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with each side's results."""

    REVEALS: ClassVar = NOTHING

    sides: tuple[SideScore, ...]


DilotiEvent: TypeAlias = CardLaid | CardsCaptured | DeclarationMade | BatchDealt | RestTaken

EVENTS: tuple[type[Payload], ...] = (*get_args(DilotiEvent), DilotiScored)
