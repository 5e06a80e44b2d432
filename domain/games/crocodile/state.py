"""A deal of Crocodile: a union of phases, and the fold of events into them."""

from typing import ClassVar, TypeAlias, assert_never, cast

import msgspec
from msgspec import Struct

from domain.games.crocodile.contracts import CONTRACTS, BonusName, Contract, ContractName
from domain.games.crocodile.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CardsExchanged,
    CascoCards,
    CascoForced,
    CascoLaid,
    CascoTaken,
    ContractDeclared,
    CrocodileEvent,
    DealConceded,
    ExchangedCards,
    HandExposed,
    PriorityAnswered,
    PriorityOffered,
    TableTalk,
    TalonTurned,
    TrickWon,
)
from domain.games.crocodile.meta import HAND, ORDER, SEATS, TALON, Options, left
from domain.kernel.cards import Card, Suit
from domain.kernel.decider import Dealt, Phase
from domain.kernel.event import Event, Payload
from domain.kernel.hidden import Hand, Pile, exchanged, gathered, without
from domain.kernel.seats import Seat, clockwise, seat_audience
from domain.kernel.shuffle import Deck
from domain.kernel.tricks import Played, Trick

Hands: TypeAlias = tuple[Hand, ...]

PASS = "pass"  # noqa: S105 - a call in the auction, no secret


class Call(Struct, frozen=True, gc=False):
    """What a player said in the auction: a contract, or `pass`."""

    seat: Seat
    bid: str


class Common(Struct, frozen=True):
    """What holds in every phase of a deal."""

    options: Options
    deck: Deck
    dealer: Seat
    calls: tuple[Call, ...] = ()

    @property
    def eldest(self) -> Seat:
        """Who speaks and leads first (CR-1.4)."""
        return left(self.dealer)


class Commitment(Struct, frozen=True):
    """What declarer plays. `declared` is the version of the event that declared it."""

    declarer: Seat
    contract: Contract
    trump: Suit | None
    bonus: BonusName | None
    declared: int
    turned: Card | None = None


class Exchanged(Struct, frozen=True, gc=False):
    """How many cards a player exchanged, and which of them were taken face up."""

    seat: Seat
    count: int
    taken: tuple[Card, ...]


class Stock(Struct, frozen=True):
    """What can be drawn: a pile from its top and, in Casco, cards to be taken by name."""

    pile: Pile
    face_up: tuple[Card, ...] = ()


class Auction(Phase, frozen=True):
    """The auction (CR-4)."""

    PHASE: ClassVar = "auction"
    TURN: ClassVar = frozenset({"bid", "pass"})

    common: Common
    hands: Hands
    talon: Pile


class Declaration(Phase, frozen=True):
    """Declarer is to declare the contract (CR-6)."""

    PHASE: ClassVar = "declaration"
    TURN: ClassVar = frozenset({"declare"})

    common: Common
    hands: Hands
    talon: Pile
    declarer: Seat
    bid: ContractName


class TakingCasco(Phase, frozen=True):
    """Declarer is to keep one card and take the talon (CR-7.6)."""

    PHASE: ClassVar = "casco"
    TURN: ClassVar = frozenset({"take-casco"})

    common: Common
    hands: Hands
    talon: Pile
    declarer: Seat


class LayingCasco(Phase, frozen=True):
    """Declarer is to lay down five cards and name trumps (CR-7.6)."""

    PHASE: ClassVar = "casco-declaration"
    TURN: ClassVar = frozenset({"lay-casco"})

    common: Common
    hands: Hands
    declarer: Seat
    discards: Pile


class Exchanging(Phase, frozen=True):
    """Those in the queue exchange, in its order (CR-7)."""

    PHASE: ClassVar = "exchange"
    TURN: ClassVar = frozenset({"exchange", "offer-priority"})
    FREE: ClassVar = frozenset({"concede"})

    common: Common
    hands: Hands
    stock: Stock
    commitment: Commitment
    queue: tuple[Seat, ...]
    exchanges: tuple[Exchanged, ...] = ()
    asked: bool = False
    """Whether the right to go first was offered."""


class Asking(Phase, frozen=True):
    """The second opponent is to answer the offer of priority (CR-7.4)."""

    PHASE: ClassVar = "priority"
    TURN: ClassVar = frozenset({"answer-priority"})
    FREE: ClassVar = frozenset({"concede"})

    exchange: Exchanging


class Playing(Phase, frozen=True):
    """The play of the cards (CR-8)."""

    PHASE: ClassVar = "play"
    TURN: ClassVar = frozenset({"play"})
    FREE: ClassVar = frozenset({"concede", "talk"})

    common: Common
    hands: Hands
    stock: Stock
    commitment: Commitment
    exchanges: tuple[Exchanged, ...]
    leader: Seat
    trick: tuple[Played, ...] = ()
    winners: tuple[Seat, ...] = ()
    """Who won each trick so far."""
    won_at: tuple[int, ...] = ()
    """The versions of the events that say so."""
    last: Trick | None = None
    exposed: bool = False
    utterances: tuple[int, ...] = (0,) * SEATS


class Conceded(Phase, frozen=True):
    """Declarer has conceded (CR-9.11)."""

    PHASE: ClassVar = "conceded"

    before: "Exchanging | Playing"
    version: int


State: TypeAlias = Auction | Declaration | TakingCasco | LayingCasco | Exchanging | Asking | Playing | Conceded


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    return Auction(Common(dealt.options, dealt.deck, dealt.dealer), dealt.hands, dealt.talon)


def contract_bid(calls: tuple[Call, ...]) -> Call | None:
    """The bid that stands, if anybody has bid."""
    return next((call for call in reversed(calls) if call.bid != PASS), None)


