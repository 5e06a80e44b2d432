"""The acts of a player in Solo."""

from typing import ClassVar, TypeAlias

from domain.cards import Card, Suit
from domain.games.solo.contracts import GameName
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.tricks import PlayCard


class Ask(Action, frozen=True, tag="ask"):
    """Open the auction, or ask the holder for the next level."""

    RULE: ClassVar = "SO-3.1"


class Yes(Action, frozen=True, tag="yes"):
    """Hold the level that was asked for."""

    RULE: ClassVar = "SO-3.1"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "SO-3.1"


class Declare(Action, frozen=True, tag="declare"):
    """Name the game, trumps and, in a simple game, the card whose holder is to be the partner."""

    RULE: ClassVar = "SO-3.2"

    game: GameName
    trump: Suit
    called: Card | None = None


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "SO-4.1"


SoloAction: TypeAlias = Ask | Yes | Pass | Declare | Play

MILDEST: tuple[type[Action], ...] = (Pass, Yes, Ask, Declare, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
