"""A hand of Nuts: one phase, and the fold of events into it.

phase   acts                                  leads to
racing  turn, flip, build, found, stuck, nuts  the score

No act needs a turn, and nobody must act (NU-4). All folds but the house's are equal (NU-10.1).
"""

from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck, Opening
from domain.games.nuts.events import (
    AllStuck,
    CardBuilt,
    CardFounded,
    NutsCalled,
    NutsEvent,
    PileFlipped,
    ShiftMade,
    Source,
    StockTurned,
    StuckSaid,
)
from domain.games.nuts.meta import RESERVE, STOCK, TABLEAU, Options
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Pile
from domain.seats import Seat

Column: TypeAlias = tuple[Card, ...]
"""A column of the tableau, or a foundation, from its first card to its last."""


class Layout(Struct, frozen=True, gc=False):
    """A seat's cards (NU-3.2). The first card of a pile is its top, which is always open."""

    reserve: Pile
    columns: tuple[Column, ...]
    stock: Pile
    discards: Pile = ()
    stuck: bool = False
    """Whether the player's `stuck` still counts (NU-7.2)."""
    founded: tuple[int, ...] = ()
    """The versions of the events that moved the player's cards to the middle (NU-9.1)."""
    uncovered: tuple[int, ...] = ()
    """The versions of the events that took cards from the reserve (NU-9.2)."""

    def turned(self, count: int, top: Card) -> "Layout":
        """The layout after `count` cards of the stock were turned, with `top` seen (NU-4.1)."""
        under = self.stock[: count - 1]
        return replace(self, stock=self.stock[count:], discards=(top, *reversed(under), *self.discards), stuck=False)

    def flipped(self) -> "Layout":
        """The layout after the discard pile became the stock (NU-4.2)."""
        return replace(self, stock=self.discards[::-1], discards=(), stuck=False)

    def shifted(self) -> "Layout":
        """The layout after the discard pile went onto the stock, and then its top card to its bottom (NU-7.3)."""
        stock = (*self.discards[::-1], *self.stock)
        return replace(self, stock=(*stock[1:], *stock[:1]), discards=(), stuck=False)

    def without(self, card: Card, source: Source, uncovered: Opening | None, version: int) -> "Layout":
        """The layout after the card, with all cards on it, was taken from its source, which uncovered `uncovered`.

        See NU-4.6 and NU-5.1.
        """
        top = () if uncovered is None else (uncovered.card,)
        if source == "reserve":
            gone = (*self.uncovered, version)
            return replace(self, reserve=(*top, *self.reserve[2:]), uncovered=gone, stuck=False)
        if source == "discards":
            return replace(self, discards=(*top, *self.discards[2:]), stuck=False)
        columns = tuple([column[: column.index(card)] if card in column else column for column in self.columns])
        return replace(self, columns=columns, stuck=False)

    def moving(self, card: Card) -> Column:
        """The card with all cards on it."""
        return next((column[column.index(card) :] for column in self.columns if card in column), (card,))

    def built(self, cards: Column, column: int) -> "Layout":
        """The layout after these cards came to the column of this number."""
        columns = list(self.columns)
        columns[column - 1] += cards
        return replace(self, columns=tuple(columns))


