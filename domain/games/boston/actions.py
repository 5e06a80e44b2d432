"""The acts of a player in Boston."""

from typing import ClassVar, TypeAlias

from domain.cards import Card, Suit
from domain.games.boston.contracts import ContractName
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.tricks import PlayCard


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract and a suit."""

    RULE: ClassVar = "BO-3.3"
    ORDER: ClassVar = "BO-3.1"

    contract: ContractName
    suit: Suit


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "BO-3.1"


class PlayAlone(Action, frozen=True, tag="play-alone"):
    """Play the contract alone."""

    RULE: ClassVar = "BO-5.1"


class CallSupporter(Action, frozen=True, tag="call"):
    """Call for a supporter."""

    RULE: ClassVar = "BO-5.1"


class Answer(Action, frozen=True, tag="answer"):
    """Agree to be the supporter, or decline."""

    RULE: ClassVar = "BO-5.2"

    accept: bool


class PutDown(Action, frozen=True, tag="put-down"):
    """Put a card face down."""

    RULE: ClassVar = "BO-5.3"

    card: Card


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "BO-6.2"
    ORDER: ClassVar = "BO-6.1"


BostonAction: TypeAlias = Bid | Pass | PlayAlone | CallSupporter | Answer | PutDown | Play

MILDEST: tuple[type[Action], ...] = (Pass, PlayAlone, Answer, PutDown, Play)
"""The acts that the house takes for a player whose clock has run out: nobody is called, and nobody supports."""
