"""A deal of Boston: a union of phases, and the fold of events into them.

phase      acts              leads to
auction    bid, pass         support, discard, play; thrown-in if all pass
support    play-alone, call  play, answer
answer     answer            answer, play
discard    put-down          play
play       play              the score
thrown-in                    the score

In an ouvert contract declarer's hand is exposed automatically when play begins.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Suit
from domain.games.boston.contracts import BIDS, ContractInSuit, bid_name, ranks
from domain.games.boston.events import (
    BidMade,
    BostonEvent,
    CardOfDiscard,
    CardPutDown,
    PlayedAlone,
    SupportAnswered,
    SupportCalled,
)
from domain.games.boston.meta import AROUND, ORDER, RANKINGS, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hands, Pile, with_hand
from domain.parts.auction import PASS, Bidding, BidPassed, Call
from domain.parts.phases import ContractPhase, expect
from domain.parts.tricks import CardPlayed, HandExposed, Tricks, TrickWon
from domain.seats import Seat, rotated, seat_audience


class Common(Struct, frozen=True, gc=False):
    """The facts that hold in every phase of a deal. `order` runs from eldest to the dealer (BO-1.4)."""

    options: Options
    dealt_at: int
    """The version of the event that dealt the cards."""
    order: tuple[Seat, ...]
    bidding: Bidding[str]


class Reply(Struct, frozen=True, gc=False):
    """A player's answer to the call for a supporter."""

    seat: Seat
    accepted: bool


class Commitment(Struct, frozen=True, gc=False):
    """Declarer's contract and supporter. `made_at` are the versions of the winning bid and of call and answers."""

    declarer: Seat
    bid: ContractInSuit
    made_at: tuple[int, ...]
    answers: tuple[Reply, ...] = ()
    put_down: Pile = ()
    """The card that declarer put down, as far as the audience knows it."""

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in a misère."""
        return self.bid.trump

    @property
    def supporter(self) -> Seat | None:
        """The seat that has accepted to support declarer (BO-5.2); None if none has."""
        return next((answer.seat for answer in self.answers if answer.accepted), None)


class Auction(Phase, frozen=True):
    """The auction (BO-3)."""

    PHASE: ClassVar = "auction"
    RULE: ClassVar = "BO-3.1"
    TURN: ClassVar = frozenset({"bid", "pass"})

    common: Common
    hands: Hands
    bid_at: int = 0
    """The version of the highest bid."""

    @property
    def turn(self) -> Seat | None:
        """The seat that speaks next."""
        return self.common.bidding.turn

    def called(self, call: Call) -> "State":
        """The auction after the call, or the next phase at its end."""
        bidding = self.common.bidding.called(call)
        common, won = replace(self.common, bidding=bidding), bidding.won
        if won is not None:
            return self._won(common, Commitment(won.seat, BIDS[won.bid], (self.bid_at,)))
        return ThrownIn(common, self.hands) if bidding.turn is None else replace(self, common=common)

    def _won(self, common: Common, commitment: Commitment) -> "State":
        contract = commitment.bid.contract
        if contract.supporter is not None:
            return Support(common, self.hands, commitment)
        if contract.discard:
            return Discard(common, self.hands, commitment)
        return playing(common, self.hands, commitment)


class ThrownIn(Phase, frozen=True):
    """All have passed (BO-3.5)."""

    PHASE: ClassVar = "thrown-in"
    RULE: ClassVar = "BO-3.5"
    turn: ClassVar[None] = None

    common: Common
    hands: Hands


class Committed(Phase, frozen=True):
    """A phase between auction and play, in which the contract is fixed."""

    common: Common
    hands: Hands
    commitment: Commitment

    @property
    def turn(self) -> Seat | None:
        """The seat that acts next: declarer."""
        return self.commitment.declarer


class Support(Committed, frozen=True):
    """Declarer plays alone, or calls for a supporter (BO-5.1)."""

    PHASE: ClassVar = "support"
    RULE: ClassVar = "BO-5.1"
    TURN: ClassVar = frozenset({"play-alone", "call"})


class Answering(Committed, frozen=True):
    """The others answer in turn, until one accepts (BO-5.2)."""

    PHASE: ClassVar = "answer"
    RULE: ClassVar = "BO-5.2"
    TURN: ClassVar = frozenset({"answer"})

    @property
    def turn(self) -> Seat | None:
        """The seat that answers next."""
        return rotated(self.common.order, self.commitment.declarer)[1 + len(self.commitment.answers)]

    def answered(self, answer: Reply, version: int) -> "Answering | Playing":
        """The phase after the answer: play, if it is accepted or the last."""
        before = self.commitment
        answers, made_at = (*before.answers, answer), (*before.made_at, version)
        commitment = replace(before, answers=answers, made_at=made_at)
        if answer.accepted or len(answers) == len(self.common.order) - 1:
            return playing(self.common, self.hands, commitment)
        return replace(self, commitment=commitment)


class Discard(Committed, frozen=True):
    """Declarer puts a card down (BO-5.3)."""

    PHASE: ClassVar = "discard"
    RULE: ClassVar = "BO-5.3"
    TURN: ClassVar = frozenset({"put-down"})


class Playing(ContractPhase[Common, Commitment], frozen=True):
    """The play of the cards (BO-6)."""

    RULE: ClassVar = "BO-6.1"
    RANKINGS: ClassVar = RANKINGS

    exposed: bool = False
    """Whether declarer's hand lies open."""


