"""The act of a player in Nine-Card Don: to play a card (ND-2.4, ND-3.1), and the rules that limit it."""

from typing import ClassVar, TypeAlias

from domain.games.don.state import Pitching, Playing
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts
from domain.parts.holding import held
from domain.parts.tricks import CardPlayed, PlayCard, played, playing


class Play(PlayCard, frozen=True):
    """Play a card to the trick; the first card of a deal makes its suit trumps."""

    RULE: ClassVar = "ND-3.1"


DonAction: TypeAlias = Play


ACTS = Acts("ND-2.1", (
    ActRules(Play, CardPlayed, (held("ND-3.1"),), played, phase=Pitching),
    playing(Play, "ND-3.3", "ND-3.2", phase=Playing),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Play,)
"""The act that the house takes for a player whose clock has run out."""
