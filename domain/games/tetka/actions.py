"""The acts of a player in Tëtka."""

from typing import ClassVar, TypeAlias

from domain.parts.tricks import PlayCard


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "TE-3.2"
    ORDER: ClassVar = "TE-3.1"


TetkaAction: TypeAlias = Play
