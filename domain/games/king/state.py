"""A deal of King: a union of phases, and the fold of events into them.

phase      acts                  leads to
choice     name-trumps, auction  direction, auction
auction    bid, pass             naming
naming     name-trumps           direction
direction  declare-direction     play
play       play                  the score

A positive deal begins with the choice, a negative one with the play (KG-3).
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Suit
from domain.games.king.contracts import AIMS, TRICKS, Aim, aim_of
from domain.games.king.events import AuctionOpened, DirectionDeclared, KingEvent, TricksBid, TrumpsNamed
from domain.games.king.meta import RANKINGS, TURNS, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hands
from domain.parts.auction import BidPassed
from domain.parts.phases import InTurn, PlayPhase, expect
from domain.parts.raising import Raising
from domain.parts.ranks import Ranking
from domain.parts.tricks import CardPlayed, Tricks, TrickWon
from domain.seats import Seat


class Common(Struct, frozen=True, gc=False):
    """The fields that every phase of a deal keeps."""

    options: Options
    order: tuple[Seat, ...]
    """The seats in the order of turns, the dealer last."""
    bids: Raising | None = None
    """The auction; None before the dealer has opened it."""
    bid_at: int | None = None
    """The version of the last bid."""

    @property
    def dealer(self) -> Seat:
        """The dealer, the last in the order of turns."""
        return self.order[-1]


class Bought(Struct, frozen=True, gc=False):
    """The buyer of the right to name trumps, the number of tricks, and the version of that bid."""

    seat: Seat
    price: int
    bid_at: int


class Trumps(Struct, frozen=True, gc=False):
    """The seat that named trumps, the suit (None: no trumps), and the purchase if the right was bought."""

    namer: Seat
    suit: Suit | None
    bought: Bought | None


class Contract(Struct, frozen=True, gc=False):
    """The aim of a deal; in a positive one its trumps, and the version of the event that said up or down."""

    aim: Aim
    trumps: Trumps | None = None
    directed_at: int | None = None

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None without trumps."""
        return None if self.trumps is None else self.trumps.suit


class Talking(Phase, frozen=True):
    """A phase of a positive deal before the play."""

    common: Common
    hands: Hands


class Choice(Talking, frozen=True):
    """The dealer names trumps, or puts the right to name them up for auction (KG-5.1)."""

    PHASE: ClassVar = "choice"
    RULE: ClassVar = "KG-5.1"
    TURN: ClassVar = frozenset({"name-trumps", "auction"})

    @property
    def turn(self) -> Seat:
        """The seat that acts next: the dealer."""
        return self.common.dealer


class Auction(Talking, frozen=True):
    """The three others bid for the right to name trumps (KG-5.2)."""

    PHASE: ClassVar = "auction"
    RULE: ClassVar = "KG-5.2"
    TURN: ClassVar = frozenset({"bid", "pass"})

    @property
    def bids(self) -> Raising:
        """The auction so far."""
        return expect(self.common.bids, Raising)

    @property
    def turn(self) -> Seat | None:
        """The seat that speaks next."""
        return self.bids.turn

    def called(self, seat: Seat, tricks: int | None, bid_at: int | None) -> "Auction | Naming":
        """The auction after a bid, recorded at this version, or a pass; naming trumps once the auction is over."""
        bids = self.bids.called(seat, tricks)
        common = replace(self.common, bids=bids, bid_at=bid_at)
        return Naming(common, self.hands) if bids.turn is None else Auction(common, self.hands)


class Naming(InTurn, Talking, frozen=True):
    """After the auction, the high bidder names trumps (KG-5.6); if nobody has bid, the dealer (KG-5.3)."""

    PHASE: ClassVar = "naming"
    RULE: ClassVar = "KG-5.6"
    TURN: ClassVar = frozenset({"name-trumps"})

    @property
    def turn(self) -> Seat:
        """The high bidder, or the dealer if nobody has bid."""
        bought = bought_in(self.common)
        return self.common.dealer if bought is None else bought.seat

    def acts_rule(self) -> str:
        """The rule by which the high bidder names trumps, or the dealer."""
        return "KG-5.3" if bought_in(self.common) is None else self.RULE


class Directing(Talking, frozen=True):
    """The dealer says whether the deal is played up or down (KG-5.7)."""

    PHASE: ClassVar = "direction"
    RULE: ClassVar = "KG-5.7"
    TURN: ClassVar = frozenset({"declare-direction"})

    trumps: Trumps

    @property
    def turn(self) -> Seat:
        """The seat that acts next: the dealer."""
        return self.common.dealer


class Playing(PlayPhase[Common], frozen=True):
    """The play of the cards (KG-3)."""

    RULE: ClassVar = "KG-3.1"

    contract: Contract

    @property
    def ranking(self) -> Ranking:
        """The ranking under the deal's trumps."""
        return RANKINGS[self.contract.trump]


State: TypeAlias = Choice | Auction | Naming | Directing | Playing


def bought_in(common: Common) -> Bought | None:
    """The purchase by the auction's highest bid; None without a bid."""
    high_bid = None if common.bids is None else common.bids.high_bid
    if high_bid is None or high_bid.number is None or common.bid_at is None:
        return None
    return Bought(high_bid.seat, high_bid.number, common.bid_at)


def begin(dealt: Dealt) -> State:
    """A new deal, whose aim follows from its number; a positive one has none yet (KG-1.2)."""
    common = Common(dealt.options, TURNS.order_of_turns(dealt.dealer))
    aim = aim_of(dealt.standing.deal)
    return Choice(common, dealt.hands) if aim is None else _play(common, dealt.hands, Contract(aim))


def _play(common: Common, hands: Hands, contract: Contract) -> Playing:
    """The play, in which the player to the dealer's left leads first (KG-3.1)."""
    return Playing(common, hands, Tricks(common.order, turn=common.order[0]), contract)


def evolve(state: State, event: Event[KingEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # Cards and tricks come first, as the most frequent: cases are tried in turn.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case AuctionOpened():
            options, order = state.common.options, state.common.order
            final = options.auction_pass == "final"  # noqa: S105 (no password)
            bids = Raising(order[:-1], TRICKS, final, must_open=options.auction_opening == "forced")
            return Auction(replace(state.common, bids=bids), state.hands)
        case TricksBid() as public:
            return expect(state, Auction).called(public.seat, public.tricks, event.version)
        case BidPassed() as public:
            return expect(state, Auction).called(public.seat, None, state.common.bid_at)
        case TrumpsNamed() as public:
            trumps = Trumps(public.seat, public.trump, bought_in(state.common))
            return Directing(state.common, state.hands, trumps)
        case DirectionDeclared() as public:
            contract = Contract(AIMS[public.direction], expect(state, Directing).trumps, event.version)
            return _play(state.common, state.hands, contract)
        case _:
            assert_never(event.public)
