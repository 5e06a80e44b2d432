"""Burraco's fixed facts: cards, deal, seats and sides, options."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import JOKER, RANKS, Card, pack_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, face_down, face_up, hand_of, in_batches
from domain.parts.sides import scores, two_sides
from domain.parts.turns import Clockwise
from domain.seats import Seat

PACK = pack_of(RANKS, copies=2, jokers=4)
"""Two packs and four jokers (BU-2.1)."""
ORDER = PACK.order
WILD: frozenset[Card] = frozenset(card for card in PACK if PACK.rank(card) in ("2", JOKER))
"""The cards that are wild unless they are natural in their meld (BU-2.2)."""

HAND = 11
POZZETTI = 2
"""The number of pozzetti, one a side; each has as many cards as a hand."""
LAST_STOCK = 2
"""The size of the stock at which the turn becomes the last (BU-9.3)."""

POZZETTO, PILE, STOCK = "pozzetto", "pile", "stock"
"""The piles other than hands; those of the pozzetti are numbered."""

MOST_DEALS = 99

TURNS: Mapping[int, Clockwise] = {2: Clockwise(2), 4: Clockwise(4)}
"""The way around the table, by the number of players (BU-1.2)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    players: Annotated[
        Literal[4, 2], Meta(description="Four players in two sides, or two players, each a side (BU-1.1).")
    ] = 4
    target: Annotated[
        int, Meta(ge=500, le=5000, description="The points that a side must exceed for the game to end (BU-1.3).")
    ] = 2000
    semi_clean: Annotated[
        bool, Meta(description="Whether a dirty burraco with seven natural cards together is worth 150 (BU-7.2).")
    ] = False


def seats(options: Options) -> int:
    """The number of seats (BU-1.1)."""
    return options.players


def next_dealer(standing: Standing) -> Seat:
    """The dealer of the next deal: the seat to the left (BU-1.2)."""
    return TURNS[standing.options.players].next_dealer(standing)


def deals(_: Options) -> Deals:
    """The most deals of a game to a target (BU-1.3)."""
    return Deals(MOST_DEALS, 1, MOST_DEALS, "BU-1.3")


def over(standing: Standing) -> str | None:
    """The reason why the game is over, once a side has more points than the target and than the other; None before
    (BU-1.3).
    """
    first, second = scores(standing.totals, two_sides(standing.options))
    return "target passed" if max(first, second) > standing.options.target and first != second else None


def pozzetto(number: int) -> str:
    """The name of the pile that is this pozzetto."""
    return f"{POZZETTO} {number}"


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes (BU-3.1)."""
    return _portions(TURNS[standing.options.players].order_of_turns(dealer_of(standing)))


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=16)
def _portions(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    hands = [hand_of(seat, places) for seat, places in in_batches(order, (1,) * HAND).items()]
    places = iter(range(len(order) * HAND, len(PACK)))
    pozzetti = [face_down(pozzetto(number), [next(places) for _ in range(HAND)]) for number in range(1, POZZETTI + 1)]
    return (*hands, *pozzetti, face_up(PILE, (next(places),)), face_down(STOCK, places))
