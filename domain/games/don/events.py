"""The events of a deal of Nine-Card Don."""

from typing import ClassVar, TypeAlias, get_args

from msgspec import Struct

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Payload, Reveals
from domain.parts.tricks import CardPlayed, TrickWon
from domain.seats import Seat
from domain.table.events import DealScored


class OpenedHand(Struct, frozen=True, gc=False):
    """The openings of a hand that its own player sees only now, in the order of their places."""

    cards: tuple[Opening, ...]


class HandOpened(Payload, frozen=True, gc=False):
    """The first card was led, so the pitcher's partner sees its own hand (ND-2.3)."""

    TYPE: ClassVar = "hand-opened"
    CHECK: ClassVar = "draws"
    SECTIONS: ClassVar = {"seat": OpenedHand}
    REVEALS: ClassVar = Reveals(to_seats="cards")

    seat: Seat


class CardPoints(Struct, frozen=True, gc=False):
    """The score of a captured card."""

    card: Card
    points: int


class TrickScored(TrickWon, frozen=True, gc=False):
    """A player won a trick, and the side scored for its cards; `score` is the side's score after it (ND-4.1)."""

    REVEALS: ClassVar = NOTHING

    points: tuple[CardPoints, ...]
    score: int


class SideScore(Struct, frozen=True, gc=False):
    """A side's results in a deal. `count` is null if the deal ended before game was counted (ND-6.1)."""

    seats: tuple[Seat, ...]
    points: int
    count: int | None
    game: int


class DonScored(DealScored, frozen=True, gc=False):
    """The deal is over and booked, with each side's immediate score, its count, and its points for game."""

    REVEALS: ClassVar = NOTHING

    sides: tuple[SideScore, ...]


DonEvent: TypeAlias = CardPlayed | HandOpened | TrickScored

EVENTS: tuple[type[Payload], ...] = (*get_args(DonEvent), DonScored)
