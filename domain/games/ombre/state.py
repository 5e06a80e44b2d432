"""A deal of Ombre: a union of phases, and the fold of events into them.

phase        acts                         leads to
auction      bid, hold, pass              declaration; passed-out if all pass
passed-out                                the score
declaration  declare                      exchange
exchange     exchange, yield-exchange     play
play         play, stop, offer-surrender  the score, surrender
surrender    answer-surrender             play if a defender forbids it, surrendered if none does
surrendered                               the score
"""

from typing import ClassVar, TypeAlias, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.fair.deck import Deck
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
from domain.kernel.event import Event, Payload
from domain.kernel.game import Dealt
from domain.kernel.hands import Hands, Pile, with_hand
from domain.kernel.ledger import POOL
from domain.parts.auction import PASS, Bidding, BidPassed
from domain.parts.exchange import CardsExchanged, Exchange, TalonTurned, evolve_exchange
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, Tricks, TrickWon
from domain.seats import Seat, rotated


class Common(Struct, frozen=True, gc=False):
    """What holds in every phase of a deal. `order` is eldest, second, dealer (OM-1.1)."""

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    bidding: Bidding
    pool: int
    """What the pool held when the cards were dealt, this deal's ante included."""


class Commitment(Struct, frozen=True, gc=False):
    """What Ombre plays. `declared` is the version of the event that declared it."""

    ombre: Seat
    contract: Contract
    trump: Suit | None
    declared: int
    turned: Card | None = None


class Answer(Struct, frozen=True, gc=False):
    """What a defender said to Ombre's offer to surrender."""

    seat: Seat
    accepted: bool


class Surrender(Struct, frozen=True, gc=False):
    """An offer to surrender and the answers so far. `said_at` are the versions of the events that recorded them."""

    said_at: tuple[int, ...]
    answers: tuple[Answer, ...] = ()

    @property
    def new_ombre(self) -> Seat | None:
        """The defender that forbade it (OM-7.3), if one did."""
        return next((answer.seat for answer in self.answers if not answer.accepted), None)


class Auction(Phase, frozen=True):
    """The auction (OM-4)."""

    PHASE: ClassVar = "auction"
    TURN: ClassVar = frozenset({"bid", "hold", "pass"})

    common: Common
    hands: Hands
    talon: Pile


class PassedOut(Phase, frozen=True):
    """All have passed (OM-4.3)."""

    PHASE: ClassVar = "passed-out"

    common: Common
    hands: Hands
    talon: Pile


class Declaration(Phase, frozen=True):
    """Ombre is to begin the contract (OM-4.4)."""

    PHASE: ClassVar = "declaration"
    TURN: ClassVar = frozenset({"declare"})

    common: Common
    hands: Hands
    talon: Pile
    ombre: Seat
    bid: ContractName


class Exchanging(Phase, frozen=True):
    """Those in the queue exchange, in its order (OM-4.5)."""

    PHASE: ClassVar = "exchange"
    TURN: ClassVar = frozenset({"exchange", "yield-exchange"})

    common: Common
    hands: Hands
    commitment: Commitment
    exchange: Exchange


class Playing(Phase, frozen=True):
    """The play of the cards (OM-5). `undertaken` and `stopped` are the versions of the events that say so."""

    PHASE: ClassVar = "play"
    TURN: ClassVar = frozenset({"play", "stop"})
    FREE: ClassVar = frozenset({"offer-surrender"})

    common: Common
    hands: Hands
    commitment: Commitment
    exchange: Exchange
    tricks: Tricks
    opening: tuple[Card, ...]
    """The cards that Ombre held when play began, as far as the audience knows them."""
    undertaken: int | None = None
    stopped: int | None = None
    surrender: Surrender | None = None

    @property
    def new_ombre(self) -> Seat | None:
        """The defender that forbade the surrender and plays on in Ombre's stead (OM-7.3), if one did."""
        return self.surrender.new_ombre if self.surrender else None