State: TypeAlias = Auction | ThrownIn | Support | Answering | Discard | Playing


def playing(common: Common, hands: Hands, commitment: Commitment) -> Playing:
    """The beginning of play: eldest leads in every contract (BO-6.1)."""
    return Playing(common, hands, Tricks(common.order, turn=common.order[0]), commitment)


def begin(dealt: Dealt) -> State:
    """The auction of a new deal, in which eldest speaks first (BO-3.1)."""
    order, options = AROUND.order_of_turns(dealt.dealer), dealt.options
    bidding = Bidding(order, ranks(options.piccolissimo))
    return Auction(Common(options, dealt.version, order, bidding), dealt.hands)


def evolve(state: State, event: Event[BostonEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case BidMade() as public:
            hands = with_hand(state.hands, public.seat, state.hands[public.seat].revealed(public.shown, ORDER))
            auction = replace(expect(state, Auction), hands=hands, bid_at=event.version)
            return auction.called(Call(public.seat, bid_name(public.contract, public.suit)))
        case BidPassed() as public:
            return expect(state, Auction).called(Call(public.seat, PASS))
        case PlayedAlone():
            support = expect(state, Support)
            return playing(support.common, support.hands, _made(support.commitment, event.version))
        case SupportCalled():
            support = expect(state, Support)
            return Answering(support.common, support.hands, _made(support.commitment, event.version))
        case SupportAnswered() as public:
            return expect(state, Answering).answered(Reply(public.seat, public.accepted), event.version)
        case CardPutDown() as public:
            return _put_down(expect(state, Discard), public.seat, event)
        case HandExposed() as public:
            return replace(expect(state, Playing).exposed_by(public), exposed=True)
        case _:
            assert_never(event.public)


def _made(commitment: Commitment, version: int) -> Commitment:
    return replace(commitment, made_at=(*commitment.made_at, version))


def _put_down(state: Discard, seat: Seat, event: Event[BostonEvent]) -> Playing:
    """The play after a discard. An audience that does not see the card no longer knows any of the hand."""
    section = event.section(seat_audience(seat), CardOfDiscard)
    discarded = None if section is None else (section.card,)
    hand = state.hands[seat].exchanged(discarded, 1, (), ORDER)
    commitment = replace(state.commitment, put_down=(None,) if discarded is None else discarded)
    return playing(state.common, with_hand(state.hands, seat, hand), commitment)


def exposes(state: State) -> bool:
    """Whether declarer's hand must be laid open now (BO-5.4)."""
    return isinstance(state, Playing) and state.commitment.bid.contract.ouvert and not state.exposed
