"""What each audience knows of a deal's cards, and each audience's view derived from the house's view.

The view of an audience is defined as the fold of the events redacted for it. What is derived here is equal to that at
every version and costs one fold for all audiences: it is the house's view, in which a card whose place the audience
does not know is only counted. An audience learns the place of a card from events alone; the house's state only shows
which cards have gone since.
"""

import builtins
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Event, Payload, Reveals
from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.view import SeatView, TableView
from domain.seats import PUBLIC, Audience, seat_audience
from domain.table.state import Table

V = TypeVar("V", bound=TableView)

Cards: TypeAlias = int
"""A set of cards, one bit each: small, since every table in memory keeps one for each audience."""

Knowledge: TypeAlias = tuple[Cards, ...]
"""By audience, in the order of `audiences`: the cards of this deal whose place it knows.

A card that has gone may stay in the set: no hand holds it any more.
"""

_BIT: Mapping[Card, Cards] = {card: 1 << place for place, card in enumerate(get_args(Card))}


@cache
def audiences(seats: int) -> tuple[Audience, ...]:
    """All audiences of a table but the house: the public, then the seats in order."""
    return (PUBLIC, *map(seat_audience, range(seats)))


def nothing_known(seats: int) -> Knowledge:
    """The knowledge before anything is dealt."""
    return (0,) * (seats + 1)


def update_knowledge(game: Game, before: Table, known: Knowledge, event: Event[Payload]) -> Knowledge:
    """What audiences know after the house's event; `before` is the house's fold up to the event before it."""
    public: Any = event.public
    # Not inherited: a subclass, which may be the event of another schema, has to say it for itself.
    reveals: Reveals | None = type(public).__dict__.get("REVEALS")
    if reveals is NOTHING:
        return known
    if reveals is None:
        return nothing_known(len(before.players))
    if reveals.deals:
        known = nothing_known(len(before.players))
    revealed = _cards(getattr(public, reveals.to_all)) if reveals.to_all else 0
    hides = reveals.hides and getattr(public, "count", None) != 0
    moved = _bits(game.hands(before.deal_state)[public.seat].known) if hides else 0
    after = []
    for audience, cards in zip(audiences(len(before.players)), known, strict=True):
        section = event.sealed.get(audience)
        if section is None:
            after.append(cards & ~moved | revealed)
        else:
            after.append(cards | revealed | (_cards(getattr(section, reveals.to_seats)) if reveals.to_seats else 0))
    return tuple(after)


def redact_view(view: V, known: Knowledge) -> tuple[V, ...]:
    """The house's view redacted for each audience, in the order of `audiences`.

    Raises TypeError if the view's type has a hand in a place that cannot be redacted, such as a dict.
    """
    redacted = _redactor(type(view))(view, known)
    seats = zip(*[_redact_seat(seat, known) for seat in view.seats], strict=True)
    return tuple([replace(each, seats=own) for each, own in zip(redacted, seats, strict=True)])


def _redact_seat(seat: SeatView, known: Knowledge) -> Sequence[SeatView]:
    hand = seat.hand
    held = _bits(hand.known)
    hidden = replace(seat, hand=_counted(hand))
    seats = []
    for cards in known:
        visible = held & cards
        seats.append(hidden if not visible else seat if visible == held else replace(seat, hand=_partly(hand, cards)))
    return seats


def _redact_hand(hand: Hand, known: Knowledge) -> Sequence[Hand]:
    held = _bits(hand.known)
    hidden = _counted(hand)
    hands = []
    for cards in known:
        visible = held & cards
        hands.append(hidden if not visible else hand if visible == held else _partly(hand, cards))
    return hands


def _counted(hand: Hand) -> Hand:
    return Hand((), len(hand.known) + hand.hidden)


def _partly(hand: Hand, cards: Cards) -> Hand:
    visible = tuple([card for card in hand.known if cards & _BIT[card]])
    return Hand(visible, hand.size - len(visible))


@cache
def _redactor(annotation: Any) -> Callable[[Any, Knowledge], Sequence[Any]]:
    """The function that redacts a value of this type for each audience: every hand in it, however deep.

    Raises TypeError if the type has a hand in a place that cannot be redacted.
    """
    if annotation is Hand:
        return _redact_hand
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        hints = get_type_hints(annotation)
        # A view's seats differ most between audiences; `redact_view` has a loop for them, since this general way
        # would make a playout a third slower.
        apart = {"seats"} if issubclass(annotation, TableView) else set()
        fields = [name for name in annotation.__struct_fields__ if _holds_hand(hints[name]) and name not in apart]
        redactors = {name: _redactor(hints[name]) for name in fields}

        def redact_struct(value: Struct, known: Knowledge) -> Sequence[Struct]:
            parts = {
                name: redactors[name](part, known) for name in redactors if (part := getattr(value, name)) is not None
            }
            # All audiences mostly know the same of what lies on the table: then one value serves them all.
            if all(part.count(part[0]) == len(part) for part in parts.values()):
                return (replace(value, **{name: part[0] for name, part in parts.items()}),) * len(known)
            rows = zip(*parts.values(), strict=True)
            return [replace(value, **dict(zip(parts, row, strict=True))) for row in rows]

        return redact_struct
    match get_origin(annotation), get_args(annotation):
        case builtins.tuple, (item, other) if other is Ellipsis:
            redact_item = _redactor(item)
            return lambda values, known: tuple(zip(*[redact_item(value, known) for value in values], strict=True))
        case types.UnionType, (present, types.NoneType):
            redact_present = _redactor(present)
            return lambda value, known: (None,) * len(known) if value is None else redact_present(value, known)
        case _:
            raise TypeError(f"hands that stand in {annotation} cannot be redacted")


def _holds_hand(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return issubclass(annotation, Hand) or any(map(_holds_hand, get_type_hints(annotation).values()))
    return any(map(_holds_hand, get_args(annotation)))


def _cards(value: Any) -> Cards:
    """The cards in a field of an event: a card, a tuple of cards, or a tuple of openings."""
    values = value if isinstance(value, tuple) else (value,)
    return _bits(tuple([each.card if isinstance(each, Opening) else each for each in values]))


# Most hands are the same as in the view before.
@lru_cache(maxsize=64)
def _bits(cards: tuple[Card, ...]) -> Cards:
    return sum(map(_BIT.__getitem__, cards))
