"""A deal of Crocodile: a union of phases, and the fold of events into them.

phase              acts                               leads to
auction            bid, pass                          declaration; casco if all pass
declaration        declare                            exchange
casco              take-casco                         casco-declaration
casco-declaration  lay-casco                          exchange
exchange           exchange, offer-priority, concede  priority, play, conceded
priority           answer-priority, concede           exchange, conceded
play               play, talk, concede                the score, conceded
conceded                                              the score
"""

from typing import ClassVar, TypeAlias, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.fair.deck import Deck
from domain.games.crocodile.contracts import CONTRACTS, RANKS, BonusName, Contract, ContractName
from domain.games.crocodile.events import (
    BidMade,
    CardsExchanged,
    CascoCards,
    CascoForced,
    CascoLaid,
    CascoTaken,
    ContractDeclared,
    CrocodileEvent,
    DealConceded,
    PriorityAnswered,
    PriorityOffered,
    TableTalk,
)
from domain.games.crocodile.meta import HAND, ORDER, SEATS, TALON, Options, left
from domain.kernel.action import Phase
from domain.kernel.event import Event, Payload
from domain.kernel.game import Dealt
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.auction import PASS, Bidding, BidPassed, Call
from domain.parts.exchange import ExchangedCards, TalonTurned, still_to_exchange
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat, clockwise, seat_audience


class Common(Struct, frozen=True, gc=False):
    """What holds in every phase of a deal."""

    options: Options
    deck: Deck
    dealer: Seat
    bidding: Bidding

    @property
    def eldest(self) -> Seat:
        """The seat that speaks and leads first (CR-1.4)."""
        return left(self.dealer)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of the auction so far."""
        return self.bidding.calls


class Commitment(Struct, frozen=True, gc=False):
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


class Stock(Struct, frozen=True, gc=False):
    """The cards left to draw: a pile, from its top, and in Casco the face-up cards, which are taken by name."""

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
    priority_offered: bool = False
    """Whether the right to exchange first was offered."""


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
    tricks: Tricks
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
    bidding = Bidding(clockwise(left(dealt.dealer), SEATS), RANKS)
    return Auction(Common(dealt.options, dealt.deck, dealt.dealer, bidding), dealt.hands, dealt.talon)


def evolve(state: State, event: Event[Payload]) -> State:
    """The state after the event. It assigns what the event says and checks nothing."""
    public = cast("CrocodileEvent", event.public)
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
            return Asking(replace(cast("Exchanging", state), priority_offered=True))
        case PriorityAnswered():
            exchange = cast("Asking", state).exchange
            return replace(exchange, queue=exchange.queue[::-1]) if public.accepted else exchange
        case CardsExchanged():
            return _exchanged(cast("Exchanging", state), public, event)
        case HandExposed():
            state = cast("Playing", state)
            return replace(state, exposed=True, hands=with_hand(state.hands, public.seat, Hand(public.cards)))
        case DealConceded():
            before = state.exchange if isinstance(state, Asking) else cast("Exchanging | Playing", state)
            return Conceded(before, event.version)
        case TableTalk():
            state = cast("Playing", state)
            said = tuple(n + (seat == public.seat) for seat, n in enumerate(state.utterances))
            return replace(state, utterances=said)
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
        hand = Hand.of((cards.kept, *(opening.card for opening in cards.taken)), ORDER)
        discards = cards.discarded
    return LayingCasco(state.common, with_hand(state.hands, seat, hand), seat, discards)


def _casco_laid(state: LayingCasco, public: CascoLaid, version: int) -> State:
    hand = state.hands[public.seat].without(public.cards)
    pile = state.discards if state.common.options.casco_stock == "all" else ()
    return Exchanging(
        state.common,
        with_hand(state.hands, public.seat, hand),
        Stock(pile, public.cards),
        Commitment(public.seat, CONTRACTS["casco"], public.trump, public.bonus, version),
        clockwise(public.seat, SEATS)[1:],
    )


def _exchanged(state: Exchanging, public: CardsExchanged, event: Event[Payload]) -> State:
    cards = event.section(seat_audience(public.seat), ExchangedCards)
    unseen = public.count - len(public.taken)
    drawn: Pile = tuple(opening.card for opening in cards.drawn) if cards else state.stock.pile[:unseen]
    hand = state.hands[public.seat].exchanged(
        cards.discarded if cards else None, public.count, (*drawn, *public.taken), ORDER
    )
    face_up = tuple(card for card in state.stock.face_up if card not in public.taken)
    stock = Stock(state.stock.pile[unseen:], face_up)
    hands = with_hand(state.hands, public.seat, hand)
    done = (*state.exchanges, Exchanged(public.seat, public.count, public.taken))
    queue = still_to_exchange(state.queue, len(stock.pile) + len(stock.face_up))
    if queue:
        return replace(state, hands=hands, stock=stock, queue=queue, exchanges=done)
    order = clockwise(state.common.eldest, SEATS)
    tricks = Tricks(order, order[0])
    return Playing(state.common, hands, stock, state.commitment, done, tricks)