def speakers(common: Common) -> tuple[Seat, ...]:
    """Those who have not passed, the next to speak first; empty when the auction is over (CR-4)."""
    passed = {call.seat for call in common.calls if call.bid == PASS}
    bid = contract_bid(common.calls)
    after = left(common.calls[-1].seat) if common.calls else common.eldest
    rest = tuple(seat for seat in clockwise(after, SEATS) if seat not in passed)
    if bid is not None and (len(rest) == 1 or bid.bid == "nolo-ouvert"):
        return ()
    return rest


def evolve(state: State, event: Event[Payload]) -> State:
    """The state after the event. It assigns what the event says, and asks nothing."""
    public = cast("CrocodileEvent", event.public)
    replace = msgspec.structs.replace
    match public:
        case BidMade():
            return _called(cast("Auction", state), Call(public.seat, public.contract))
        case BidPassed():
            return _called(cast("Auction", state), Call(public.seat, PASS))
        case CascoForced():
            state = cast("Auction", state)
            return TakingCasco(state.common, state.hands, state.talon, public.seat)
        case ContractDeclared():
            return _declared(cast("Declaration", state), public, event.version)
        case TalonTurned():
            state = cast("Exchanging", state)
            turned = replace(state.commitment, trump=public.trump, turned=public.card)
            return replace(state, commitment=turned, stock=Stock((public.card, *state.stock.pile[1:])))
        case CascoTaken():
            return _casco_taken(cast("TakingCasco", state), public.seat, event)
        case CascoLaid():
            return _casco_laid(cast("LayingCasco", state), public, event.version)
        case PriorityOffered():
            return Asking(replace(cast("Exchanging", state), asked=True))
        case PriorityAnswered():
            exchange = cast("Asking", state).exchange
            return replace(exchange, queue=exchange.queue[::-1]) if public.accepted else exchange
        case CardsExchanged():
            return _exchanged(cast("Exchanging", state), public, event)
        case HandExposed():
            state = cast("Playing", state)
            return replace(state, exposed=True, hands=_put(state.hands, public.seat, Hand(public.cards)))
        case CardPlayed():
            state = cast("Playing", state)
            hand = without(state.hands[public.seat], (public.card,))
            played = Played(public.seat, public.card)
            return replace(state, hands=_put(state.hands, public.seat, hand), trick=(*state.trick, played))
        case TrickWon():
            state = cast("Playing", state)
            return replace(
                state,
                leader=public.seat,
                trick=(),
                winners=(*state.winners, public.seat),
                won_at=(*state.won_at, event.version),
                last=Trick(public.seat, state.trick),
            )
        case DealConceded():
            before = state.exchange if isinstance(state, Asking) else cast("Exchanging | Playing", state)
            return Conceded(before, event.version)
        case TableTalk():
            state = cast("Playing", state)
            said = tuple(n + (seat == public.seat) for seat, n in enumerate(state.utterances))
            return replace(state, utterances=said)
        case _:
            assert_never(public)


def _put(hands: Hands, seat: Seat, hand: Hand) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _called(state: Auction, call: Call) -> State:
    common = msgspec.structs.replace(state.common, calls=(*state.common.calls, call))
    bid = contract_bid(common.calls)
    if bid is not None and not speakers(common):
        return Declaration(common, state.hands, state.talon, bid.seat, cast("ContractName", bid.bid))
    return msgspec.structs.replace(state, common=common)


def _declared(state: Declaration, public: ContractDeclared, version: int) -> State:
    contract = CONTRACTS[public.contract]
    queue = clockwise(public.seat, SEATS)
    return Exchanging(
        state.common,
        state.hands,
        Stock(state.talon),
        Commitment(public.seat, contract, public.trump, public.bonus, version),
        queue if contract.exchange else queue[1:],
    )


def _casco_taken(state: TakingCasco, seat: Seat, event: Event[Payload]) -> State:
    cards = event.section(seat_audience(seat), CascoCards)
    if cards is None:
        hand = Hand(hidden=1 + TALON)
        discards: Pile = (None,) * (HAND - 1)
    else:
        hand = gathered((cards.kept, *(opening.card for opening in cards.taken)), ORDER)
        discards = cards.discarded
    return LayingCasco(state.common, _put(state.hands, seat, hand), seat, discards)


def _casco_laid(state: LayingCasco, public: CascoLaid, version: int) -> State:
    hand = without(state.hands[public.seat], public.cards)
    pile = state.discards if state.common.options.casco_stock == "all" else ()
    return Exchanging(
        state.common,
        _put(state.hands, public.seat, hand),
        Stock(pile, public.cards),
        Commitment(public.seat, CONTRACTS["casco"], public.trump, public.bonus, version),
        clockwise(public.seat, SEATS)[1:],
    )


def _exchanged(state: Exchanging, public: CardsExchanged, event: Event[Payload]) -> State:
    own = event.section(seat_audience(public.seat), ExchangedCards)
    unseen = public.count - len(public.taken)
    drawn: Pile = tuple(opening.card for opening in own.drawn) if own else state.stock.pile[:unseen]
    hand = exchanged(
        state.hands[public.seat], own.discarded if own else None, public.count, (*drawn, *public.taken), ORDER
    )
    face_up = tuple(card for card in state.stock.face_up if card not in public.taken)
    stock = Stock(state.stock.pile[unseen:], face_up)
    hands = _put(state.hands, public.seat, hand)
    done = (*state.exchanges, Exchanged(public.seat, public.count, public.taken))
    queue = state.queue[1:] if stock.pile or stock.face_up else ()
    if queue:
        return msgspec.structs.replace(state, hands=hands, stock=stock, queue=queue, exchanges=done)
    return Playing(state.common, hands, stock, state.commitment, done, state.common.eldest)
