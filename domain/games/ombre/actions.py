"""The acts of a player in Ombre."""

from typing import ClassVar, TypeAlias

from domain.cards import Suit
from domain.games.ombre.contracts import ContractName
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.exchange import ExchangeCards
from domain.parts.tally import StopPlay
from domain.parts.tricks import PlayCard


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract higher than every bid before it."""

    RULE: ClassVar = "OM-4.1"

    contract: ContractName


class Hold(Action, frozen=True, tag="hold"):
    """Make the highest bid one's own, by coming before its bidder."""

    RULE: ClassVar = "OM-4.2"
    ORDER: ClassVar = "OM-4.1"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "OM-4.1"


class Declare(Action, frozen=True, tag="declare"):
    """Begin the contract bid, and name its trumps if they are named."""

    RULE: ClassVar = "OM-4.4"

    trump: Suit | None = None


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many."""

    RULE: ClassVar = "OM-4.5"


class YieldExchange(Action, frozen=True, tag="yield-exchange"):
    """Let the other defender exchange first."""

    RULE: ClassVar = "OM-4.5"


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "OM-5.1"


class Stop(StopPlay, frozen=True):
    """Stop with primeras after the first five tricks, and do not try for all nine."""

    RULE: ClassVar = "OM-6.2"


class OfferSurrender(Action, frozen=True, tag="offer-surrender"):
    """Offer to surrender, as Ombre, in turn or out of turn."""

    RULE: ClassVar = "OM-7.1"


class AnswerSurrender(Action, frozen=True, tag="answer-surrender"):
    """Accept the surrender, or forbid it and become new Ombre."""

    RULE: ClassVar = "OM-7.2"

    accept: bool


OmbreAction: TypeAlias = (
    Bid | Hold | Pass | Declare | Exchange | YieldExchange | Play | Stop | OfferSurrender | AnswerSurrender
)

MILDEST: tuple[type[Action], ...] = (Pass, Declare, Exchange, AnswerSurrender, Stop, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first.

It accepts a surrender, since the defender who forbids it must play on alone.
"""
