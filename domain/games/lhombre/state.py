"""A deal of L'Hombre: a union of phases, and the fold of events into them.

phase        acts                 leads to
auction      bid, self, pass      declaration; washed-out if all pass
washed-out                        the score
declaration  declare              exchange; play if the contract lets nobody exchange
exchange     exchange, abandon    play, abandoned
play         play, stop, abandon  the score, abandoned
abandoned                         the score

If the bid leaves no choice, the declaration is automatic.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import field
from msgspec.structs import replace

from domain.games.lhombre.contracts import CONTRACTS, RANKS, Contract, ContractName, declares_itself
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut, LhombreEvent
from domain.games.lhombre.meta import ORDER, Options, order_of_turns
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, with_hand
from domain.parts import auction, phases
from domain.parts.auction import PASS, Bidding, BidPassed
from domain.parts.exchange import CardsExchanged, Exchange, TalonTurned
from domain.parts.phases import expect
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat, rotated

# The module `phases` has the fields of the phases that the family's games share, and the effects of their events.


class Common(phases.Common[Options, ContractName], frozen=True, gc=False):
    """The facts that hold in every phase: options, deck, auction, `order`: forehand, middlehand, backhand (LH-1.2)."""

    always_declared: bool = False
    """Whether declarer declares even if the bid leaves no choice, as in version 1 of the rules."""


class Commitment(phases.Commitment[Contract], frozen=True, gc=False):
    """Declarer's contract, trump suit and turn-up, and the versions of the events that fixed them."""


class Call(auction.Call, frozen=True, gc=False):
    """A call in the auction: a contract, or `pass`."""

    held: bool = field(default=False, name="self")


def _sits_out(state: "Auction | Declaration | Exchanging | Playing", seat: Seat) -> str | None:
    """The rule of the seat that sits out, which has no turn (LH-1.2)."""
    return None if seat in state.common.order else "LH-1.2"


class Auction(phases.AuctionPhase[Common], frozen=True):
    """The auction (LH-4). Hands and talon are as dealt."""

    RULE: ClassVar = "LH-4.3"
    TURN: ClassVar = frozenset({"bid", "self", "pass"})
    turn_rule = _sits_out


class WashedOut(phases.AsDealt[Common], frozen=True):
    """All have passed (LH-4.4)."""

    PHASE: ClassVar = "washed-out"
    RULE: ClassVar = "LH-4.4"
    turn: ClassVar[None] = None


class Declaration(phases.DeclarationPhase[Common, ContractName], frozen=True):
    """Declarer is to declare the contract after winning the auction with `bid` (LH-5.1)."""

    RULE: ClassVar = "LH-5.1"
    turn_rule = _sits_out

    @property
    def turn(self) -> Seat | None:
        """Declarer's seat; None if the declaration is automatic."""
        return None if declares_itself(self.bid) and not self.common.always_declared else self.declarer


class Exchanging(phases.ExchangePhase[Common, Commitment], frozen=True):
    """If the contract turns trumps, the talon's top card is turned up first; then the seats in the queue exchange in
    turn (LH-6).
    """

    RULE: ClassVar = "LH-6.1"
    TURN: ClassVar = frozenset({"exchange"})
    FREE: ClassVar = frozenset({"abandon"})
    turn_rule = _sits_out


class Playing(phases.UndertakingPhase[Common, Commitment], frozen=True):
    """The play of the cards (LH-7). `undertaken` and `stopped` are the versions of the events that say so (LH-8.3)."""

    RULE: ClassVar = "LH-7.1"
    TURN: ClassVar = frozenset({"play", "stop"})
    FREE: ClassVar = frozenset({"abandon"})
    turn_rule = _sits_out

    exposed: bool = False
    """Whether declarer's hand lies open (LH-7.4)."""


class Abandoned(phases.GivenUpPhase[Exchanging | Playing], frozen=True):
    """Declarer has abandoned the hand (LH-8.4)."""

    PHASE: ClassVar = "abandoned"
    RULE: ClassVar = "LH-8.4"


State: TypeAlias = Auction | WashedOut | Declaration | Exchanging | Playing | Abandoned


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = order_of_turns(dealt.dealer, dealt.options)
    common = Common(dealt.options, dealt.deck, dealt.version, order, Bidding(order, RANKS, hold=True, at_once=2))
    return Auction(common, dealt.hands, dealt.talon)


def evolve(state: State, event: Event[LhombreEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case BidMade() as public:
            before = expect(state, Auction)
            hands = with_hand(before.hands, public.seat, before.hands[public.seat].revealed(public.shown, ORDER))
            call = Call(public.seat, public.contract, public.held)
            return replace(before, hands=hands).called(call, Declaration)
        case BidPassed() as public:
            return expect(state, Auction).called(Call(public.seat, PASS), Declaration)
        case DealWashedOut():
            before = expect(state, Auction)
            return WashedOut(before.common, before.hands, before.talon)
        case ContractDeclared() as public:
            return _declared(expect(state, Declaration), public, event.version)
        case TalonTurned() | CardsExchanged() as public:
            return _exchanging(expect(state, Exchanging).after(public, event, ORDER))
        case HandExposed() as public:
            return replace(expect(state, Playing).exposed_by(public), exposed=True)
        case PlayStopped() | AllTricksUndertaken() as public:
            return expect(state, Playing).chosen(public, event.version)
        case DealAbandoned() as public:
            begun = state if isinstance(state, Exchanging) else expect(state, Playing)
            hands = with_hand(begun.hands, public.seat, Hand(public.cards))
            return Abandoned(replace(begun, hands=hands), event.version)
        case _:
            assert_never(event.public)


def _declared(state: Declaration, public: ContractDeclared, version: int) -> Exchanging | Playing:
    contract = CONTRACTS[public.contract]
    declarer, *defenders = rotated(state.common.order, public.seat)
    queue = (*((declarer,) if contract.exchange else ()), *(defenders if contract.defenders_exchange else ()))
    commitment = Commitment(declarer, contract, public.trump, (version,))
    return _exchanging(Exchanging(state.common, state.hands, commitment, Exchange(state.talon, queue)))


def _exchanging(state: Exchanging) -> Exchanging | Playing:
    """The exchange or, if nobody is left to exchange, the play, in which forehand leads first (LH-7.1)."""
    if state.exchange.queue:
        return state
    order = state.common.order
    return Playing(state.common, state.hands, Tricks(order, turn=order[0]), state.commitment, state.exchange)
