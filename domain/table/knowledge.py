"""The knowledge of each audience at a table, from which its view follows.

An audience's view is defined as the fold of the events redacted for it. By default it is made in this way: every
audience has a fold of its own. A game may also have its views derived, which costs one fold for all audiences and gives
equal views at every version. A derived view is the house's view, in which a card that the audience does not know to be
there is only counted. An audience learns where a card is from events alone; the house's state only shows which cards
have gone since.
"""

import builtins
import types
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.cards import Pack
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Event, Payload, Reveals, redact
from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.table_view import HandView, TableView
from domain.seats import HOUSE, PUBLIC, Audience, Seat, seat_audience, seat_in
from domain.table.state import Table, evolve, evolve_between_deals
from domain.table.view import view

Cards: TypeAlias = int
"""A set of cards, one bit each; compact, since every table in memory keeps one for each audience."""

Redactor: TypeAlias = Callable[[Any, tuple[Cards, ...], Pack], Sequence[Any]]
"""A function that redacts a value for each audience, given the cards of the pack that each knows."""


@cache
def audiences(seats: int) -> tuple[Audience, ...]:
    """All audiences of a table but the house: the public, then the seats in order."""
    return (PUBLIC, *map(seat_audience, range(seats)))


class KnownCards(Struct, frozen=True, gc=False):
    """The knowledge of audiences whose views are derived.

    `cards` are, by audience, the cards of this deal that it knows to be where they are. A card that has gone may stay
    in the set: no hand holds it any more.
    """

    cards: tuple[Cards, ...]

    def after(self, game: Game, before: Table, event: Event[Payload]) -> "KnownCards":
        """The knowledge after the house's event; `before` is the house's fold before the event."""
        public: Any = event.public
        # Not inherited: a subclass, which may be an event of another schema, must state it again.
        reveals: Reveals | None = type(public).__dict__.get("REVEALS")
        if reveals is NOTHING:
            return self
        nothing = (0,) * len(self.cards)
        if reveals is None:
            return KnownCards(nothing)
        pack = game.pack
        revealed = _cards(pack, getattr(public, reveals.to_all)) if reveals.to_all else 0
        hides = reveals.hides and getattr(public, "count", None) != 0
        moved = pack.bits(_hand(game, before, public.seat).known) if hides else 0
        after = []
        for audience, cards in zip(
            audiences(len(before.players)), nothing if reveals.deals else self.cards, strict=True
        ):
            section = event.sealed.get(audience)
            if section is None:
                after.append(cards & ~moved | revealed)
            else:
                learnt = _cards(pack, getattr(section, reveals.to_seats)) if reveals.to_seats else 0
                after.append(cards | revealed | learnt)
        return KnownCards(tuple(after))

    def between_deals(self, game: Game, event: Event[Payload]) -> "KnownCards":  # noqa: ARG002 - a deal's end voids it
        """The knowledge after an event that a later deal follows."""
        return self

    def views(self, game: Game, house: Table) -> tuple[TableView, ...]:
        """The audiences' views, in the order of `audiences`; `house` is the house's fold.

        Raises TypeError if the view's type has a hand where it cannot be redacted, such as in a dict.
        """
        return redact_view(game.pack, view(game, house, HOUSE), self.cards)


class OwnFolds(Struct, frozen=True, gc=False):
    """The knowledge of audiences that have a fold each, or share one if they all see alike."""

    folds: tuple[Table, ...]

    def after(self, game: Game, before: Table, event: Event[Payload]) -> "OwnFolds":
        """The knowledge after the house's event."""
        folds = zip(audiences(len(before.players)), self.folds, strict=False)
        return OwnFolds(
            tuple(
                # The lines are in the ledger; a view needs none of them.
                replace(evolve(game, fold, replace(event, sealed=redact(event.sealed, audience))), booked=())
                for audience, fold in folds
            )
        )

    def between_deals(self, game: Game, event: Event[Payload]) -> "OwnFolds":
        """The knowledge after an event that a later deal follows."""
        return OwnFolds(tuple(replace(evolve_between_deals(game, fold, event), booked=()) for fold in self.folds))

    def views(self, game: Game, house: Table) -> tuple[TableView, ...]:
        """The audiences' views, in the order of `audiences`."""
        everyone = audiences(len(house.players))
        if game.showing.alike:
            (fold,) = self.folds
            public = view(game, fold, PUBLIC)
            return tuple(replace(public, you=seat_in(audience)) for audience in everyone)
        return tuple(view(game, fold, audience) for fold, audience in zip(self.folds, everyone, strict=True))


Known: TypeAlias = KnownCards | OwnFolds


def known_at_opening(game: Game, house: Table) -> Known:
    """The knowledge at a table that was just opened."""
    number = len(house.players) + 1
    if game.showing.hands is not None:
        return KnownCards((0,) * number)
    own = replace(house, opener=None, seeds=None)
    return OwnFolds((own,) * (1 if game.showing.alike else number))


def _hand(game: Game, house: Table, seat: Seat) -> Hand:
    """The seat's hand in a game whose views are derived."""
    hands = game.showing.hands
    return Hand() if hands is None else hands(house.deal_state)[seat]


