"""The acts of a player in Nuts, none of which needs a turn (NU-4), the rules that limit them, and their events."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.fair.deck import Opening
from domain.games.nuts.events import (
    CardBuilt,
    CardFounded,
    NutsCalled,
    PileFlipped,
    Source,
    StockTurned,
    StuckSaid,
)
from domain.games.nuts.meta import ACES, BUILT_ON, COLUMNS, FOUNDED_ON, PACK, TURNED
from domain.games.nuts.state import Layout, State
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Bar, Refusal
from domain.kernel.event import Event
from domain.kernel.hands import Pile
from domain.parts.holding import either
from domain.seats import HOUSE, Seat


class Ready(Action, frozen=True, tag="ready"):
    """Be ready for the next hand, which is dealt when all are."""

    RULE: ClassVar = "NU-3.1"


class Turn(Action, frozen=True, tag="turn"):
    """Turn the top three cards of the stock onto the discard pile."""

    RULE: ClassVar = "NU-4.1"


class Flip(Action, frozen=True, tag="flip"):
    """Turn the discard pile over, to be the stock."""

    RULE: ClassVar = "NU-4.2"


class Build(Action, frozen=True, tag="build"):
    """Move a card, with all cards on it, onto a column of one's own tableau."""

    RULE: ClassVar = "NU-5.2"

    card: Card
    column: int


class Found(Action, frozen=True, tag="found"):
    """Move a card to the middle: an ace starts a foundation, any other card goes onto the one named."""

    RULE: ClassVar = "NU-5.3"

    card: Card
    foundation: int | None = None


class Stuck(Action, frozen=True, tag="stuck"):
    """Declare oneself stuck."""

    RULE: ClassVar = "NU-4.5"


class Nuts(Action, frozen=True, tag="nuts"):
    """Call Nuts, which ends the hand, if players with an empty reserve may play on."""

    RULE: ClassVar = "NU-8.1"


NutsAction: TypeAlias = Ready | Turn | Flip | Build | Found | Stuck | Nuts


def _is_dealt(state: State, card: Card) -> bool:
    owner = PACK.faces[card].owner
    return owner is not None and owner < state.options.players


def _no_stock(state: State, seat: Seat) -> str | None:
    return None if state.layouts[seat].stock else "your stock is empty"


def _not_flipped(state: State, seat: Seat) -> str | None:
    layout = state.layouts[seat]
    if layout.stock:
        return f"there are {len(layout.stock)} cards in your stock, which must be empty"
    return None if layout.discards else "your discard pile is empty"


def _is_stuck(state: State, seat: Seat) -> str | None:
    return "you have said so already" if state.layouts[seat].stuck else None


def source_of(layout: Layout, card: Card) -> Source | None:
    """The source of the card; None if the card cannot be moved to a column (NU-5.1)."""
    if card in layout.reserve[:1]:
        return "reserve"
    if card in layout.discards[:1]:
        return "discards"
    return "tableau" if any(card in column for column in layout.columns) else None


def tops(layout: Layout) -> list[Card]:
    """The cards of the layout that can be moved to the middle (NU-5.1)."""
    cards = [*layout.reserve[:1], *layout.discards[:1], *[column[-1] for column in layout.columns if column]]
    return [card for card in cards if card is not None]


def _not_built(state: State, seat: Seat, action: Build) -> str | None:
    if source_of(state.layouts[seat], action.card) is not None:
        return None
    movable = "the top of your reserve or of your discard pile, or in your tableau"
    return f"{action.card} cannot be moved to a column: it is not {movable}"


def _not_to_middle(state: State, seat: Seat, action: Found) -> str | None:
    open_ = tops(state.layouts[seat])
    return None if action.card in open_ else f"{action.card} cannot be moved to the middle: {either(open_)} can"


def _own_column(state: State, seat: Seat, action: Build) -> str | None:
    number = next((place for place, cards in enumerate(state.layouts[seat].columns, 1) if action.card in cards), None)
    return f"{action.card} lies in column {number}, and goes onto another one" if number == action.column else None


