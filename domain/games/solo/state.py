"""A deal of Solo: a union of phases, and the fold of events into them.

phase        acts            leads to
auction      ask, yes, pass  declaration
declaration  declare         play
play         play            the score

At the highest level there is no choice, so the declaration is automatic.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.fair.deck import Deck
from domain.games.solo.contracts import CONTRACTS, HIGHEST, Contract
from domain.games.solo.events import BidAsked, BidHeld, ContractDeclared, PartnerShown, QueenShown, SoloEvent
from domain.games.solo.meta import ORDER, RANKINGS, TURNS, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hands, with_hand
from domain.kernel.worth import cited
from domain.parts.auction import BidPassed
from domain.parts.phases import ContractPhase, InTurn, expect
from domain.parts.questioning import Questioning
from domain.parts.tricks import CardPlayed, Tricks, TrickWon
from domain.seats import Seat


class Common(Struct, frozen=True, gc=False):
    """The facts that hold in every phase of a deal. `order` runs from the dealer's left to the dealer."""

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    auction: Questioning
    always_declared: bool = False
    """Whether declarer declares even at the highest level, as in version 1 of the rules."""


class Commitment(Struct, frozen=True, gc=False):
    """Declarer's game. `made_at` are the versions of the events that declared it, and of `queen-shown`."""

    declarer: Seat
    contract: Contract
    trump: Suit
    called: Card | None
    made_at: tuple[int, ...]


class Partner(Struct, frozen=True, gc=False):
    """The seat that played the called card, and the version of `partner-shown`."""

    seat: Seat
    shown_at: int


class Auction(Phase, frozen=True):
    """The auction (SO-3.1)."""

    PHASE: ClassVar = "auction"
    RULE: ClassVar = "SO-3.1"
    TURN: ClassVar = frozenset({"ask", "yes", "pass"})

    common: Common
    hands: Hands

    @property
    def turn(self) -> Seat | None:
        """The seat that speaks next; None when all have passed."""
        return self.common.auction.turn

    def spoken(self, auction: Questioning) -> "Auction | Declaration":
        """The auction after a call or, at its end, the declaration by the seat that holds a level."""
        common = replace(self.common, auction=auction)
        if auction.winner is None:
            return Auction(common, self.hands)
        return Declaration(common, self.hands, auction.winner, auction.level)


class Declaration(InTurn, frozen=True):
    """Declarer is to declare the game (SO-3.2)."""

    PHASE: ClassVar = "declaration"
    RULE: ClassVar = "SO-3.2"
    TURN: ClassVar = frozenset({"declare"})

    common: Common
    hands: Hands
    declarer: Seat
    level: int
    """The level held; 0 if all have passed (SO-3.4)."""
    shown_at: int | None = None
    """The version of `queen-shown`, if all have passed."""

    @property
    def turn(self) -> Seat | None:
        """Declarer's seat; None at the highest level, whose only possible declaration is automatic."""
        return None if self.level == HIGHEST and not self.common.always_declared else self.declarer

    def acts_rule(self) -> str:
        """The rule by which the last holder declares, or the holder of the queen of clubs (SO-3.4)."""
        return self.RULE if self.level else "SO-3.4"


class Playing(ContractPhase[Common, Commitment], frozen=True):
    """The play of the cards (SO-4). `partner` is None until the called card has been played."""

    RULE: ClassVar = "SO-4.1"
    RANKINGS: ClassVar = RANKINGS

    partner: Partner | None = None


State: TypeAlias = Auction | Declaration | Playing


def begin(dealt: Dealt) -> State:
    """The auction of a new deal."""
    order = TURNS.order_of_turns(dealt.dealer)
    return Auction(Common(dealt.options, dealt.deck, order, Questioning(order, HIGHEST)), dealt.hands)


def evolve(state: State, event: Event[SoloEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() | TrickWon() as public:
            return expect(state, Playing).after(public, event.version)
        case BidAsked() as public:
            return expect(state, Auction).spoken(state.common.auction.asked(public.seat, public.level))
        case BidHeld() as public:
            return expect(state, Auction).spoken(state.common.auction.held(public.seat, public.level))
        case BidPassed() as public:
            return expect(state, Auction).spoken(state.common.auction.passed(public.seat))
        case QueenShown() as public:
            hands = with_hand(state.hands, public.seat, state.hands[public.seat].revealed((public.card,), ORDER))
            return Declaration(state.common, hands, public.seat, 0, event.version)
        case ContractDeclared() as public:
            contract, order = CONTRACTS[public.level], state.common.order
            made_at = cited(expect(state, Declaration).shown_at, event.version)
            commitment = Commitment(public.seat, contract, public.trump, public.called, made_at)
            return Playing(state.common, state.hands, Tricks(order, turn=order[0]), commitment)
        case PartnerShown() as public:
            return replace(expect(state, Playing), partner=Partner(public.seat, event.version))
        case _:
            assert_never(event.public)