def redact_view(pack: Pack, view: TableView, known: tuple[Cards, ...]) -> tuple[TableView, ...]:
    """The house's view redacted for each audience, in the order of `audiences`; `known` are the cards that each knows.

    Raises TypeError if the view's type has a hand where it cannot be redacted, such as in a dict.
    """
    redact_fields, redact_seat = _view_redactors(type(view))
    redacted = redact_fields(view, known, pack)
    with_hands: Any = view.seats
    seats = zip(*[redact_seat(seat, known, pack) for seat in with_hands], strict=True)
    whose = (None, *range(len(known) - 1))
    return tuple([replace(each, you=you, seats=own) for each, you, own in zip(redacted, whose, seats, strict=True)])


def _redact_seat(seat: HandView, known: tuple[Cards, ...], pack: Pack) -> Sequence[HandView]:
    hand = seat.hand
    held = pack.bits(hand.known)
    hidden = replace(seat, hand=Hand((), hand.size))
    seats = []
    for cards in known:
        visible = held & cards
        if not visible:
            seats.append(hidden)
        else:
            seats.append(seat if visible == held else replace(seat, hand=_partly(hand, cards, pack)))
    return seats


@cache
def _view_redactors(view: type[TableView]) -> tuple[Redactor, Redactor]:
    """The functions that redact a view of this type except its seats, and one of its seats.

    Raises TypeError if the type has a hand where it cannot be redacted.
    """
    redact_fields = _redactor(view)
    (seat, _) = get_args(get_type_hints(view)["seats"])
    return redact_fields, _seat_redactor(seat)


def _seat_redactor(seat: Any) -> Redactor:
    """The function that redacts a seat of this type; the fast loop above if `hand` is its only hand.

    Raises TypeError if the type has a hand where it cannot be redacted.
    """
    hints = get_type_hints(seat)
    return _redact_seat if [name for name in hints if _holds_hand(hints[name])] == ["hand"] else _redactor(seat)


def _redact_hand(hand: Hand, known: tuple[Cards, ...], pack: Pack) -> Sequence[Hand]:
    held = pack.bits(hand.known)
    hidden = Hand((), hand.size)
    hands = []
    for cards in known:
        visible = held & cards
        hands.append(hidden if not visible else hand if visible == held else _partly(hand, cards, pack))
    return hands


def _partly(hand: Hand, cards: Cards, pack: Pack) -> Hand:
    bit = pack.bit
    visible = tuple([card for card in hand.known if cards & bit[card]])
    return Hand(visible, hand.size - len(visible))


@cache
def _redactor(annotation: Any) -> Redactor:
    """The function that redacts a value of this type for each audience: every hand in it, however deep.

    Raises TypeError if the type has a hand where it cannot be redacted.
    """
    if annotation is Hand:
        return _redact_hand
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        hints = get_type_hints(annotation)
        # Seats differ most between audiences, so `redact_view` has a fast loop for seats with one hand; this general
        # way would make a playout a third slower.
        apart = {"seats"} if issubclass(annotation, TableView) else set()
        fields = [name for name in annotation.__struct_fields__ if _holds_hand(hints[name]) and name not in apart]
        redactors = [(name, _redactor(hints[name])) for name in fields]

        def redact_struct(value: Struct, known: tuple[Cards, ...], pack: Pack) -> Sequence[Struct]:
            alike: dict[str, Any] = {}
            differing: dict[str, Sequence[Any]] = {}
            for name, redact_part in redactors:
                part = getattr(value, name)
                if part is None:
                    continue
                parts = redact_part(part, known, pack)
                if parts.count(parts[0]) == len(parts):
                    alike[name] = parts[0]
                else:
                    differing[name] = parts
            # Audiences mostly know the same of the cards on the table, so one value serves them all.
            shared = replace(value, **alike)
            if not differing:
                return (shared,) * len(known)
            rows = zip(*differing.values(), strict=True)
            return [replace(shared, **dict(zip(differing, row, strict=True))) for row in rows]

        return redact_struct
    match get_origin(annotation), get_args(annotation):
        case builtins.tuple, (item, other) if other is Ellipsis:
            redact_item = _redactor(item)
            return lambda values, known, pack: (
                tuple(zip(*[redact_item(value, known, pack) for value in values], strict=True))
                if values
                else ((),) * len(known)
            )
        case types.UnionType, (present, types.NoneType):
            redact_present = _redactor(present)
            return lambda value, known, pack: (
                (None,) * len(known) if value is None else redact_present(value, known, pack)
            )
        case _:
            raise TypeError(f"hands that stand in {annotation} cannot be redacted")


def _holds_hand(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return issubclass(annotation, Hand) or any(map(_holds_hand, get_type_hints(annotation).values()))
    return any(map(_holds_hand, get_args(annotation)))


def _cards(pack: Pack, value: Any) -> Cards:
    """The cards in a field of an event: none, one card, a tuple of cards, or a tuple of openings."""
    if value is UNSET:
        return 0
    values = value if isinstance(value, tuple) else (value,)
    return pack.bits(tuple([each.card if isinstance(each, Opening) else each for each in values]))
