"""The acts of a player in Dingo."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel.action import Action


class Discard(Action, frozen=True, tag="discard"):
    """Discard a card face up."""

    RULE: ClassVar = "DG-4.1"

    card: Card


class PassCard(Action, frozen=True, tag="pass-card"):
    """Pass a card face down to the seat that the step names."""

    RULE: ClassVar = "DG-4.3"

    card: Card


class PlayWolf(Action, frozen=True, tag="play-wolf"):
    """Play a wolf of the rank that is hunted."""

    RULE: ClassVar = "DG-5.2"

    card: Card


class Pass(Action, frozen=True, tag="pass"):
    """Play no wolf of the rank that is hunted."""

    RULE: ClassVar = "DG-5.2"


class PlayWolves(Action, frozen=True, tag="play-wolves"):
    """Play black aces in the hunt of the ace: none, one or both."""

    RULE: ClassVar = "DG-6.2"

    cards: tuple[Card, ...] = ()


DingoAction: TypeAlias = Discard | PassCard | PlayWolf | Pass | PlayWolves

MILDEST: tuple[type[Action], ...] = (Discard, PassCard, Pass, PlayWolves)
"""The acts that the house takes for a player whose clock has run out: the lowest cards are given up, and no wolf is
played.
"""
