"""A deal of Lórum: one phase, by the deal's kind, and the fold of events into it.

phase      acts        kinds
play       play        No hearts, Queens, No tricks; Hairy Ape with open hands
hairy-ape  turn-up     Hairy Ape, blind
train      play        Train
quart      play        Quart
domino     play, pass  Domino

Each leads to the score.
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.games.lorum.contracts import (
    DOMINO,
    HAIRY_APE,
    KING_OF_HEARTS,
    QUART,
    TRAIN,
    Kind,
    Mark,
    kind_of,
    marks_within_reach,
)
from domain.games.lorum.events import (
    CardAdded,
    CardCounted,
    CardLaid,
    CardTurned,
    LorumEvent,
    TrickKept,
    TurnPassed,
)
from domain.games.lorum.meta import AWAY, PACK, RANKING, SEATS, TURNS, Options, above
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, Pile, with_hand
from domain.kernel.ledger import POOL
from domain.parts.phases import InTurn, PlayPhase, expect
from domain.parts.tricks import CardPlayed, Played, Tricks, TrickWon
from domain.seats import Seat

SEQUENCE = 4
"""The number of cards that complete a sequence (LO-6.3)."""


class Common(Struct, frozen=True, gc=False):
    """The facts that hold throughout a deal. `order` runs from eldest to the dealer."""

    options: Options
    kind: Kind
    deck: Deck
    order: tuple[Seat, ...]
    pot: int
    """The pot when the cards were dealt."""


class Playing(InTurn, PlayPhase[Common], frozen=True):
    """The tricks (LO-3)."""

    RULE: ClassVar = "LO-3.1"
    ranking: ClassVar = RANKING


class Captured(Struct, frozen=True, gc=False):
    """The captor of the king of hearts, and the versions of the events of that trick."""

    seat: Seat
    events: tuple[int, ...]


class LastTrick(Struct, frozen=True, gc=False):
    """A complete trick and its winner; null if each player captured their own card (LO-4.3)."""

    winner: Seat | None
    cards: tuple[Played, ...]


class Place(Struct, frozen=True, gc=False):
    """A place that is not empty: its number, from 1, and its card, None if the audience does not know it."""

    number: int
    card: Card | None


class Blind(InTurn, frozen=True):
    """Hairy Ape, with each player's own cards turned away (LO-4).

    The cards are in places and not in a hand, so no offer is read from them. An empty place is left out of its seat's
    places.
    """

    PHASE: ClassVar = "hairy-ape"
    RULE: ClassVar = "LO-4.2"
    TURN: ClassVar = frozenset({"turn-up"})

    common: Common
    places: tuple[tuple[Place, ...], ...]
    """The places, by seat."""
    turn: Seat | None
    """The seat that plays next; None while a complete trick lies on the table."""
    trick: tuple[Played, ...] = ()
    played_at: tuple[int, ...] = ()
    """The versions of the events of the trick on the table."""
    complete: tuple[LastTrick, ...] = ()
    """Every complete trick, from the first."""
    captured: Captured | None = None

    @property
    def hands(self) -> Hands:
        """Empty hands: in this kind no card is in a hand."""
        return (Hand(),) * SEATS

    @property
    def winners(self) -> tuple[Seat | None, ...]:
        """The winner of each trick so far; None if each player captured their own card."""
        return tuple([trick.winner for trick in self.complete])

    def turned(self, public: CardTurned, version: int) -> "Blind":
        """The play after a card was turned up; `version` is the event's."""
        own = tuple([place for place in self.places[public.seat] if place.number != public.place])
        places = (*self.places[: public.seat], own, *self.places[public.seat + 1 :])
        trick = (*self.trick, Played(public.seat, public.card))
        turn = None if len(trick) == SEATS else TURNS.left(public.seat)
        return replace(self, places=places, turn=turn, trick=trick, played_at=(*self.played_at, version))

    def ended(self, public: TrickWon | TrickKept, version: int) -> "Blind":
        """The play after the trick on the table was captured; `version` is the event's."""
        winner = public.seat if isinstance(public, TrickWon) else None
        captors = [played.seat if winner is None else winner for played in self.trick if played.card == KING_OF_HEARTS]
        return replace(
            self,
            turn=public.seat,
            trick=(),
            played_at=(),
            complete=(*self.complete, LastTrick(winner, self.trick)),
            captured=Captured(captors[0], (*self.played_at, version)) if captors else None,
        )


class PassedMark(Struct, frozen=True, gc=False):
    """A mark of the count, the seat that passed it, and the version of the event."""

    seat: Seat
    mark: Mark
    version: int


class Train(InTurn, frozen=True):
    """The Train: every card adds to a common count (LO-5)."""

    PHASE: ClassVar = "train"
    RULE: ClassVar = "LO-5.1"
    TURN: ClassVar = frozenset({"play"})

    common: Common
    hands: Hands
    turn: Seat
    played: tuple[Played, ...] = ()
    count: int = 0
    passed: tuple[PassedMark, ...] = ()

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks within reach (LO-5.3)."""
        return marks_within_reach(self.common.options.train_ten)

    def counted(self, public: CardCounted, version: int) -> "Train":
        """The Train after a card was played; `version` is the event's."""
        passed = [mark for mark in self.marks if self.count < mark.mark <= public.count]
        return replace(
            self,
            hands=_without(self.hands, public.seat, public.card),
            turn=TURNS.left(public.seat),
            played=(*self.played, Played(public.seat, public.card)),
            count=public.count,
            passed=(*self.passed, *(PassedMark(public.seat, mark, version) for mark in passed)),
        )


