"""What a player may ask for in the toy."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel.action import Action


class Ready(Action, frozen=True, tag="ready"):
    """Be ready for the next deal."""

    RULE: ClassVar = "TY-1.3"


class Pass(Action, frozen=True, tag="pass"):
    """Pass a card to the partner."""

    RULE: ClassVar = "TY-2.1"

    card: Card


class Pledge(Action, frozen=True, tag="pledge"):
    """Pledge cards of one rank, or none."""

    RULE: ClassVar = "TY-2.2"

    cards: tuple[Card, ...] = ()


class Lay(Action, frozen=True, tag="lay"):
    """Lay a card on the table."""

    RULE: ClassVar = "TY-3.1"

    card: Card


class Capture(Action, frozen=True, tag="capture"):
    """Take cards from the table with a card."""

    RULE: ClassVar = "TY-3.2"
    ORDER: ClassVar = "TY-3.1"

    card: Card
    taken: tuple[Card, ...]


class Turn(Action, frozen=True, tag="turn"):
    """Turn up the card that nobody has seen."""

    RULE: ClassVar = "TY-3.3"
    ORDER: ClassVar = "TY-3.1"


class Snap(Action, frozen=True, tag="snap"):
    """Be the first to say that two cards of one rank lie on each other."""

    RULE: ClassVar = "TY-3.4"


ToyAction: TypeAlias = Ready | Pass | Pledge | Lay | Capture | Turn | Snap

MILDEST: tuple[type[Action], ...] = (Pass, Pledge, Lay)
"""What is done for a player whose clock has run out, mildest first."""
