"""A deal of Nine-Card Don: a union of phases, and the fold of events into them.

phase  acts  leads to
pitch  play  play
play   play  the score

The hand of the pitcher's partner is opened after the first card.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Suit
from domain.fair.deck import Deck
from domain.games.don.events import DonEvent, HandOpened, OpenedHand, TrickScored
from domain.games.don.meta import ASIDE, ORDER, PACK, RANKINGS, TURNS, WAITING, Options, partner_of_pitcher
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.phases import PlayPhase, expect
from domain.parts.ranks import Ranking
from domain.parts.sides import number_of, scores
from domain.parts.tricks import CardPlayed, Tricks
from domain.seats import Seat, seat_audience


class Common(Struct, frozen=True, gc=False):
    """The facts that hold in every phase of a deal. `order` runs from the pitcher to the dealer."""

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    scores: tuple[int, ...]
    """The sides' scores when the cards were dealt, from which the deal counts on (ND-6.4)."""
    aside: Pile
    """The cards that nobody was dealt (ND-2.2)."""

    @property
    def pitcher(self) -> Seat:
        """The seat that leads to the first trick (ND-1.3)."""
        return self.order[0]

    @property
    def partner(self) -> Seat:
        """The seat opposite the pitcher."""
        return partner_of_pitcher(self.order)


class Pitching(Phase, frozen=True):
    """The pitcher is to lead the first card (ND-3.1).

    The cards of the pitcher's partner are in `waiting` and in no hand: nobody knows them, so no offer is read from
    them.
    """

    PHASE: ClassVar = "pitch"
    RULE: ClassVar = "ND-3.1"
    TURN: ClassVar = frozenset({"play"})

    common: Common
    hands: Hands
    waiting: Pile

    @property
    def turn(self) -> Seat:
        """The seat that acts next: the pitcher."""
        return self.common.pitcher


class Playing(PlayPhase[Common], frozen=True):
    """The play of the cards (ND-3)."""

    RULE: ClassVar = "ND-3.1"

    trump: Suit
    """The trump suit, set by the first card."""
    scores: tuple[int, ...]
    """The sides' scores, including this deal so far (ND-4.1)."""
    waiting: Pile = ()
    """The cards of the pitcher's partner, until that hand is opened (ND-2.3)."""

    @property
    def ranking(self) -> Ranking:
        """The ranking under the deal's trumps."""
        return RANKINGS[self.trump]

    def opened(self, own: OpenedHand | None) -> "Playing":
        """The play after the partner's hand was opened; an audience that may not see it knows none of its cards."""
        cards: Pile = self.waiting if own is None else tuple([opening.card for opening in own.cards])
        hands = with_hand(self.hands, self.common.partner, Hand.of(cards, ORDER))
        return replace(self, hands=hands, waiting=())

    def scored(self, public: TrickScored, version: int) -> "Playing":
        """The play after the trick on the table was won; `version` is the event's."""
        side = number_of(public.seat)
        scores = tuple([public.score if number == side else score for number, score in enumerate(self.scores)])
        return replace(self.after(public, version), scores=scores)


State: TypeAlias = Pitching | Playing


def begin(dealt: Dealt) -> State:
    """The deal at its beginning, before the first card names trumps."""
    order = TURNS.order_of_turns(dealt.dealer)
    common = Common(dealt.options, dealt.deck, order, scores(dealt.standing.totals), dealt.pile(ASIDE))
    return Pitching(common, dealt.hands, dealt.pile(WAITING, common.partner))


def pitched(state: Pitching, public: CardPlayed) -> Playing:
    """The play after the first card, whose suit is trumps (ND-3.1)."""
    common = state.common
    tricks = Tricks(common.order, turn=common.pitcher)
    return Playing(common, state.hands, tricks, PACK.suit(public.card), common.scores, state.waiting)


def evolve(state: State, event: Event[DonEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn. `expect` names the phase of the event.
        case CardPlayed() as public:
            playing = pitched(state, public) if isinstance(state, Pitching) else state
            return playing.after(public, event.version)
        case TrickScored() as public:
            return expect(state, Playing).scored(public, event.version)
        case HandOpened() as public:
            return expect(state, Playing).opened(event.section(seat_audience(public.seat), OpenedHand))
        case _:
            assert_never(event.public)
