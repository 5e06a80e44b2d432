"""A deal of Diloti: one phase, and the fold of events into it.

phase  acts                   leads to
play   lay, capture, declare  play; the score

When all hands are empty, another batch is dealt; after the last one, the last captor gets the loose cards.
"""

from collections.abc import Sequence
from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.games.diloti.events import (
    BatchDealt,
    CardLaid,
    CardsCaptured,
    DealtBatch,
    DeclarationMade,
    DilotiEvent,
    RestTaken,
)
from domain.games.diloti.meta import HAND, ORDER, STOCK, TABLE, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hands, Pile, with_hand
from domain.parts.sides import OfTwoSides, scores_of_two_sides
from domain.parts.turns import Clockwise, order_of_turns
from domain.seats import Seat, seat_audience


class Declaration(Struct, frozen=True, gc=False):
    """A declaration on the table, by its number in the deal: its value, its cards, its number of sets, its owner
    (DL-6).
    """

    declaration: int
    value: int
    sets: int
    cards: tuple[Card, ...]
    owner: Seat


class Capture(Struct, frozen=True, gc=False):
    """Cards that went to a side's pile, including the one played, and the version of the event (DL-5, DL-9.2)."""

    seat: Seat
    cards: tuple[Card, ...]
    xeri: bool
    version: int


class Playing(Phase, OfTwoSides, frozen=True):
    """The play of the cards (DL-4)."""

    PHASE: ClassVar = "play"
    RULE: ClassVar = "DL-4.1"
    TURN: ClassVar = frozenset({"lay", "capture", "declare"})

    options: Options
    deck: Deck
    order: tuple[Seat, ...]
    """The seats from eldest to the dealer."""
    scores: tuple[int, ...]
    """The sides' scores when the cards were dealt."""
    hands: Hands
    stock: Pile
    turn: Seat
    loose: tuple[Card, ...]
    """The loose cards on the table, as laid."""
    declarations: tuple[Declaration, ...] = ()
    captures: tuple[Capture, ...] = ()
    made: int = 0
    """The number of declarations made in this deal."""
    turns: int = 0
    """The number of turns played in this deal."""
    batch: int = 1

    @property
    def by_side(self) -> tuple[tuple[Capture, ...], ...]:
        """The captures, by side, in order."""
        first = self.sides[0]
        ours = tuple([capture for capture in self.captures if capture.seat in first])
        return ours, tuple([capture for capture in self.captures if capture.seat not in first])

    def owned(self, seat: Seat) -> Declaration | None:
        """The declaration that the seat owns (DL-7.4); None if there is none."""
        return next((each for each in self.declarations if each.owner == seat), None)

    def named(self, numbers: Sequence[int]) -> tuple[Declaration, ...]:
        """The declarations of these numbers."""
        return tuple([each for each in self.declarations if each.declaration in numbers])

    @property
    def last_captor(self) -> Seat | None:
        """The player who captured last (DL-5.4); None if nobody has."""
        return self.captures[-1].seat if self.captures else None

    @property
    def empty_handed(self) -> bool:
        """Whether no hand holds a card (DL-3.2, DL-9.1)."""
        return not any(hand.size for hand in self.hands)

    @property
    def rest_due(self) -> bool:
        """Whether the loose cards must go to the last captor's side (DL-9.2)."""
        return self.empty_handed and not self.stock and bool(self.loose) and bool(self.captures)

    def played(self, seat: Seat, card: Card) -> "Playing":
        """The play after the seat played this card and its turn ended."""
        hands = with_hand(self.hands, seat, self.hands[seat].played(card))
        return replace(self, hands=hands, turn=Clockwise(len(hands)).left(seat), turns=self.turns + 1)

    def without(self, loose: Sequence[Card], declarations: Sequence[int]) -> "Playing":
        """The play without these cards and declarations on the table."""
        return replace(
            self,
            loose=tuple([card for card in self.loose if card not in loose]),
            declarations=tuple([each for each in self.declarations if each.declaration not in declarations]),
        )


State: TypeAlias = Playing


def begin(dealt: Dealt) -> State:
    """The deal at its beginning, with its first batch dealt (DL-3.1)."""
    options: Options = dealt.options
    order, before = order_of_turns(dealt.standing), scores_of_two_sides(dealt.standing)
    table = tuple([card for card in dealt.pile(TABLE) if card is not None])
    return Playing(options, dealt.deck, order, before, dealt.hands, dealt.pile(STOCK), order[0], table)


def evolve(state: State, event: Event[DilotiEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        case CardLaid() as public:
            return replace(state.played(public.seat, public.card), loose=(*state.loose, public.card))
        case CardsCaptured() as public:
            left = state.played(public.seat, public.card).without(public.loose, public.declarations)
            taken = Capture(public.seat, (*public.taken, public.card), public.xeri, event.version)
            return replace(left, captures=(*state.captures, taken))
        case DeclarationMade() as public:
            left = state.played(public.seat, public.card).without(public.loose, public.declarations)
            made = Declaration(public.declaration, public.value, public.sets, public.cards, public.seat)
            return replace(left, declarations=(*left.declarations, made), made=public.declaration)
        case BatchDealt() as public:
            return _dealt(state, event, public)
        case RestTaken() as public:
            taken = Capture(public.seat, public.cards, xeri=False, version=event.version)
            return replace(state.without(public.cards, ()), captures=(*state.captures, taken))
        case _:
            assert_never(event.public)


def _dealt(state: State, event: Event[DilotiEvent], public: BatchDealt) -> State:
    """The play after six more cards were dealt to each, eldest first, from the top of the stock (DL-3.2)."""
    hands, stock = state.hands, state.stock
    for seat in state.order:
        own = event.section(seat_audience(seat), DealtBatch)
        cards: Pile = stock[:HAND] if own is None else tuple([each.card for each in own.cards])
        hands, stock = with_hand(hands, seat, hands[seat].joined(cards, ORDER)), stock[HAND:]
    return replace(state, hands=hands, stock=stock, batch=public.batch)
