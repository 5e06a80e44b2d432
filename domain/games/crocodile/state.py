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

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
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
from domain.games.crocodile.meta import HAND, ORDER, RANKINGS, SEATS, TALON, TURNS, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts import phases
from domain.parts.auction import PASS, Bidding, BidPassed, Call
from domain.parts.exchange import ExchangedCards, TalonTurned, still_to_exchange
from domain.parts.phases import expect
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat, clockwise, seat_audience

# The module `phases` has the fields of the phases that the family's games share, and the effects of their events.


class Common(phases.Common[Options, ContractName], frozen=True, gc=False):
    """The facts that hold in every phase of a deal: options, deck, auction, and the order of turns, eldest first."""

    @property
    def eldest(self) -> Seat:
        """The seat that speaks and leads first (CR-1.4)."""
        return self.order[0]

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of the auction so far."""
        return self.bidding.calls


class Commitment(phases.Commitment[Contract], frozen=True, gc=False):
    """Declarer's contract, trump suit and turn-up, and the versions of the events that fixed them."""

    bonus: BonusName | None = None


class Exchanged(Struct, frozen=True, gc=False):
    """The number of cards that a player exchanged, and the cards taken face up."""

    seat: Seat
    count: int
    taken: tuple[Card, ...]


class Stock(Struct, frozen=True, gc=False):
    """The cards left to draw: a pile, from its top, and in Casco the face-up cards, which are taken by name."""

    pile: Pile
    face_up: tuple[Card, ...] = ()


class Auction(phases.AuctionPhase[Common], frozen=True):
    """The auction (CR-4). Hands and talon are as dealt."""

    RULE: ClassVar = "CR-4.2"
    TURN: ClassVar = frozenset({"bid", "pass"})


class Declaration(phases.DeclarationPhase[Common, ContractName], frozen=True):
    """Declarer is to declare the contract after winning the auction with `bid` (CR-6)."""

    RULE: ClassVar = "CR-6.1"


class TakingCasco(phases.AsDealt[Common], frozen=True):
    """Declarer is to keep one card and take the talon (CR-7.6)."""

    PHASE: ClassVar = "casco"
    RULE: ClassVar = "CR-7.6"
    TURN: ClassVar = frozenset({"take-casco"})

    declarer: Seat
    forced_at: int
    """The version of `casco-forced`."""

    @property
    def turn(self) -> Seat | None:
        """The seat that acts next: declarer."""
        return self.declarer


class LayingCasco(Phase, frozen=True):
    """Declarer is to lay down five cards and name trumps (CR-7.6)."""

    PHASE: ClassVar = "casco-declaration"
    RULE: ClassVar = "CR-7.6"
    TURN: ClassVar = frozenset({"lay-casco"})

    common: Common
    hands: Hands
    declarer: Seat
    discards: Pile
    forced_at: int
    """The version of `casco-forced`."""

    @property
    def turn(self) -> Seat | None:
        """The seat that acts next: declarer."""
        return self.declarer


class Exchanging(Phase, frozen=True):
    """The seats in the queue exchange in turn (CR-7)."""

    PHASE: ClassVar = "exchange"
    RULE: ClassVar = "CR-7.1"
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

    @property
    def turn(self) -> Seat | None:
        """The seat that exchanges next; None before the talon's top card is turned up."""
        return None if self.commitment.to_turn else self.queue[0]

    def turn_rule(self, seat: Seat) -> str | None:
        """The rule of declarer's exchange, or of an opponent's who has accepted priority; CR-7.3 has the others."""
        declarer = self.commitment.declarer
        if self.queue[0] == declarer or (seat == declarer and not self.commitment.contract.exchange):
            return "CR-7.2"
        accepted = len(self.queue) > 1 and self.queue[0] != clockwise(declarer, SEATS)[1]
        return "CR-7.4" if accepted else None


class Asking(Phase, frozen=True):
    """The second opponent is to answer the offer of priority (CR-7.4)."""

    PHASE: ClassVar = "priority"
    RULE: ClassVar = "CR-7.4"
    TURN: ClassVar = frozenset({"answer-priority"})
    FREE: ClassVar = frozenset({"concede"})

    exchange: Exchanging

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""
        return self.exchange.hands

    @property
    def turn(self) -> Seat | None:
        """The second opponent's seat."""
        return self.exchange.queue[1]


class Playing(phases.ContractPhase[Common, Commitment], frozen=True):
    """The play of the cards (CR-8), and the rest of the exchange."""

    RULE: ClassVar = "CR-8.1"
    RANKINGS: ClassVar = RANKINGS
    FREE: ClassVar = frozenset({"concede", "talk"})

    stock: Stock
    exchanges: tuple[Exchanged, ...]
    exposed: bool = False
    """Whether declarer's hand lies open (CR-5.3)."""
    utterances: tuple[int, ...] = (0,) * SEATS
    """The number of remarks by each seat (CR-10.7)."""


