"""The events of a deal of Lórum. Only the dealt cards are sealed."""

from typing import ClassVar, TypeAlias, get_args

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Payload
from domain.parts.tricks import CardPlayed, TrickWon
from domain.seats import Seat


class CardTurned(Payload, frozen=True, gc=False):
    """A player named a place of their own hand, whose card was turned up and played (LO-4.2).

    The place is public, so the opening is too: with it the player, who could not see the card, and spectators check the
    deal.
    """

    TYPE: ClassVar = "card-turned"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    place: int
    card: Card
    opening: Opening


class TrickKept(Payload, frozen=True, gc=False):
    """Nobody followed the suit led, so each player captured their own card; the seat, which led, leads again
    (LO-4.3).
    """

    TYPE: ClassVar = "trick-kept"
    CHECK: ClassVar = "tricks"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    trick: int


class CardCounted(Payload, frozen=True, gc=False):
    """A player played a card to the Train, which brought the common count to `count` (LO-5.1)."""

    TYPE: ClassVar = "card-counted"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card
    count: int


class CardAdded(Payload, frozen=True, gc=False):
    """A player started a sequence, or added its next card.

    `next` is the seat that plays next: the same one when the sequence is complete; null when the deal ends (LO-6.6).
    """

    TYPE: ClassVar = "card-added"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card
    next: Seat | None


class CardLaid(Payload, frozen=True, gc=False):
    """A player laid a card to the rows of Domino (LO-7.2)."""

    TYPE: ClassVar = "card-laid"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


class TurnPassed(Payload, frozen=True, gc=False):
    """A player passed, for lack of a card that fits (LO-7.3)."""

    TYPE: ClassVar = "turn-passed"
    REVEALS: ClassVar = NOTHING

    seat: Seat


LorumEvent: TypeAlias = CardPlayed | TrickWon | CardTurned | TrickKept | CardCounted | CardAdded | CardLaid | TurnPassed

EVENTS: tuple[type[Payload], ...] = get_args(LorumEvent)