def _wrong_column(state: State, seat: Seat, action: Build) -> str | None:
    layout = state.layouts[seat]
    if not 1 <= action.column <= COLUMNS:
        return f"there is no column {action.column}, but 1 to {COLUMNS}"
    column = layout.columns[action.column - 1]
    if column:
        return None if action.card in BUILT_ON[column[-1]] else f"{action.card} does not go onto {column[-1]}"
    whole = any(action.card == other[0] for other in layout.columns if other)
    return "a whole column is not moved into an empty one" if whole else None


def _wrong_foundation(state: State, _: Seat, action: Found) -> str | None:
    number, count = action.foundation, len(state.foundations)
    if action.card in ACES:
        return None if number is None else "an ace starts a new foundation: foundation must be left out"
    if number is None or not 1 <= number <= count:
        named = "no foundation is named" if number is None else f"there is no foundation {number}"
        return f"{named}: {f'there are 1 to {count}' if count else 'none is started yet'}"
    top = state.foundations[number - 1][-1]
    return None if action.card in FOUNDED_ON[top] else f"{action.card} does not go onto {top}, on foundation {number}"


def _not_called(state: State, seat: Seat) -> str | None:
    left = len(state.layouts[seat].reserve)
    return f"cards are left in your reserve: {left}" if left else None


def _taken(state: State, seat: Seat, card: Card) -> tuple[Source, Opening | None]:
    """The source of the card, and the card on top there once it has gone (NU-4.6)."""
    layout = state.layouts[seat]
    source = source_of(layout, card)
    piles: dict[Source, Pile] = {"reserve": layout.reserve[1:], "discards": layout.discards[1:], "tableau": ()}
    if source is None:
        raise ValueError(f"seat {seat} cannot move {card}")
    return source, next((_opened(state, under) for under in piles[source]), None)


def _opened(state: State, card: Card | None) -> Opening:
    if card is None:
        raise ValueError("only the house can open a card")
    (opening,) = state.deck.openings_of((card,))
    return opening


def _turned(state: State, seat: Seat, _: Turn) -> Event[StockTurned]:
    stock = state.layouts[seat].stock
    count = min(TURNED, len(stock))
    return Event(StockTurned(seat, count, _opened(state, stock[count - 1])))


def _built(state: State, seat: Seat, action: Build) -> Event[CardBuilt]:
    source, uncovered = _taken(state, seat, action.card)
    return Event(CardBuilt(seat, action.card, source, uncovered, action.column))


def _founded(state: State, seat: Seat, action: Found) -> Event[CardFounded]:
    source, uncovered = _taken(state, seat, action.card)
    foundation = action.foundation or len(state.foundations) + 1
    return Event(CardFounded(seat, action.card, source, uncovered, foundation))


def _found_of(event: Event[CardFounded]) -> Found:
    public = event.public
    return Found(public.card, None if public.card in ACES else public.foundation)


ACTS = Acts("NU-2.1", (
    ActRules(Found, CardFounded, (
        Refusal("NU-5.1", _not_to_middle, ("card",)),
        Refusal("NU-5.3", _wrong_foundation, ("card", "foundation")),
    ), make=_founded, read=_found_of),
    ActRules(Build, CardBuilt, (
        Refusal("NU-5.1", _not_built, ("card",)),
        Refusal("NU-5.1", _own_column, ("card", "column")),
        Refusal("NU-5.2", _wrong_column, ("card", "column")),
    ), make=_built),
    ActRules(Turn, StockTurned, (Bar("NU-4.1", _no_stock),), make=_turned),
    ActRules(Flip, PileFlipped, (Bar("NU-4.2", _not_flipped),)),
    ActRules(Stuck, StuckSaid, (Bar("NU-4.5", _is_stuck),)),
    # The house calls Nuts too, where the rules call it at once (NU-8.1).
    ActRules(Nuts, NutsCalled, (Bar("NU-8.1", _not_called),),
        read=lambda event: None if event.actor == HOUSE else Nuts()),
), dealt=_is_dealt)  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Stuck,)
"""The acts that the house would take for a player. No hand waits for one, so no seat's clock runs out during it."""
