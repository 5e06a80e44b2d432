"""A deal of Ombre: a union of phases, and the fold of events into them.

phase        acts                         leads to
auction      bid, hold, pass              declaration; passed-out if all pass
passed-out                                the score
declaration  declare                      exchange
exchange     exchange, yield-exchange     play
play         play, stop, offer-surrender  the score, surrender
surrender    answer-surrender             play if a defender forbids it, surrendered if none does
surrendered                               the score

If no trumps are named, the declaration is automatic.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.games.ombre.contracts import CONTRACTS, RANKS, Contract, ContractName
from domain.games.ombre.events import (
    BidMade,
    ContractDeclared,
    DealPassedOut,
    ExchangeYielded,
    OmbreEvent,
    SurrenderAnswered,
    SurrenderOffered,
)
from domain.games.ombre.meta import ORDER, Options, order_of_turns
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hands
from domain.kernel.ledger import POOL
from domain.parts import auction, phases
from domain.parts.auction import PASS, Bidding, BidPassed
from domain.parts.exchange import CardsExchanged, Exchange, TalonTurned
from domain.parts.phases import expect
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, Tricks, TrickWon
from domain.seats import Seat, rotated

# The module `phases` has the fields of the phases that the family's games share, and the effects of their events.


class Common(phases.Common[Options, ContractName], frozen=True, gc=False):
    """The facts that hold in every phase: options, deck, auction, the order of turns: eldest, second, dealer
    (OM-1.1).
    """

    pool: int
    """The pool when the cards were dealt, with this deal's ante."""
    always_declared: bool = False
    """Whether Ombre declares even if no trumps are named, as in version 1 of the rules."""


class Commitment(phases.Commitment[Contract], frozen=True, gc=False):
    """Ombre's contract, trump suit and turn-up, and the versions of the events that fixed them."""

    @property
    def ombre(self) -> Seat:
        """The seat that declared the contract: this game's word for declarer."""
        return self.declarer


class Answer(Struct, frozen=True, gc=False):
    """A defender's answer to Ombre's offer to surrender."""

    seat: Seat
    accepted: bool


class Surrender(Struct, frozen=True, gc=False):
    """An offer to surrender and the answers so far. `said_at` are the versions of the events that recorded them."""

    said_at: tuple[int, ...]
    answers: tuple[Answer, ...] = ()

    @property
    def new_ombre(self) -> Seat | None:
        """The defender that forbade the surrender (OM-7.3); None if none has."""
        return next((answer.seat for answer in self.answers if not answer.accepted), None)


class Call(auction.Call, frozen=True, gc=False):
    """A call in the auction: a contract, or `pass`."""

    hold: bool = False


class Auction(phases.AuctionPhase[Common], frozen=True):
    """The auction (OM-4). Hands and talon are as dealt."""

    RULE: ClassVar = "OM-4.1"
    TURN: ClassVar = frozenset({"bid", "hold", "pass"})


class PassedOut(phases.AsDealt[Common], frozen=True):
    """All have passed (OM-4.3)."""

    PHASE: ClassVar = "passed-out"
    RULE: ClassVar = "OM-4.3"
    turn: ClassVar[None] = None


class Declaration(phases.DeclarationPhase[Common, ContractName], frozen=True):
    """Ombre, the seat `declarer`, is to begin the contract `bid` (OM-4.4)."""

    RULE: ClassVar = "OM-4.4"

    @property
    def turn(self) -> Seat | None:
        """Ombre; None if no trumps are named, so that the contract begins automatically."""
        choosing = CONTRACTS[self.bid].trumps == "named"
        return self.declarer if choosing or self.common.always_declared else None


class Exchanging(phases.ExchangePhase[Common, Commitment], frozen=True):
    """In Vuelta the talon's top card is turned up first; then the seats in the queue exchange in turn (OM-4.5)."""

    RULE: ClassVar = "OM-4.5"
    TURN: ClassVar = frozenset({"exchange", "yield-exchange"})

    def acts_rule(self) -> str:
        """The rule of the defenders' exchange, or of Ombre's (OM-4.4)."""
        return "OM-4.4" if self.exchange.turn == self.commitment.ombre else self.RULE

    def turn_rule(self, seat: Seat) -> str | None:
        """OM-4.4 for Ombre, who exchanges nothing in Solo."""
        return "OM-4.4" if seat == self.commitment.ombre and not self.commitment.contract.exchange else None


