"""Lórum's fixed facts: cards, deal, seats, options."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.cards import Card, pack_of
from domain.games.lorum.contracts import HAIRY_APE, KINDS, RANKS, kind_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon, in_batches
from domain.kernel.ledger import POOL
from domain.parts.ranks import ranking
from domain.parts.turns import Clockwise
from domain.seats import Seat, seat_audience

SEATS = 4
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (LO-1.1)."""

PACK = pack_of(RANKS)
"""In every suit A K Q J 10 9 8 7 (LO-2.1)."""
RANKING = ranking(PACK)
"""The only ranking: there are no trumps (LO-2.1)."""
BATCHES = (4, 4)
"""Four cards at a time, twice round (LO-2.2)."""
AWAY = "turned away"
"""The pile of a seat that everyone except its own player sees (LO-4.1)."""

GAME = len(KINDS) * SEATS
"""Each player deals each kind once (LO-1.2)."""
MOST_GAMES = 3


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    hairy_ape: Annotated[
        Literal["blind", "open"],
        Meta(description="Whether the fourth kind is played with the own cards turned away, or as usual (LO-4.5)."),
    ] = "blind"
    train_ten: Annotated[Literal[1, 10], Meta(description="What a ten adds to the count of the Train (LO-5.3).")] = 1


def deals(_: Options) -> Deals:
    """The number of deals: 28, or a multiple of 28 (LO-1.2)."""
    return Deals(GAME, GAME, MOST_GAMES * GAME, "LO-1.2", multiple_of=GAME)


def next_dealer(standing: Standing) -> Seat:
    """The dealer of the next deal: the same for seven deals, then the seat to the left (LO-1.2)."""
    return TURNS.next_dealer(standing) if standing.deal % len(KINDS) == 0 else dealer_of(standing)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes, and the audiences that learn it (LO-2.2, LO-2.3, LO-4.1)."""
    order = TURNS.order_of_turns(dealer_of(standing))
    if kind_of(standing.deal) == HAIRY_APE and standing.options.hairy_ape == "blind":
        return _turned_away(order)
    return hands_and_talon(order, BATCHES, len(PACK))


@cache
def _turned_away(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    return tuple(
        Portion(tuple(places), seat, AWAY, tuple(seat_audience(other) for other in sorted(order) if other != seat))
        for seat, places in in_batches(order, BATCHES).items()
    )


def above(card: Card) -> Card:
    """The next card of the suit in a sequence: the next higher one; after the ace the 7 (LO-6.2)."""
    cards = PACK.of_suit(PACK.suit(card))
    return cards[cards.index(card) - 1]


def beside(card: Card) -> Iterator[Card]:
    """The suit's cards of the next rank below and above; a row ends at the ace and at the 7 (LO-7.2)."""
    cards = PACK.of_suit(PACK.suit(card))
    place = cards.index(card)
    yield from cards[max(0, place - 1) : place]
    yield from cards[place + 1 : place + 2]


def show_accounts(standing: Standing) -> dict[str, Any]:
    """The content of the pot (LO-1.5)."""
    return {"pool": standing.accounts.get(POOL, 0)}