class Conceded(phases.GivenUpPhase[Exchanging | Playing], frozen=True):
    """Declarer has conceded (CR-9.11)."""

    PHASE: ClassVar = "conceded"
    RULE: ClassVar = "CR-9.11"


State: TypeAlias = Auction | Declaration | TakingCasco | LayingCasco | Exchanging | Asking | Playing | Conceded


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = TURNS.order_of_turns(dealt.dealer)
    common = Common(dealt.options, dealt.deck, dealt.version, order, Bidding(order, RANKS))
    return Auction(common, dealt.hands, dealt.talon)


def evolve(state: State, event: Event[CrocodileEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case BidMade() as public:
            return expect(state, Auction).called(Call(public.seat, public.contract), Declaration)
        case BidPassed() as public:
            return expect(state, Auction).called(Call(public.seat, PASS), Declaration)
        case CascoForced() as public:
            auction = expect(state, Auction)
            return TakingCasco(auction.common, auction.hands, auction.talon, public.seat, event.version)
        case ContractDeclared() as public:
            return _declared(expect(state, Declaration), public, event.version)
        case TalonTurned() as public:
            before = expect(state, Exchanging)
            stock = Stock((public.card, *before.stock.pile[1:]))
            return replace(before, commitment=before.commitment.after_turn_up(public, event.version), stock=stock)
        case CascoTaken() as public:
            return _casco_taken(expect(state, TakingCasco), event, public.seat)
        case CascoLaid() as public:
            return _casco_laid(expect(state, LayingCasco), public, event.version)
        case PriorityOffered():
            return Asking(replace(expect(state, Exchanging), priority_offered=True))
        case PriorityAnswered() as public:
            exchange = expect(state, Asking).exchange
            return replace(exchange, queue=exchange.queue[::-1]) if public.accepted else exchange
        case CardsExchanged() as public:
            return _exchanged(expect(state, Exchanging), event, public)
        case HandExposed() as public:
            return replace(expect(state, Playing).exposed_by(public), exposed=True)
        case DealConceded():
            return Conceded(_conceding(state), event.version)
        case TableTalk() as public:
            play = expect(state, Playing)
            said = tuple(n + (seat == public.seat) for seat, n in enumerate(play.utterances))
            return replace(play, utterances=said)
        case _:
            assert_never(event.public)


def _declared(state: Declaration, public: ContractDeclared, version: int) -> Exchanging:
    contract = CONTRACTS[public.contract]
    queue = clockwise(public.seat, SEATS)
    commitment = Commitment(public.seat, contract, public.trump, (version,), bonus=public.bonus)
    return Exchanging(
        state.common, state.hands, Stock(state.talon), commitment, queue if contract.exchange else queue[1:]
    )


def _conceding(state: State) -> Exchanging | Playing:
    """The phase in which declarer concedes, while an offer of priority may be open."""
    match state:
        case Asking():
            return state.exchange
        case Exchanging():
            return state
        case _:
            return expect(state, Playing)


def _casco_taken(state: TakingCasco, event: Event[CrocodileEvent], seat: Seat) -> LayingCasco:
    cards = event.section(seat_audience(seat), CascoCards)
    if cards is None:
        hand = Hand(hidden=1 + TALON)
        discards: Pile = (None,) * (HAND - 1)
    else:
        hand = Hand.of((cards.kept, *(opening.card for opening in cards.taken)), ORDER)
        discards = cards.discarded
    return LayingCasco(state.common, with_hand(state.hands, seat, hand), seat, discards, state.forced_at)


def _casco_laid(state: LayingCasco, public: CascoLaid, version: int) -> Exchanging:
    hand = state.hands[public.seat].without(public.cards)
    pile = state.discards if state.common.options.casco_stock == "all" else ()
    return Exchanging(
        state.common,
        with_hand(state.hands, public.seat, hand),
        Stock(pile, public.cards),
        Commitment(public.seat, CONTRACTS["casco"], public.trump, (state.forced_at, version), bonus=public.bonus),
        clockwise(public.seat, SEATS)[1:],
    )


def _exchanged(state: Exchanging, event: Event[CrocodileEvent], public: CardsExchanged) -> Exchanging | Playing:
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
    tricks = Tricks(state.common.order, turn=state.common.eldest)
    return Playing(state.common, hands, tricks, state.commitment, stock, done)


def exposes(state: State) -> bool:
    """Whether declarer's cards must be laid open now (CR-5.3)."""
    return isinstance(state, Playing) and state.commitment.contract.exposed and not state.exposed
