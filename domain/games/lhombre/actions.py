"""The acts of a player in L'Hombre."""

from typing import ClassVar, TypeAlias

from domain.cards import Suit
from domain.games.lhombre.contracts import ContractName
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.exchange import ExchangeCards
from domain.parts.tally import StopPlay
from domain.parts.tricks import PlayCard


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract that outranks every bid before it."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"

    contract: ContractName


class SelfBid(Action, frozen=True, tag="self"):
    """Make the highest bid one's own, by coming before its bidder."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "LH-4.3"
    ORDER: ClassVar = "LH-4.2"


class Declare(Action, frozen=True, tag="declare"):
    """Declare the contract bid last or one that it may become, and trumps if it names them."""

    RULE: ClassVar = "LH-5.1"

    contract: ContractName
    trump: Suit | None = None


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many."""

    RULE: ClassVar = "LH-6.1"


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "LH-7.1"


class Stop(StopPlay, frozen=True):
    """Stop with the win after the first five tricks, and do not try for all nine."""

    RULE: ClassVar = "LH-8.3"


class Abandon(Action, frozen=True, tag="abandon"):
    """Lay the hand open and pay a bête, as declarer, in turn or out of turn."""

    RULE: ClassVar = "LH-8.4"


LhombreAction: TypeAlias = Bid | SelfBid | Pass | Declare | Exchange | Play | Stop | Abandon

MILDEST: tuple[type[Action], ...] = (Pass, Declare, Exchange, Stop, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
