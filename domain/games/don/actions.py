"""The only act of a player in Nine-Card Don: to play a card (ND-2.4, ND-3.1)."""

from typing import ClassVar, TypeAlias

from domain.kernel.action import Action
from domain.parts.tricks import PlayCard


class Play(PlayCard, frozen=True):
    """Play a card to the trick; the first card of a deal makes its suit trumps."""

    RULE: ClassVar = "ND-3.1"


DonAction: TypeAlias = Play

MILDEST: tuple[type[Action], ...] = (Play,)
"""The act that the house takes for a player whose clock has run out."""
