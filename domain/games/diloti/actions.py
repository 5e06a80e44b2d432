"""The acts of a player in Diloti: each act plays one card (DL-4.1)."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel.action import Action


class Lay(Action, frozen=True, tag="lay"):
    """Lay a card loose on the table."""

    RULE: ClassVar = "DL-4.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card


class Capture(Action, frozen=True, tag="capture"):
    """Take loose cards and declarations with a card, for the pile of the player's side."""

    RULE: ClassVar = "DL-5.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card
    loose: tuple[Card, ...] = ()
    declarations: tuple[int, ...] = ()


class Declare(Action, frozen=True, tag="declare"):
    """Make a declaration of this value from a card of the hand, loose cards, and declarations by their numbers."""

    RULE: ClassVar = "DL-6.2"
    ORDER: ClassVar = "DL-4.1"

    card: Card
    value: int
    loose: tuple[Card, ...] = ()
    declarations: tuple[int, ...] = ()


DilotiAction: TypeAlias = Lay | Capture | Declare

MILDEST: tuple[type[Action], ...] = (Lay, Capture)
"""The acts that the house takes for a player whose clock has run out: an owner may not lay, but can then capture."""