class Playing(phases.UndertakingPhase[Common, Commitment], frozen=True):
    """The play of the cards (OM-5). `undertaken` and `stopped` are the versions of the events that say so (OM-6.2)."""

    RULE: ClassVar = "OM-5.1"
    TURN: ClassVar = frozenset({"play", "stop"})
    FREE: ClassVar = frozenset({"offer-surrender"})

    opening: tuple[Card, ...] = ()
    """Ombre's cards when play began, as far as the audience knows them."""
    surrender: Surrender | None = None

    @property
    def new_ombre(self) -> Seat | None:
        """The defender that forbade the surrender and plays on in Ombre's stead (OM-7.3); None if none has."""
        return self.surrender.new_ombre if self.surrender else None


class Surrendering(Phase, frozen=True):
    """Play waits for the defenders' answers (OM-7.2)."""

    PHASE: ClassVar = "surrender"
    RULE: ClassVar = "OM-7.1"
    TURN: ClassVar = frozenset({"answer-surrender"})

    play: Playing
    surrender: Surrender

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return self.play.hands

    @property
    def turn(self) -> Seat | None:
        """The defender that answers next."""
        return defenders(self.play.commitment.ombre, self.play.common.order)[len(self.surrender.answers)]


class Surrendered(Phase, frozen=True):
    """Both defenders have accepted the surrender (OM-7.2)."""

    PHASE: ClassVar = "surrendered"
    RULE: ClassVar = "OM-7.2"
    turn: ClassVar[None] = None

    play: Playing
    surrender: Surrender

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return self.play.hands


State: TypeAlias = Auction | PassedOut | Declaration | Exchanging | Playing | Surrendering | Surrendered


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = order_of_turns(dealt.dealer)
    bidding = Bidding(order, RANKS, hold=dealt.options.hold)
    pool = dealt.standing.accounts.get(POOL, 0)
    common = Common(dealt.options, dealt.deck, dealt.version, order, bidding, pool)
    return Auction(common, dealt.hands, dealt.talon)


def evolve(state: State, event: Event[OmbreEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case BidMade() as public:
            return expect(state, Auction).called(Call(public.seat, public.contract, public.hold), Declaration)
        case BidPassed() as public:
            return expect(state, Auction).called(Call(public.seat, PASS), Declaration)
        case DealPassedOut():
            before = expect(state, Auction)
            return PassedOut(before.common, before.hands, before.talon)
        case ContractDeclared() as public:
            return _declared(expect(state, Declaration), public, event.version)
        case ExchangeYielded() as public:
            exchanging = expect(state, Exchanging)
            return replace(exchanging, exchange=replace(exchanging.exchange, queue=(public.to, public.seat)))
        case TalonTurned() | CardsExchanged() as public:
            return _after_exchange(expect(state, Exchanging).after(public, event, ORDER))
        case PlayStopped() | AllTricksUndertaken() as public:
            return expect(state, Playing).chosen(public, event.version)
        case SurrenderOffered():
            return Surrendering(expect(state, Playing), Surrender((event.version,)))
        case SurrenderAnswered() as public:
            return _answered(expect(state, Surrendering), public, event.version)
        case _:
            assert_never(event.public)


def defenders(ombre: Seat, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The other two seats, Ombre's right-hand neighbour first."""
    return rotated(order, ombre)[1:]


def _declared(state: Declaration, public: ContractDeclared, version: int) -> Exchanging:
    contract, ombre = CONTRACTS[public.contract], public.seat
    queue = (*((ombre,) if contract.exchange else ()), *defenders(ombre, state.common.order))
    commitment = Commitment(ombre, contract, public.trump, (version,))
    return Exchanging(state.common, state.hands, commitment, Exchange(state.talon, queue))


def _after_exchange(state: Exchanging) -> Exchanging | Playing:
    """The exchange or, if nobody is left to exchange, the play, in which eldest leads first (OM-5.1)."""
    if state.exchange.queue:
        return state
    tricks = Tricks(state.common.order, turn=state.common.order[0])
    opening = state.hands[state.commitment.ombre].known
    return Playing(state.common, state.hands, tricks, state.commitment, state.exchange, opening=opening)


def _answered(state: Surrendering, public: SurrenderAnswered, version: int) -> State:
    said = (*state.surrender.said_at, version)
    surrender = Surrender(said, (*state.surrender.answers, Answer(public.seat, public.accepted)))
    if not public.accepted:
        return replace(state.play, surrender=surrender)
    waiting = len(surrender.answers) < len(defenders(state.play.commitment.ombre, state.play.common.order))
    return (Surrendering if waiting else Surrendered)(state.play, surrender)
