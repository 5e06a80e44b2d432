"""The events of a deal of Burraco."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.games.burraco.contracts import Kind
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.seats import Seat
from domain.table.events import DealScored


class DrawnCard(Struct, frozen=True, gc=False):
    """The opening of a card drawn from the stock."""

    card: Opening


class CardDrawn(Payload, frozen=True, gc=False):
    """A player drew the top card of the stock (BU-4)."""

    TYPE: ClassVar = "card-drawn"
    SECTIONS: ClassVar = {"seat": DrawnCard}
    REVEALS: ClassVar = Reveals(to_seats="card")

    seat: Seat


class PileTaken(Payload, frozen=True, gc=False):
    """A player took the whole discard pile, whose cards are in the order of the discards (BU-4)."""

    TYPE: ClassVar = "pile-taken"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    cards: tuple[Card, ...]


class MeldLaid(Payload, frozen=True, gc=False):
    """A player laid the deal's next meld: its number, its cards in order, and the wild one among them (BU-6.1)."""

    TYPE: ClassVar = "meld-laid"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    meld: int
    cards: tuple[Card, ...]
    wild: Card | None


class CardAdded(Payload, frozen=True, gc=False):
    """A player added a card to a meld; `cards` is the meld after it, which may be a burraco (BU-6.2, BU-7.1)."""

    TYPE: ClassVar = "card-added"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    meld: int
    card: Card
    cards: tuple[Card, ...]
    wild: Card | None
    burraco: Kind | None


class CardDiscarded(Payload, frozen=True, gc=False):
    """A player discarded a card and may have closed; `idle` is the number of idle turns in a row so far (BU-9.2,
    BU-9.4).
    """

    TYPE: ClassVar = "card-discarded"
    REVEALS: ClassVar = Reveals(to_all="card")

    seat: Seat
    card: Card
    closes: bool
    idle: int


class PozzettoTaken(Payload, frozen=True, gc=False):
    """A player with an empty hand took the side's pozzetto, without looking at it yet (BU-8.1)."""

    TYPE: ClassVar = "pozzetto-taken"
    CHECK: ClassVar = "draws"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    pozzetto: int


class OpenedPozzetto(Struct, frozen=True, gc=False):
    """The openings of a pozzetto's cards, in the order of their places."""

    cards: tuple[Opening, ...]


class PozzettoOpened(Payload, frozen=True, gc=False):
    """A player looked at the pozzetto taken before, which is now the hand (BU-8.2, BU-8.3)."""

    TYPE: ClassVar = "pozzetto-opened"
    CHECK: ClassVar = "draws"
    SECTIONS: ClassVar = {"seat": OpenedPozzetto}
    REVEALS: ClassVar = Reveals(to_seats="cards")

    seat: Seat


class SideScore(Struct, frozen=True, gc=False):
    """A side's score in a deal."""

    seats: tuple[Seat, ...]
    points: int


class BurracoScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with each side's score."""

    REVEALS: ClassVar = NOTHING

    sides: tuple[SideScore, ...]


BurracoEvent: TypeAlias = CardDrawn | PileTaken | MeldLaid | CardAdded | CardDiscarded | PozzettoTaken | PozzettoOpened

EVENTS: tuple[type[Payload], ...] = (*get_args(BurracoEvent), BurracoScored)