class Quart(InTurn, frozen=True):
    """Quart: sequences, in which the next card must be played by its holder (LO-6)."""

    PHASE: ClassVar = "quart"
    RULE: ClassVar = "LO-6.2"
    TURN: ClassVar = frozenset({"play"})

    common: Common
    hands: Hands
    turn: Seat | None
    """The seat that plays next, as the last event said; None when the deal has ended."""
    sequence: tuple[Played, ...] = ()
    gone: tuple[Played, ...] = ()
    """The cards of complete sequences, in the order played."""
    ended_by: tuple[Seat, int] | None = None
    """The seat that played the last card of its hand, and the version of that event."""

    def acts_rule(self) -> str:
        """The rule of the next card of a sequence, or of its first (LO-6.1, LO-6.4)."""
        if self.sequence:
            return self.RULE
        return "LO-6.4" if self.gone else "LO-6.1"

    def completed_by(self, card: Card) -> bool:
        """Whether this card completes the sequence: the fourth, or one whose next card is played already (LO-6.3)."""
        played = [each.card for each in (*self.gone, *self.sequence)]
        return len(self.sequence) + 1 == SEQUENCE or above(card) in played

    def added(self, public: CardAdded, version: int) -> "Quart":
        """The sequences after a card was played; `version` is the event's."""
        sequence: tuple[Played, ...] = (*self.sequence, Played(public.seat, public.card))
        gone = self.gone
        if self.completed_by(public.card):
            gone, sequence = (*gone, *sequence), ()
        ended_by = (public.seat, version) if public.next is None else None
        hands = _without(self.hands, public.seat, public.card)
        return replace(self, hands=hands, turn=public.next, sequence=sequence, gone=gone, ended_by=ended_by)


class Domino(InTurn, frozen=True):
    """Domino: rows that grow from the starting rank to both sides (LO-7)."""

    PHASE: ClassVar = "domino"
    RULE: ClassVar = "LO-7.2"
    TURN: ClassVar = frozenset({"play", "pass"})

    common: Common
    hands: Hands
    turn: Seat
    laid: tuple[Played, ...] = ()
    """The cards of all rows, in the order played; the first card's rank is the starting rank (LO-7.1)."""
    ended_by: tuple[Seat, int] | None = None
    """The seat that played the last card of its hand, and the version of that event."""

    def acts_rule(self) -> str:
        """The rule of the cards that fit, or of the first card (LO-7.1)."""
        return self.RULE if self.laid else "LO-7.1"

    @property
    def starting_rank(self) -> str | None:
        """The rank that begins a row; None before the first card."""
        return PACK.rank(self.laid[0].card) if self.laid else None

    @property
    def rows(self) -> tuple[Card, ...]:
        """The cards of all rows, in the order played."""
        return tuple([played.card for played in self.laid])

    def after(self, public: CardLaid, version: int) -> "Domino":
        """The rows after a card was laid; `version` is the event's."""
        seat, card = public.seat, public.card
        hands = _without(self.hands, seat, card)
        ended_by = None if hands[seat].size else (seat, version)
        return replace(
            self, hands=hands, turn=TURNS.left(seat), laid=(*self.laid, Played(seat, card)), ended_by=ended_by
        )


State: TypeAlias = Playing | Blind | Train | Quart | Domino


def _without(hands: Hands, seat: Seat, card: Card) -> Hands:
    return with_hand(hands, seat, hands[seat].played(card))


def begin(dealt: Dealt) -> State:
    """A new deal, whose kind follows from its number; eldest begins (LO-1.2, LO-1.4)."""
    kind = kind_of(dealt.standing.deal)
    order = TURNS.order_of_turns(dealt.dealer)
    common = Common(dealt.options, kind, dealt.deck, order, dealt.standing.accounts.get(POOL, 0))
    eldest = order[0]
    if kind == TRAIN:
        return Train(common, dealt.hands, eldest)
    if kind == QUART:
        return Quart(common, dealt.hands, eldest)
    if kind == DOMINO:
        return Domino(common, dealt.hands, eldest)
    if kind == HAIRY_APE and dealt.options.hairy_ape == "blind":
        return Blind(common, tuple(_places(dealt.pile(AWAY, seat)) for seat in range(SEATS)), eldest)
    return Playing(common, dealt.hands, Tricks(order, turn=eldest))


def _places(pile: Pile) -> tuple[Place, ...]:
    """The places of a hand that is turned away, 1 to 8 in the order dealt (LO-4.1)."""
    return tuple([Place(number, card) for number, card in enumerate(pile, 1)])


def evolve(state: State, event: Event[LorumEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # Cards come first, as the most frequent: cases are tried in turn. `expect` names the phase of the event.
        case CardPlayed() as public:
            return expect(state, Playing).after(public, event.version)
        case CardCounted() as public:
            return expect(state, Train).counted(public, event.version)
        case CardAdded() as public:
            return expect(state, Quart).added(public, event.version)
        case CardLaid() as public:
            return expect(state, Domino).after(public, event.version)
        case CardTurned() as public:
            return expect(state, Blind).turned(public, event.version)
        case TrickWon() as public if isinstance(state, Playing):
            return state.after(public, event.version)
        case TrickWon() | TrickKept() as public:
            return expect(state, Blind).ended(public, event.version)
        case TurnPassed() as public:
            return replace(expect(state, Domino), turn=TURNS.left(public.seat))
        case _:
            assert_never(event.public)
