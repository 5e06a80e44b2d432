"""Nine-Card Don's fixed facts: cards, deal, seats and sides, options."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import RANKS, SUITS, Suit, pack_of
from domain.kernel.course import Standing, dealer_of
from domain.kernel.dealing import Portion, face_down, hand_of, in_batches
from domain.parts.ranks import Ranking, ranking
from domain.parts.sides import OPPOSITE, Side, scores
from domain.parts.target import ToTarget
from domain.parts.turns import Clockwise
from domain.seats import Seat

TURNS = Clockwise(4)
"""Four seats, and everything goes clockwise (ND-1.1)."""

PACK = pack_of(RANKS)
"""All cards, ace high in every suit (ND-2.1)."""
ORDER = PACK.order
RANKINGS: Mapping[Suit, Ranking] = {trump: ranking(PACK, trump) for trump in SUITS}
"""The rankings by trump suit (ND-3.3)."""

HAND = 9
WAITING, ASIDE = "waiting", "aside"
"""The piles other than hands: the cards of the pitcher's partner, and those set aside (ND-2.2, ND-2.3)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    target: Annotated[Literal[121, 91], Meta(description="The points with which a side wins the game (ND-1.6).")] = 121


TARGET = ToTarget("ND-1.7", scores=lambda standing: scores(standing.totals))
"""A side that has the target's points ends the game (ND-1.6, ND-1.7, ND-6.4, ND-7.1)."""


def sides(_: Options) -> tuple[Side, ...]:
    """Partners sit opposite each other (ND-1.2)."""
    return OPPOSITE


def partner_of_pitcher(order: tuple[Seat, ...]) -> Seat:
    """The pitcher's partner; `order` runs from the pitcher to the dealer (ND-1.2, ND-1.3)."""
    return order[2]


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: nine to each, one at a time from the pitcher; the rest is set aside (ND-2.2, ND-2.3)."""
    return _portions(TURNS.order_of_turns(dealer_of(standing)))


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=TURNS.size)
def _portions(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    partner = partner_of_pitcher(order)
    return (
        *(
            face_down(WAITING, places, seat) if seat == partner else hand_of(seat, places)
            for seat, places in in_batches(order, (1,) * HAND).items()
        ),
        face_down(ASIDE, range(HAND * TURNS.size, len(PACK))),
    )
