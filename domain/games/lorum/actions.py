"""The acts of a player in Lórum."""

from typing import ClassVar, TypeAlias

from domain.kernel.action import Action
from domain.parts.tricks import PlayCard


class Play(PlayCard, frozen=True):
    """Play a card: to a trick, to the count, to a sequence or to the layout."""

    RULE: ClassVar = "LO-1.4"


class TurnUp(Action, frozen=True, tag="turn-up"):
    """Name a place of one's own hand, whose card is turned up and played."""

    RULE: ClassVar = "LO-4.2"

    place: int


class Pass(Action, frozen=True, tag="pass"):
    """Pass, for lack of a card that fits."""

    RULE: ClassVar = "LO-7.3"


LorumAction: TypeAlias = Play | TurnUp | Pass
