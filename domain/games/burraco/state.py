"""A deal of Burraco: a union of phases, and the fold of events into them.

phase  acts               leads to
draw   draw, take-pile    meld
meld   lay, add           meld
meld   discard            draw of the next seat, or the score

A seat whose hand is empty takes its side's pozzetto. It looks at it in its own turn.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.games.burraco.contracts import Kind
from domain.games.burraco.events import (
    BurracoEvent,
    CardAdded,
    CardDiscarded,
    CardDrawn,
    DrawnCard,
    MeldLaid,
    OpenedPozzetto,
    PileTaken,
    PozzettoOpened,
    PozzettoTaken,
)
from domain.games.burraco.melds import Arranged
from domain.games.burraco.meta import (
    ORDER,
    PILE,
    POZZETTI,
    STOCK,
    Options,
    pozzetto,
)
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.parts.phases import expect
from domain.parts.sides import OfTwoSides, scores_of_two_sides, two_sides
from domain.parts.turns import Clockwise, order_of_turns
from domain.seats import Seat, seat_audience


class Meld(Struct, frozen=True, gc=False):
    """A meld of a side, by its number in the deal, and the versions of the events that made it."""

    meld: int
    side: int
    arranged: Arranged
    burraco: Kind | None
    events: tuple[int, ...]


class Pozzetto(Struct, frozen=True, gc=False):
    """A pozzetto that nobody has looked at, and the seat that has taken it; None if none has."""

    pozzetto: int
    cards: Pile
    seat: Seat | None = None


class Common(Struct, OfTwoSides, frozen=True, gc=False):
    """The facts that hold in every phase of a deal. `pile` is in the order of the discards."""

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    scores: tuple[int, ...]
    """The sides' scores when the cards were dealt."""
    hands: Hands
    stock: Pile
    pile: tuple[Card, ...]
    pozzetti: tuple[Pozzetto, ...]
    takers: tuple[Seat | None, ...]
    """The seat that took the pozzetto, by side."""
    melds: tuple[Meld, ...] = ()
    idle: int = 0
    """The number of idle turns in a row (BU-9.4)."""

    def melds_of(self, side: int) -> tuple[Meld, ...]:
        """The side's melds, in the order laid."""
        return tuple([meld for meld in self.melds if meld.side == side])

    def with_hand(self, seat: Seat, hand: Hand) -> "Common":
        """The common part with this hand for the seat."""
        return replace(self, hands=with_hand(self.hands, seat, hand))

    def face_down(self, seat: Seat) -> Pozzetto | None:
        """The pozzetto that the seat has taken and not looked at (BU-8.3); None if there is none."""
        return next((one for one in self.pozzetti if one.seat == seat), None)

    @property
    def taking(self) -> Seat | None:
        """The seat that must take a pozzetto, since its hand is empty (BU-8.1); None if there is none."""
        for seat in self.order:
            if not self.hands[seat].size and self.takers[self.side(seat)] is None:
                return seat
        return None


class InTurn(Phase, frozen=True):
    """A phase of a player's turn."""

    common: Common
    turn: Seat

    @property
    def hands(self) -> Hands:
        """The hands, by seat; empty for a seat whose pozzetto lies face down."""
        return self.common.hands


class Drawing(InTurn, frozen=True):
    """A player is to draw (BU-4), or the deal has ended with the turn before (BU-9)."""

    PHASE: ClassVar = "draw"
    RULE: ClassVar = "BU-4.1"
    TURN: ClassVar = frozenset({"draw", "take-pile"})

    closer: Seat | None = None
    """The seat that has closed (BU-9.2)."""
    discarded: int | None = None
    """The version of the last discard."""


class Melding(InTurn, frozen=True):
    """A player has drawn, may lay and add, and is to discard (BU-4)."""

    PHASE: ClassVar = "meld"
    RULE: ClassVar = "BU-4.1"
    TURN: ClassVar = frozenset({"lay", "add", "discard"})

    barred: Card | None = None
    """The only card of the pile that was taken, which may not be discarded in this turn (BU-4.2)."""
    melded: bool = False
    """Whether a meld was laid or a card added in this turn."""


