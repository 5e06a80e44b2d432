"""What each audience knows of a deal's cards, and a table's view as it knows it, derived from the house's.

What an audience sees is defined as the view of the fold of what it was told. This comes to the same, at every version,
for the price of one fold for all: a view of the house's, in which every card whose place the audience was not told is
only counted. Nobody comes to know a card but by what an event tells them; the house's state only ever takes away.
"""

import builtins
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from domain.fair.deck import Opening
from domain.kernel.cards import Card
from domain.kernel.event import SILENT, Event, Payload, Telling
from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.seats import PUBLIC, Audience, seat_audience
from domain.kernel.view import SeatView, TableView
from domain.table.state import Table

V = TypeVar("V", bound=TableView)

Cards: TypeAlias = int
"""A set of cards, one bit each: a table keeps one for each audience, and many tables are kept."""

Knowledge: TypeAlias = tuple[Cards, ...]
"""By audience, in the order of `audiences`: the cards of this deal whose place it knows, if they have one still."""

_BIT: Mapping[Card, Cards] = {card: 1 << place for place, card in enumerate(get_args(Card))}


@cache
def audiences(seats: int) -> tuple[Audience, ...]:
    """All audiences of a table but the house."""
    return (PUBLIC, *map(seat_audience, range(seats)))


def nothing_known(seats: int) -> Knowledge:
    """What audiences know before anything is dealt."""
    return (0,) * (seats + 1)


def learnt(game: Game, before: Table, known: Knowledge, event: Event[Payload]) -> Knowledge:
    """What audiences know after the house's event, which follows on `before`, the house's fold."""
    public: Any = event.public
    # What the class says itself: one that is derived from it, of another schema, may do something else.
    does: Telling | None = type(public).__dict__.get("TELLING")
    if does is SILENT:
        return known
    if does is None:
        return nothing_known(len(before.players))
    if does.deals:
        known = nothing_known(len(before.players))
    shown = _cards(getattr(public, does.shows)) if does.shows else 0
    conceals = does.conceals and getattr(public, "count", None) != 0
    moved = _bits(game.hands(before.play)[public.seat].known) if conceals else 0
    after = []
    for audience, cards in zip(audiences(len(before.players)), known, strict=True):
        # Its own section is all that an audience is told of cards besides what everybody is told.
        own = event.sealed.get(audience)
        if own is None:
            after.append(cards & ~moved | shown)
        else:
            after.append(cards | shown | (_cards(getattr(own, does.tells)) if does.tells else 0))
    return tuple(after)


def seen(view: V, known: Knowledge) -> tuple[V, ...]:
    """The house's view as audiences see it, each of which knows the place of some cards."""
    others = _teller(type(view))(view, known)
    seats = zip(*[_seat_told(seat, known) for seat in view.seats], strict=True)
    return tuple([replace(other, seats=own) for other, own in zip(others, seats, strict=True)])


def _seat_told(seat: SeatView, known: Knowledge) -> Sequence[SeatView]:
    hand = seat.hand
    dealt = _bits(hand.known)
    hidden = replace(seat, hand=_counted(hand))
    found = []
    for cards in known:
        told = dealt & cards
        found.append(hidden if not told else seat if told == dealt else replace(seat, hand=_partly(hand, cards)))
    return found


def _hand_told(hand: Hand, known: Knowledge) -> Sequence[Hand]:
    dealt = _bits(hand.known)
    hidden = _counted(hand)
    found = []
    for cards in known:
        told = dealt & cards
        found.append(hidden if not told else hand if told == dealt else _partly(hand, cards))
    return found


def _counted(hand: Hand) -> Hand:
    return Hand((), len(hand.known) + hand.hidden)


def _partly(hand: Hand, cards: Cards) -> Hand:
    told = tuple([card for card in hand.known if cards & _BIT[card]])
    return Hand(told, hand.size - len(told))


@cache
def _teller(annotation: Any) -> Callable[[Any, Knowledge], Sequence[Any]]:
    """What tells a value of this type to each audience as far as the cards go, in every hand in it, however deep."""
    if annotation is Hand:
        return _hand_told
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        hints = get_type_hints(annotation)
        # The seats, most of what audiences see differently, are told by a loop of their own: in this general way a
        # playout takes a third longer.
        apart = {"seats"} if issubclass(annotation, TableView) else set()
        fields = [name for name in annotation.__struct_fields__ if _holds_hand(hints[name]) and name not in apart]
        tellers = {name: _teller(hints[name]) for name in fields}

        def struct(value: Struct, known: Knowledge) -> Sequence[Struct]:
            told = {name: tellers[name](part, known) for name in tellers if (part := getattr(value, name)) is not None}
            # Of what lies on the table all mostly know the same: then one value is for all.
            if all(own.count(own[0]) == len(own) for own in told.values()):
                return (replace(value, **{name: own[0] for name, own in told.items()}),) * len(known)
            rows = zip(*told.values(), strict=True)
            return [replace(value, **dict(zip(told, row, strict=True))) for row in rows]

        return struct
    match get_origin(annotation), get_args(annotation):
        case builtins.tuple, (each, other) if other is Ellipsis:
            tell = _teller(each)
            return lambda values, known: tuple(zip(*[tell(value, known) for value in values], strict=True))
        case types.UnionType, (one, types.NoneType):
            tell_one = _teller(one)
            return lambda value, known: (None,) * len(known) if value is None else tell_one(value, known)
        case _:
            raise TypeError(f"hands that stand in {annotation} cannot be told")


def _holds_hand(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return issubclass(annotation, Hand) or any(map(_holds_hand, get_type_hints(annotation).values()))
    return any(map(_holds_hand, get_args(annotation)))


def _cards(shown: Any) -> Cards:
    """The cards in a field: one, several, or as openings."""
    several = shown if isinstance(shown, tuple) else (shown,)
    return _bits(tuple([one.card if isinstance(one, Opening) else one for one in several]))


# Most hands are as they were when they were shown last.
@lru_cache(maxsize=64)
def _bits(cards: tuple[Card, ...]) -> Cards:
    return sum(map(_BIT.__getitem__, cards))
