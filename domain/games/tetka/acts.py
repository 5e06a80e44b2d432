"""The act of a player in Tëtka, and the rules that limit it."""

from typing import ClassVar, TypeAlias

from domain.kernel.acts import Acts
from domain.parts.tricks import PlayCard, playing


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "TE-3.2"
    ORDER: ClassVar = "TE-3.1"


TetkaAction: TypeAlias = Play


ACTS = Acts("TE-2.1", (playing(Play, "TE-3.1", "TE-3.2"),))
