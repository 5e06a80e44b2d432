"""What a player may ask for in Ombre."""

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
    """Make the standing bid one's own, coming before the standing bidder."""

    RULE: ClassVar = "OM-4.2"
    ORDER: ClassVar = "OM-4.1"


class Pass(PassBid, frozen=True):
    """Pass, for good."""

    RULE: ClassVar = "OM-4.1"


class Declare(Action, frozen=True, tag="declare"):
    """Begin the contract bid, naming trumps where they are named."""

    RULE: ClassVar = "OM-4.4"

    trump: Suit | None = None


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many."""

    RULE: ClassVar = "OM-4.5"


class YieldExchange(Action, frozen=True, tag="yield-exchange"):
    """Leave the first turn to exchange to the other defender."""

    RULE: ClassVar = "OM-4.5"


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "OM-5.1"


class Stop(StopPlay, frozen=True):
    """Be content with primeras after the first five tricks, and not try for all nine."""

    RULE: ClassVar = "OM-6.2"


class OfferSurrender(Action, frozen=True, tag="offer-surrender"):
    """Offer to surrender, as Ombre, out of turn or in it."""

    RULE: ClassVar = "OM-7.1"


class AnswerSurrender(Action, frozen=True, tag="answer-surrender"):
    """Accept the surrender, or forbid it and become new Ombre."""

    RULE: ClassVar = "OM-7.2"

    accept: bool


OmbreAction: TypeAlias = (
    Bid | Hold | Pass | Declare | Exchange | YieldExchange | Play | Stop | OfferSurrender | AnswerSurrender
)

MILDEST: tuple[type[Action], ...] = (Pass, Declare, Exchange, AnswerSurrender, Stop, Play)
"""What is done for a player whose clock has run out, mildest first.

A surrender is accepted: who forbids it plays on alone.
"""
