"""Burraco's fixed facts: cards, deal, seats and sides, options."""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import JOKER, RANKS, Card, pack_of
from domain.kernel.course import Standing
from domain.kernel.dealing import Portion, face_down, face_up, hand_of, in_batches
from domain.parts.sides import scores_of_two_sides
from domain.parts.target import ToTarget
from domain.parts.turns import order_of_turns
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


TARGET = ToTarget("BU-1.3", scores_of_two_sides, passed=True, alone=True)
"""A side that has more points than the target and than the other ends the game (BU-1.3)."""


def pozzetto(number: int) -> str:
    """The name of the pile that is this pozzetto."""
    return f"{POZZETTO} {number}"


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes (BU-3.1)."""
    return _portions(order_of_turns(standing))


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=16)
def _portions(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    hands = [hand_of(seat, places) for seat, places in in_batches(order, (1,) * HAND).items()]
    places = iter(range(len(order) * HAND, len(PACK)))
    pozzetti = [face_down(pozzetto(number), [next(places) for _ in range(HAND)]) for number in range(1, POZZETTI + 1)]
    return (*hands, *pozzetti, face_up(PILE, (next(places),)), face_down(STOCK, places))
