"""The knowledge of each audience at a table, from which its view follows.

An audience's view is defined as the fold of the events redacted for it. By default it is made in this way: every
audience has a fold of its own. A game may also have its views derived, which costs one fold for all audiences and gives
equal views at every version. A derived view is the house's view, in which a card that the audience does not know to be
there is only counted. An audience learns where a card is from events alone; the house's state only shows which cards
have gone since.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.cards import Pack
from domain.fair.deck import Opening
from domain.kernel.event import NOTHING, Event, Payload, Reveals, redact
from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.table_view import TableView
from domain.seats import HOUSE, PUBLIC, Audience, Seat, seat_audience
from domain.table.state import Table, evolve, evolve_between_deals
from domain.table.view import view

Cards: TypeAlias = int
"""A set of cards, one bit each; compact, since every table in memory keeps one for each audience."""


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

    def views(self, game: Game, house: Table) -> tuple[bytes, ...]:
        """The audiences' views as JSON, in the order of `audiences`; `house` is the house's fold."""
        return redacted(game.pack, view(game, house, HOUSE), self.cards)


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

    def views(self, game: Game, house: Table) -> tuple[bytes, ...]:
        """The audiences' views as JSON, in the order of `audiences`."""
        everyone = audiences(len(house.players))
        if game.showing.alike:
            (fold,) = self.folds
            shared = _encode(view(game, fold, PUBLIC)).removeprefix(NOBODYS)
            return tuple([begun + shared for begun in _begun(len(everyone))])
        return tuple([_encode(view(game, fold, audience)) for fold, audience in zip(self.folds, everyone, strict=True)])


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


def redacted(pack: Pack, view: TableView, known: tuple[Cards, ...]) -> tuple[bytes, ...]:
    """The house's view as JSON for each audience, in the order of `audiences`; `known` are the cards that each knows.

    It is encoded once. Then each hand in it is replaced by what the audience knows of it. No text is taken for a hand,
    since a quote in a text is escaped.
    """
    shared, *parts = _encode(view).removeprefix(NOBODYS).split(HAND)
    rows: list[Sequence[bytes]] = [_begun(len(known)), (shared,) * len(known)]
    for part in parts:
        rest, _, shared = part.partition(b"}")
        hand = _hand_shown(pack, rest)
        rows += [hand[hand.cards & cards] for cards in known], (shared,) * len(known)
    return tuple(map(b"".join, zip(*rows, strict=True)))


NOBODYS = b'{"you":null'
"""How a view begins that is not a seat's."""

_encode = msgspec.json.Encoder().encode

HAND, _, _ = _encode(Hand(("?",))).partition(b"?")
"""How a hand begins of which a card is known: `{"known":["`."""

_hands = msgspec.json.Decoder(Hand)


@cache
def _begun(audiences: int) -> tuple[bytes, ...]:
    """How the views of so many audiences begin."""
    return (NOBODYS, *(b'{"you":%d' % seat for seat in range(audiences - 1)))


class _HandShown(dict[Cards, bytes]):
    """A hand as JSON, by those of its cards that are known."""

    def __init__(self, pack: Pack, whole: bytes) -> None:
        self._bit, self._hand = pack.bit, _hands.decode(whole)
        self.cards = pack.bits(self._hand.known)
        self[self.cards] = whole

    def __missing__(self, known: Cards) -> bytes:
        hand, bit = self._hand, self._bit
        cards = tuple([card for card in hand.known if bit[card] & known])
        shown = self[known] = _encode(Hand(cards, hand.size - len(cards)))
        return shown


# Most hands are as they were in the table's view before.
@lru_cache(maxsize=4096)
def _hand_shown(pack: Pack, rest: bytes) -> _HandShown:
    """The hand whose JSON has this between `HAND` and its end."""
    return _HandShown(pack, HAND + rest + b"}")


def _cards(pack: Pack, value: Any) -> Cards:
    """The cards in a field of an event: none, one card, a tuple of cards, or a tuple of openings."""
    if value is UNSET:
        return 0
    values = value if isinstance(value, tuple) else (value,)
    return pack.bits(tuple([each.card if isinstance(each, Opening) else each for each in values]))