class Racing(Phase, frozen=True):
    """The hand is being played: everybody may act at any time (NU-4)."""

    PHASE: ClassVar = "racing"
    RULE: ClassVar = "NU-3.1"
    FREE: ClassVar = frozenset({"turn", "flip", "build", "found", "stuck", "nuts"})

    options: Options
    deck: Deck
    dealt_at: int
    """The version of `cards-dealt`."""
    layouts: tuple[Layout, ...]
    since: int
    """The version of the last progress or shift; before any, that of `cards-dealt` (NU-7.5)."""
    foundations: tuple[Column, ...] = ()
    idle: int = 0
    """The number of the players' acts since the last progress (NU-7.5)."""
    shifts: int = 0
    """The number of shifts since the last progress (NU-7.4)."""
    called: Seat | None = None
    """The seat for which Nuts was called (NU-8.1); None before."""

    @property
    def all_stuck(self) -> bool:
        """Whether everybody's `stuck` counts (NU-7.3)."""
        for layout in self.layouts:
            if not layout.stuck:
                return False
        return True

    @property
    def nuts(self) -> Seat | None:
        """The seat whose empty reserve ends the hand at once (NU-8.1); None if there is none."""
        if self.options.nuts_call == "at-once":
            for seat, layout in enumerate(self.layouts):
                if not layout.reserve:
                    return seat
        return None

    def acted(self, seat: Seat, layout: Layout) -> "Racing":
        """The hand after an act of the seat without progress, which left this layout."""
        return replace(self, layouts=_with(self.layouts, seat, layout), idle=self.idle + 1)

    def progressed(self, seat: Seat, layout: Layout, version: int) -> "Racing":
        """The hand after progress by the seat (NU-7.1), which left this layout; every `stuck` lapses (NU-7.2)."""
        others = tuple([replace(each, stuck=False) if each.stuck else each for each in self.layouts])
        return replace(self, layouts=_with(others, seat, layout), since=version, idle=0, shifts=0)

    def founded(self, public: CardFounded, version: int) -> "Racing":
        """The hand after a card went to the middle."""
        number = public.foundation - 1
        column = (*self.foundations[number], public.card) if number < len(self.foundations) else (public.card,)
        layout = self.layouts[public.seat].without(public.card, public.source, public.uncovered, version)
        after = self.progressed(public.seat, replace(layout, founded=(*layout.founded, version)), version)
        return replace(after, foundations=(*self.foundations[:number], column, *self.foundations[number + 1 :]))

    def built(self, public: CardBuilt, version: int) -> "Racing":
        """The hand after a card came to a column, with all cards on it; from reserve or discard pile that is
        progress.
        """
        layout = self.layouts[public.seat]
        moving = layout.moving(public.card)
        layout = layout.without(public.card, public.source, public.uncovered, version).built(moving, public.column)
        if public.source == "tableau":
            return self.acted(public.seat, layout)
        return self.progressed(public.seat, layout, version)


State: TypeAlias = Racing


def _with(layouts: tuple[Layout, ...], seat: Seat, layout: Layout) -> tuple[Layout, ...]:
    return (*layouts[:seat], layout, *layouts[seat + 1 :])


def begin(dealt: Dealt) -> State:
    """The hand at its beginning: each seat has its layout (NU-3.2)."""
    layouts = tuple(
        Layout(
            dealt.pile(RESERVE, seat),
            tuple((card,) for card in dealt.pile(TABLEAU, seat) if card is not None),
            dealt.pile(STOCK, seat),
        )
        for seat in range(len(dealt.standing.totals))
    )
    return Racing(dealt.options, dealt.deck, dealt.version, layouts, dealt.version)


def evolve(state: State, event: Event[NutsEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        # The most frequent cases come first, since they are tried in turn.
        case StockTurned() as public:
            return state.acted(public.seat, state.layouts[public.seat].turned(public.count, public.top.card))
        case CardBuilt() as public:
            return state.built(public, event.version)
        case CardFounded() as public:
            return state.founded(public, event.version)
        case PileFlipped() as public:
            return state.acted(public.seat, state.layouts[public.seat].flipped())
        case StuckSaid() as public:
            return state.acted(public.seat, replace(state.layouts[public.seat], stuck=True))
        case AllStuck():
            return replace(state, layouts=tuple([replace(layout, stuck=True) for layout in state.layouts]))
        case ShiftMade() as public:
            layouts = tuple([layout.shifted() for layout in state.layouts])
            return replace(state, layouts=layouts, since=event.version, shifts=public.shift)
        case NutsCalled() as public:
            return replace(state, called=public.seat)
        case _:
            assert_never(event.public)
