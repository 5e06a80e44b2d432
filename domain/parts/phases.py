"""The phases that games share: the auction, the declaration, the exchange and the play.

A game's own phase is a subclass, which names its rule and its acts and adds the fields of that game alone. The effect
of each event is written here once: a method of the phase returns the next phase, and checks nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.fair.deck import Deck
from domain.kernel.action import Phase
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.auction import B, Bidding, Call
from domain.parts.exchange import CardsExchanged, Exchange, TalonTurned, evolve_exchange
from domain.parts.matadors import RANKINGS
from domain.parts.ranks import Ranking
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat

T = TypeVar("T")
P = TypeVar("P")


def expect(value: object, kind: type[P]) -> P:
    """The value, which the caller knows to be of this kind: mostly the phase in which an event can happen.

    Raises TypeError if it is not.
    """
    if isinstance(value, kind):
        return value
    raise TypeError(f"a {type(value).__name__} stands where a {kind.__name__} is expected")


class Trumps(Protocol):
    """The part of a game's contracts that these phases read."""

    @property
    def trumps(self) -> str:
        """How trumps are fixed; `turned` by the talon's top card."""


class ContractDeclared(Payload, Generic[B], frozen=True, gc=False):
    """Declarer declared the contract. A game's own event adds fields, and says what it reveals."""

    TYPE: ClassVar = "contract-declared"

    seat: Seat
    contract: B
    trump: Suit | None


OptionsT = TypeVar("OptionsT")
ContractT = TypeVar("ContractT", bound=Trumps)


class Common(Struct, Generic[OptionsT, B], frozen=True, gc=False):
    """The facts that hold in every phase of a deal. `order` is the seats that play, in the order of turns, eldest
    first.
    """

    options: OptionsT
    deck: Deck
    dealt_at: int
    """The version of `cards-dealt`."""
    order: tuple[Seat, ...]
    bidding: Bidding[B]


class Commitment(Struct, Generic[ContractT], frozen=True, gc=False):
    """The contract that declarer plays."""

    declarer: Seat
    contract: ContractT
    trump: Suit | None
    made_at: tuple[int, ...]
    """The versions of the events that forced or declared the contract, and that turned its trumps."""
    turned: Card | None = None
    exchanged_at: int | None = None
    """The version of declarer's own exchange."""

    @property
    def to_turn(self) -> bool:
        """Whether the talon's top card is turned up next."""
        return self.turned is None and self.contract.trumps == "turned"

    def after_turn_up(self, public: TalonTurned, version: int) -> Self:
        """The commitment after the talon's top card has fixed trumps; `version` is the event's."""
        return replace(self, trump=public.trump, turned=public.card, made_at=(*self.made_at, version))


CommonT = TypeVar("CommonT")
BiddingT = TypeVar("BiddingT", bound=Common[Any, Any])
TurningT = TypeVar("TurningT", bound=Commitment[Any])


class InTurn(Phase, frozen=True):
    """A phase whose rule for its acts also says whose turn it is."""

    def turn_rule(self, _: Seat) -> str:
        """The rule that lists the acts."""
        return self.acts_rule()


class AsDealt(Phase, Generic[CommonT], frozen=True):
    """A phase in which hands and talon are as they were dealt."""

    common: CommonT
    hands: Hands
    talon: Pile


class AuctionPhase(AsDealt[BiddingT], Generic[BiddingT], frozen=True):
    """The seats bid for the contract."""

    PHASE: ClassVar = "auction"

    @property
    def turn(self) -> Seat | None:
        """The seat that speaks next; None when the auction is over."""
        return self.common.bidding.turn

    def called(self, call: Call, declaration: Callable[[BiddingT, Hands, Pile, Seat, Any], T]) -> Self | T:
        """The auction after the call or, when it is over, the declaration by the seat that has won it with this bid."""
        common = replace(self.common, bidding=self.common.bidding.called(call))
        won = common.bidding.won
        if won is None:
            return replace(self, common=common)
        return declaration(common, self.hands, self.talon, won.seat, won.bid)


class DeclarationPhase(AsDealt[CommonT], Generic[CommonT, B], frozen=True):
    """Declarer, who has won the auction with `bid`, declares a contract."""

    PHASE: ClassVar = "declaration"
    TURN: ClassVar = frozenset({"declare"})

    declarer: Seat
    bid: B

    @property
    def turn(self) -> Seat | None:
        """The seat that acts next: declarer."""
        return self.declarer