State: TypeAlias = Drawing | Melding


def begin(dealt: Dealt) -> State:
    """The deal at its beginning, with one card on the discard pile (BU-3.1)."""
    options: Options = dealt.options
    order = order_of_turns(dealt.standing)
    common = Common(
        options,
        dealt.deck,
        order,
        scores_of_two_sides(dealt.standing),
        dealt.hands,
        dealt.pile(STOCK),
        tuple([card for card in dealt.pile(PILE) if card is not None]),
        tuple([Pozzetto(number, dealt.pile(pozzetto(number))) for number in range(1, POZZETTI + 1)]),
        (None,) * len(two_sides(options)),
    )
    return Drawing(common, order[0])


def evolve(state: State, event: Event[BurracoEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    common, version = state.common, event.version
    match event.public:
        case CardDrawn() as public:
            own = event.section(seat_audience(public.seat), DrawnCard)
            card = common.stock[0] if own is None else own.card.card
            hand = common.hands[public.seat].joined((card,), ORDER)
            drawn = replace(common.with_hand(public.seat, hand), stock=common.stock[1:])
            return Melding(drawn, public.seat)
        case PileTaken() as public:
            hand = common.hands[public.seat].joined(public.cards, ORDER)
            barred = public.cards[0] if len(public.cards) == 1 else None
            return Melding(replace(common.with_hand(public.seat, hand), pile=()), public.seat, barred)
        case MeldLaid() as public:
            hand = common.hands[public.seat].without(public.cards)
            meld = Meld(public.meld, common.side(public.seat), Arranged(public.cards, public.wild), None, (version,))
            laid = replace(common.with_hand(public.seat, hand), melds=(*common.melds, meld))
            return replace(expect(state, Melding), common=laid, melded=True)
        case CardAdded() as public:
            return replace(expect(state, Melding), common=_added(common, public, version), melded=True)
        case CardDiscarded() as public:
            hand = common.hands[public.seat].played(public.card)
            pile = (*common.pile, public.card)
            left = replace(common.with_hand(public.seat, hand), pile=pile, idle=public.idle)
            following = Clockwise(len(common.order)).left(public.seat)
            return Drawing(left, following, public.seat if public.closes else None, version)
        case PozzettoTaken() as public:
            return replace(state, common=_taken(common, public))
        case PozzettoOpened() as public:
            opened = event.section(seat_audience(public.seat), OpenedPozzetto)
            return replace(state, common=_opened(common, public.seat, opened))
        case _:
            assert_never(event.public)


def _added(common: Common, public: CardAdded, version: int) -> Common:
    """The common part after a card was added to a meld."""
    melds = list(common.melds)
    before = melds[public.meld - 1]
    grown = Arranged(public.cards, public.wild)
    melds[public.meld - 1] = replace(before, arranged=grown, burraco=public.burraco, events=(*before.events, version))
    hand = common.hands[public.seat].played(public.card)
    return replace(common.with_hand(public.seat, hand), melds=tuple(melds))


def _taken(common: Common, public: PozzettoTaken) -> Common:
    """The common part after a pozzetto was taken: it lies before the seat, face down."""
    side = common.side(public.seat)
    takers = tuple([public.seat if number == side else taker for number, taker in enumerate(common.takers)])
    pozzetti = tuple(
        [replace(one, seat=public.seat) if one.pozzetto == public.pozzetto else one for one in common.pozzetti]
    )
    return replace(common, takers=takers, pozzetti=pozzetti)


def _opened(common: Common, seat: Seat, opened: OpenedPozzetto | None) -> Common:
    """The common part after a seat looked at its pozzetto, which becomes its hand."""
    lying = next(one for one in common.pozzetti if one.seat == seat)
    cards: Pile = lying.cards if opened is None else tuple([each.card for each in opened.cards])
    rest = tuple([one for one in common.pozzetti if one.seat != seat])
    return replace(common.with_hand(seat, Hand.of(cards, ORDER)), pozzetti=rest)
