"""The acts of a player in King."""

from typing import ClassVar, TypeAlias

from domain.cards import Suit
from domain.games.king.contracts import Direction
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.tricks import PlayCard


class NameTrumps(Action, frozen=True, tag="name-trumps"):
    """Name the trump suit, or null for no trumps."""

    RULE: ClassVar = "KG-5.1"

    trump: Suit | None = None


class OpenAuction(Action, frozen=True, tag="auction"):
    """Put the right to name trumps up for auction among the three others."""

    RULE: ClassVar = "KG-5.1"


class Bid(Action, frozen=True, tag="bid"):
    """Bid a number of tricks for the right to name trumps."""

    RULE: ClassVar = "KG-5.2"

    tricks: int


class Pass(PassBid, frozen=True):
    """Pass."""

    RULE: ClassVar = "KG-5.4"
    ORDER: ClassVar = "KG-5.2"


class DeclareDirection(Action, frozen=True, tag="declare-direction"):
    """Say whether the deal is played up or down."""

    RULE: ClassVar = "KG-5.7"

    direction: Direction


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "KG-3.2"
    ORDER: ClassVar = "KG-3.1"


KingAction: TypeAlias = NameTrumps | OpenAuction | Bid | Pass | DeclareDirection | Play

MILDEST: tuple[type[Action], ...] = (Pass, NameTrumps, Bid, DeclareDirection, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first: as dealer it opens no auction."""
