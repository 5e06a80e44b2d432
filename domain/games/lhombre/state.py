"""A deal of L'Hombre: a union of phases, and the fold of events into them.

phase        acts                 leads to
auction      bid, self, pass      declaration; washed-out if all pass
washed-out                        the score
declaration  declare              exchange; play if the contract lets nobody exchange
exchange     exchange, abandon    play, abandoned
play         play, stop, abandon  the score, abandoned
abandoned                         the score
"""

from typing import ClassVar, TypeAlias, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.fair.deck import Deck
from domain.games.lhombre.contracts import CONTRACTS, RANKS, Contract, ContractName
from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut, LhombreEvent
from domain.games.lhombre.meta import ORDER, Options, order_of_turns
from domain.kernel.action import Phase
from domain.kernel.event import Event, Payload
from domain.kernel.game import Dealt
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.auction import PASS, Bidding, BidPassed
from domain.parts.exchange import CardsExchanged, Exchange, TalonTurned, evolve_exchange
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat, rotated


class Common(Struct, frozen=True, gc=False):
    """What holds in every phase of a deal. `order` is forehand, middlehand, backhand (LH-1.2)."""

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    bidding: Bidding


class Commitment(Struct, frozen=True, gc=False):
    """What declarer plays. `declared` is the version of the event that declared it."""

    declarer: Seat
    contract: Contract
    trump: Suit | None
    declared: int
    turned: Card | None = None


class Auction(Phase, frozen=True):
    """The auction (LH-4)."""

    PHASE: ClassVar = "auction"
    TURN: ClassVar = frozenset({"bid", "self", "pass"})

    common: Common
    hands: Hands
    talon: Pile


class WashedOut(Phase, frozen=True):
    """All have passed (LH-4.4)."""

    PHASE: ClassVar = "washed-out"

    common: Common
    hands: Hands
    talon: Pile


class Declaration(Phase, frozen=True):
    """Declarer is to declare the contract (LH-5.1)."""

    PHASE: ClassVar = "declaration"
    TURN: ClassVar = frozenset({"declare"})

    common: Common
    hands: Hands
    talon: Pile
    declarer: Seat
    bid: ContractName


class Exchanging(Phase, frozen=True):
    """Those in the queue exchange, in its order (LH-6)."""

    PHASE: ClassVar = "exchange"
    TURN: ClassVar = frozenset({"exchange"})
    FREE: ClassVar = frozenset({"abandon"})

    common: Common
    hands: Hands
    commitment: Commitment
    exchange: Exchange


class Playing(Phase, frozen=True):
    """The play of the cards (LH-7). `undertaken` and `stopped` are the versions of the events that say so."""

    PHASE: ClassVar = "play"
    TURN: ClassVar = frozenset({"play", "stop"})
    FREE: ClassVar = frozenset({"abandon"})

    common: Common
    hands: Hands
    commitment: Commitment
    exchange: Exchange
    tricks: Tricks
    exposed: bool = False
    undertaken: int | None = None
    stopped: int | None = None


class Abandoned(Phase, frozen=True):
    """Declarer has abandoned the hand (LH-8.4)."""

    PHASE: ClassVar = "abandoned"

    before: Exchanging | Playing
    version: int


State: TypeAlias = Auction | WashedOut | Declaration | Exchanging | Playing | Abandoned


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = order_of_turns(dealt.dealer, dealt.options)
    common = Common(dealt.options, dealt.deck, order, Bidding(order, RANKS, hold=True, at_once=2))
    return Auction(common, dealt.hands, dealt.talon)


def evolve(state: State, event: Event[Payload]) -> State:
    """The state after the event. It assigns what the event says and checks nothing."""
    public = cast("LhombreEvent", event.public)
    match public:
        # What happens most stands first, since cases are tried in turn.
        case CardPlayed():
            state = cast("Playing", state)
            hands = with_hand(state.hands, public.seat, state.hands[public.seat].played(public.card))
            return replace(state, hands=hands, tricks=state.tricks.played(public.seat, public.card))
        case TrickWon():
            state = cast("Playing", state)
            return replace(state, tricks=state.tricks.won(public.seat, event.version))
        case BidMade():
            state = cast("Auction", state)
            hands = with_hand(state.hands, public.seat, state.hands[public.seat].revealed(public.shown, ORDER))
            return _called(replace(state, hands=hands), public.seat, public.contract)
        case BidPassed():
            return _called(cast("Auction", state), public.seat, PASS)
        case DealWashedOut():
            state = cast("Auction", state)
            return WashedOut(state.common, state.hands, state.talon)
        case ContractDeclared():
            return _declared(cast("Declaration", state), public, event.version)
        case TalonTurned():
            state = cast("Exchanging", state)
            turned = replace(state.commitment, trump=public.trump, turned=public.card)
            return replace(state, commitment=turned, exchange=state.exchange.turned(public.card))
        case CardsExchanged():
            state = cast("Exchanging", state)
            exchange, hands = evolve_exchange(state.exchange, state.hands, cast("Event[CardsExchanged]", event), ORDER)
            return _exchanging(replace(state, exchange=exchange, hands=hands))
        case HandExposed():
            state = cast("Playing", state)
            return replace(state, exposed=True, hands=with_hand(state.hands, public.seat, Hand(public.cards)))
        case PlayStopped():
            return replace(cast("Playing", state), stopped=event.version)
        case AllTricksUndertaken():
            return replace(cast("Playing", state), undertaken=event.version)
        case DealAbandoned():
            before = cast("Exchanging | Playing", state)
            hands = with_hand(before.hands, public.seat, Hand(public.cards))
            return Abandoned(replace(before, hands=hands), event.version)
        case _:
            assert_never(public)


def _called(state: Auction, seat: Seat, bid: str) -> State:
    bidding = state.common.bidding.called(seat, bid)
    common = replace(state.common, bidding=bidding)
    won = bidding.won
    if won is not None:
        return Declaration(common, state.hands, state.talon, won.seat, cast("ContractName", won.bid))
    return replace(state, common=common)


def _declared(state: Declaration, public: ContractDeclared, version: int) -> State:
    contract = CONTRACTS[public.contract]
    declarer, *defenders = rotated(state.common.order, public.seat)
    queue = (
        *((declarer,) if contract.exchange else ()),
        *(defenders if contract.defenders_exchange else ()),
    )
    commitment = Commitment(declarer, contract, public.trump, version)
    return _exchanging(Exchanging(state.common, state.hands, commitment, Exchange(state.talon, queue)))


def _exchanging(state: Exchanging) -> State:
    """The exchange, or the play if nobody is left to exchange."""
    if state.exchange.queue:
        return state
    order = state.common.order
    return Playing(state.common, state.hands, state.commitment, state.exchange, Tricks(order, order[0]))
