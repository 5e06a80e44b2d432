"""The acts of a player in Nuts; none needs a turn (NU-4)."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel.action import Action


class Ready(Action, frozen=True, tag="ready"):
    """Be ready for the next hand, which is dealt when all are."""

    RULE: ClassVar = "NU-3.1"


class Turn(Action, frozen=True, tag="turn"):
    """Turn the top three cards of the stock onto the discard pile."""

    RULE: ClassVar = "NU-4.1"


class Flip(Action, frozen=True, tag="flip"):
    """Turn the discard pile over, to be the stock."""

    RULE: ClassVar = "NU-4.2"


class Build(Action, frozen=True, tag="build"):
    """Move a card, with all cards on it, onto a column of one's own tableau."""

    RULE: ClassVar = "NU-5.2"

    card: Card
    column: int


class Found(Action, frozen=True, tag="found"):
    """Move a card to the middle: an ace starts a foundation, any other card goes onto the one named."""

    RULE: ClassVar = "NU-5.3"

    card: Card
    foundation: int | None = None


class Stuck(Action, frozen=True, tag="stuck"):
    """Declare oneself stuck."""

    RULE: ClassVar = "NU-4.5"


class Nuts(Action, frozen=True, tag="nuts"):
    """Call Nuts, which ends the hand, if players with an empty reserve may play on."""

    RULE: ClassVar = "NU-8.1"


NutsAction: TypeAlias = Ready | Turn | Flip | Build | Found | Stuck | Nuts

MILDEST: tuple[type[Action], ...] = (Stuck,)
"""The acts that the house would take for a player. No hand waits for one, so no seat's clock runs out during it."""