class Surrendering(Phase, frozen=True):
    """Play waits for the defenders' answers (OM-7.2)."""

    PHASE: ClassVar = "surrender"
    TURN: ClassVar = frozenset({"answer-surrender"})

    play: Playing
    surrender: Surrender


class Surrendered(Phase, frozen=True):
    """Both defenders have accepted the surrender (OM-7.2)."""

    PHASE: ClassVar = "surrendered"

    play: Playing
    surrender: Surrender


State: TypeAlias = Auction | PassedOut | Declaration | Exchanging | Playing | Surrendering | Surrendered


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = order_of_turns(dealt.dealer)
    bidding = Bidding(order, RANKS, hold=dealt.options.hold)
    return Auction(
        Common(dealt.options, dealt.deck, order, bidding, dealt.accounts.get(POOL, 0)), dealt.hands, dealt.talon
    )


def evolve(state: State, event: Event[Payload]) -> State:
    """The state after the event. It assigns what the event says and checks nothing."""
    public = cast("OmbreEvent", event.public)
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
            return _called(cast("Auction", state), public.seat, public.contract)
        case BidPassed():
            return _called(cast("Auction", state), public.seat, PASS)
        case DealPassedOut():
            state = cast("Auction", state)
            return PassedOut(state.common, state.hands, state.talon)
        case ContractDeclared():
            return _declared(cast("Declaration", state), public, event.version)
        case TalonTurned():
            state = cast("Exchanging", state)
            turned = replace(state.commitment, trump=public.trump, turned=public.card)
            return replace(state, commitment=turned, exchange=state.exchange.turned(public.card))
        case ExchangeYielded():
            state = cast("Exchanging", state)
            return replace(state, exchange=replace(state.exchange, queue=(public.to, public.seat)))
        case CardsExchanged():
            state = cast("Exchanging", state)
            exchange, hands = evolve_exchange(state.exchange, state.hands, cast("Event[CardsExchanged]", event), ORDER)
            return _exchanging(replace(state, exchange=exchange, hands=hands))
        case PlayStopped():
            return replace(cast("Playing", state), stopped=event.version)
        case AllTricksUndertaken():
            return replace(cast("Playing", state), undertaken=event.version)
        case SurrenderOffered():
            return Surrendering(cast("Playing", state), Surrender((event.version,)))
        case SurrenderAnswered():
            return _answered(cast("Surrendering", state), public, event.version)
        case _:
            assert_never(public)


def defenders(ombre: Seat, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The other two, Ombre's right-hand neighbour first."""
    return rotated(order, ombre)[1:]


def _called(state: Auction, seat: Seat, bid: str) -> State:
    bidding = state.common.bidding.called(seat, bid)
    common = replace(state.common, bidding=bidding)
    won = bidding.won
    if won is not None:
        return Declaration(common, state.hands, state.talon, won.seat, cast("ContractName", won.bid))
    return replace(state, common=common)


def _declared(state: Declaration, public: ContractDeclared, version: int) -> State:
    contract = CONTRACTS[public.contract]
    ombre = public.seat
    queue = (*((ombre,) if contract.exchange else ()), *defenders(ombre, state.common.order))
    commitment = Commitment(ombre, contract, public.trump, version)
    return Exchanging(state.common, state.hands, commitment, Exchange(state.talon, queue))


def _exchanging(state: Exchanging) -> State:
    """The exchange, or the play if nobody is left to exchange."""
    if state.exchange.queue:
        return state
    order, opening = state.common.order, state.hands[state.commitment.ombre].known
    return Playing(state.common, state.hands, state.commitment, state.exchange, Tricks(order, order[0]), opening)


def _answered(state: Surrendering, public: SurrenderAnswered, version: int) -> State:
    said = (*state.surrender.said_at, version)
    surrender = Surrender(said, (*state.surrender.answers, Answer(public.seat, public.accepted)))
    if not public.accepted:
        return replace(state.play, surrender=surrender)
    waiting = len(surrender.answers) < len(defenders(state.play.commitment.ombre, state.play.common.order))
    return (Surrendering if waiting else Surrendered)(state.play, surrender)
