"""The events of a hand of Nuts. Nothing is sealed: hidden cards are hidden from all, and opened for all."""

from typing import ClassVar, Literal, TypeAlias, get_args

import msgspec

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Payload
from domain.seats import Seat

Source: TypeAlias = Literal["reserve", "discards", "tableau"]
"""The source of a moved card: the reserve's top, the discard pile's top, or the player's own tableau (NU-5.1)."""


class StockTurned(Payload, frozen=True, gc=False):
    """A player turned cards of the stock; the last one is seen on top of the discard pile (NU-4.1)."""

    TYPE: ClassVar = "stock-turned"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    count: int
    top: Opening


class PileFlipped(Payload, frozen=True, gc=False):
    """A player turned the discard pile over; it is now the stock, its first card on top (NU-4.2)."""

    TYPE: ClassVar = "pile-flipped"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class CardMoved(Payload, frozen=True, gc=False):
    """A player moved a card. `uncovered` is the new top card of the reserve or the discard pile, if it came from there.

    It is null if the card came from the tableau, or was the last there.
    """

    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card
    source: Source = msgspec.field(name="from")
    uncovered: Opening | None


class CardBuilt(CardMoved, frozen=True, gc=False):
    """A player moved a card, with all cards on it, onto a column (NU-4.3)."""

    TYPE: ClassVar = "card-built"
    REVEALS: ClassVar = NOTHING

    column: int


class CardFounded(CardMoved, frozen=True, gc=False):
    """A player moved a card to the middle (NU-4.4). An ace started the foundation of this number."""

    TYPE: ClassVar = "card-founded"
    REVEALS: ClassVar = NOTHING

    foundation: int


class StuckSaid(Payload, frozen=True, gc=False):
    """A player is stuck (NU-4.5)."""

    TYPE: ClassVar = "stuck-said"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class AllStuck(Payload, frozen=True, gc=False):
    """There was no progress for so long that the clock declares everybody stuck (NU-7.5)."""

    TYPE: ClassVar = "all-stuck"
    REVEALS: ClassVar = NOTHING


class ShiftMade(Payload, frozen=True, gc=False):
    """All were stuck: everybody's discard pile went onto the stock, whose top card went to its bottom (NU-7.3)."""

    TYPE: ClassVar = "shift-made"
    REVEALS: ClassVar = NOTHING

    shift: int


class NutsCalled(Payload, frozen=True, gc=False):
    """Nuts was called for a player with an empty reserve: by the house at once, or by the player (NU-8.1)."""

    TYPE: ClassVar = "nuts-called"
    REVEALS: ClassVar = NOTHING

    seat: Seat


NutsEvent: TypeAlias = (
    StockTurned | PileFlipped | CardBuilt | CardFounded | StuckSaid | AllStuck | ShiftMade | NutsCalled
)

EVENTS: tuple[type[Payload], ...] = get_args(NutsEvent)
