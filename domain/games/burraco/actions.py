"""The acts of a player in Burraco: to draw, to meld as often as wished, and to discard (BU-4)."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel.action import Action


class Draw(Action, frozen=True, tag="draw"):
    """Draw the top card of the stock."""

    RULE: ClassVar = "BU-4.1"


class TakePile(Action, frozen=True, tag="take-pile"):
    """Take the whole discard pile."""

    RULE: ClassVar = "BU-4.1"


class Lay(Action, frozen=True, tag="lay"):
    """Lay three cards of the hand as a meld: the natural ones in `cards`, and the wild one in `wild`, if any."""

    RULE: ClassVar = "BU-6.1"
    ORDER: ClassVar = "BU-4.1"

    cards: tuple[Card, ...]
    wild: Card | None = None


class Add(Action, frozen=True, tag="add"):
    """Add a card of the hand to a meld of the player's side."""

    RULE: ClassVar = "BU-6.2"
    ORDER: ClassVar = "BU-4.1"

    meld: int
    card: Card


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card, which ends the turn."""

    RULE: ClassVar = "BU-4.3"
    ORDER: ClassVar = "BU-4.1"

    card: Card


BurracoAction: TypeAlias = Draw | TakePile | Lay | Add | Discard

MILDEST: tuple[type[Action], ...] = (Draw, Discard, Add)
"""The acts that the house takes for a player whose clock has run out. It adds a card only if none may be discarded
(BU-6.5).
"""