class ExchangePhase(Phase, Generic[BiddingT, TurningT], frozen=True):
    """The seats in the exchange's queue exchange in turn; if the contract turns trumps, the top card is turned up
    first.
    """

    PHASE: ClassVar = "exchange"

    common: BiddingT
    hands: Hands
    commitment: TurningT
    exchange: Exchange

    @property
    def turn(self) -> Seat | None:
        """The seat that exchanges next; None while the talon's top card is to be turned up, and when all have
        exchanged.
        """
        return None if self.commitment.to_turn else self.exchange.turn

    def after(self, public: TalonTurned | CardsExchanged, event: Event[Payload], order: Mapping[Card, int]) -> Self:
        """The exchange after the event with this payload; hands are sorted by `order`.

        A card turned up stays on the talon. Discarded cards leave the hand, and drawn cards leave the talon.
        """
        if isinstance(public, TalonTurned):
            commitment = self.commitment.after_turn_up(public, event.version)
            return replace(self, commitment=commitment, exchange=self.exchange.turned(public.card))
        exchange, hands = evolve_exchange(self.exchange, self.hands, event, public, order)
        commitment = self.commitment
        if public.seat == commitment.declarer:
            commitment = replace(commitment, exchanged_at=event.version)
        return replace(self, commitment=commitment, exchange=exchange, hands=hands)


class PlayPhase(Phase, Generic[CommonT], frozen=True):
    """The seats play their cards, one each to a trick; the winner of a trick leads to the next."""

    PHASE: ClassVar = "play"
    TURN: ClassVar = frozenset({"play"})

    common: CommonT
    hands: Hands
    tricks: Tricks

    @property
    def ranking(self) -> Ranking:
        """The ranking of the cards in this deal. Raises NotImplementedError in a phase that has none of its own."""
        raise NotImplementedError

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None while a complete trick lies on the table."""
        return self.tricks.turn

    def after(self, public: CardPlayed | TrickWon, version: int) -> Self:
        """The play after a card left a hand for the table, or the trick there was won; `version` is the event's."""
        seat = public.seat
        if isinstance(public, TrickWon):
            return replace(self, tricks=self.tricks.won(seat, version))
        hands = with_hand(self.hands, seat, self.hands[seat].played(public.card))
        return replace(self, hands=hands, tricks=self.tricks.played(seat, public.card, version))

    def exposed_by(self, public: HandExposed) -> Self:
        """The play after a hand was laid open, so that everybody knows its cards."""
        return replace(self, hands=with_hand(self.hands, public.seat, Hand(public.cards)))


class HasHands(Protocol):
    """A phase with hands."""

    @property
    def common(self) -> Any:
        """The facts that hold in every phase."""

    @property
    def hands(self) -> Hands:
        """The hands, by seat; empty for a seat that sits out."""


BegunT = TypeVar("BegunT", bound=HasHands)


class GivenUpPhase(Phase, Generic[BegunT], frozen=True):
    """Declarer has given the deal up, by the event of this version, in the phase before."""

    turn: ClassVar[None] = None

    before: BegunT
    version: int

    @property
    def common(self) -> Any:
        """The facts that hold in every phase."""
        return self.before.common

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return self.before.hands


class HasTrump(Protocol):
    """A commitment with a trump suit."""

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None without trumps."""


CommitmentT = TypeVar("CommitmentT", bound=HasTrump)


class ContractPhase(PlayPhase[CommonT], Generic[CommonT, CommitmentT], frozen=True):
    """The play of a contract, whose trump suit ranks the cards."""

    RANKINGS: ClassVar[Mapping[Any, Ranking]]
    """The game's rankings by trump suit."""

    commitment: CommitmentT

    @property
    def ranking(self) -> Ranking:
        """The ranking under the contract's trumps."""
        return self.RANKINGS[self.commitment.trump]


class UndertakingPhase(ContractPhase[CommonT, TurningT], Generic[CommonT, TurningT], frozen=True):
    """The play, after an exchange, in which declarer may stop after the first five tricks or undertake to win all."""

    RANKINGS: ClassVar = RANKINGS

    exchange: Exchange
    undertaken: int | None = None
    """The version of the event by which declarer undertook to win all tricks; None if there is none."""
    stopped: int | None = None
    """The version of the event by which declarer stopped; None if there is none."""

    def chosen(self, public: PlayStopped | AllTricksUndertaken, version: int) -> Self:
        """The play after declarer stopped or undertook all tricks; `version` is the event's."""
        if isinstance(public, PlayStopped):
            return replace(self, stopped=version)
        return replace(self, undertaken=version)
