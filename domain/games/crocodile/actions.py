"""The acts of a player in Crocodile."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from domain.cards import Card, Suit
from domain.games.crocodile.contracts import BonusName, ContractName
from domain.games.crocodile.meta import MAX_TEXT
from domain.kernel.action import Action
from domain.parts.auction import PassBid
from domain.parts.exchange import ExchangeCards
from domain.parts.tricks import PlayCard


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract higher than the last one."""

    RULE: ClassVar = "CR-4.2"
    ORDER: ClassVar = "CR-4.1"

    contract: ContractName


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "CR-4.2"
    ORDER: ClassVar = "CR-4.1"


class Declare(Action, frozen=True, tag="declare"):
    """Declare the contract, trumps if it names them, and optionally a bonus bid."""

    RULE: ClassVar = "CR-6.1"

    contract: ContractName
    trump: Suit | None = None
    bonus: BonusName | None = None


class TakeCasco(Action, frozen=True, tag="take-casco"):
    """Keep one card, discard eight, take the talon."""

    RULE: ClassVar = "CR-7.6"

    keep: Card


class LayCasco(Action, frozen=True, tag="lay-casco"):
    """Lay five cards down face up and name trumps (null: sans), perhaps with a bonus bid."""

    RULE: ClassVar = "CR-7.6"

    lay: tuple[Card, ...]
    trump: Suit | None = None
    bonus: BonusName | None = None


class OfferPriority(Action, frozen=True, tag="offer-priority"):
    """Offer the other opponent the right to exchange first."""

    RULE: ClassVar = "CR-7.4"


class AnswerPriority(Action, frozen=True, tag="answer-priority"):
    """Accept the right to exchange first, or refuse it."""

    RULE: ClassVar = "CR-7.4"

    accept: bool


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many; in Casco, take face-up cards by name for some of them."""

    RULE: ClassVar = "CR-7.1"
    ORDER: ClassVar = "CR-7.3"

    take: tuple[Card, ...] = ()


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "CR-8.2"
    ORDER: ClassVar = "CR-8.1"


class Concede(Action, frozen=True, tag="concede"):
    """Concede the deal as declarer, in turn or out of turn."""

    RULE: ClassVar = "CR-9.11"


class Talk(Action, frozen=True, tag="talk"):
    """Say something in Talking Ouvert, for all at the table to hear."""

    RULE: ClassVar = "CR-10.7"

    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


CrocodileAction: TypeAlias = (
    Bid | Pass | Declare | TakeCasco | LayCasco | OfferPriority | AnswerPriority | Exchange | Play | Concede | Talk
)

MILDEST: tuple[type[Action], ...] = (Pass, Declare, TakeCasco, LayCasco, AnswerPriority, Exchange, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
