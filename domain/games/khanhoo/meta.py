"""Khanhoo's fixed facts: cards, deal, seats, options."""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import pack_of
from domain.kernel.course import Standing
from domain.kernel.dealing import Portion, face_down, hand_of, in_batches
from domain.parts.target import ToTarget
from domain.parts.turns import order_of_turns
from domain.seats import Seat

NUMBERS = "98765432A"
"""The number cards of a suit, high to low (KH-2.2)."""
SUITS = "shd"
"""The suits of the number cards; the court cards are clubs (KH-2.1)."""

PACK = pack_of({"s": NUMBERS, "h": NUMBERS, "d": NUMBERS, "c": "KQJ"}, copies=2, jokers=1)
ORDER = PACK.order

HAND = 15
STOCK = "stock"
"""The pile other than hands."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    players: Annotated[Literal[2, 3, 4], Meta(description="The number of seats (KH-1.1).")] = 3
    target: Annotated[int, Meta(ge=20, le=500, description="The points that end the game (KH-1.3).")] = 50
    turn_limit: Annotated[
        int,
        Meta(ge=10, le=200, description="The discards for each player after which a deal ends undecided (KH-4.5)."),
    ] = 40


TARGET = ToTarget("KH-1.3")
"""A player who has the target's points ends the game (KH-1.3)."""


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: fifteen to each, one at a time from eldest, a sixteenth to eldest, the rest (KH-3)."""
    return _portions(order_of_turns(standing))


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=9)
def _portions(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    hands = in_batches(order, (1,) * HAND)
    sixteenth = HAND * len(order)
    hands[order[0]].append(sixteenth)
    rest = range(sixteenth + 1, len(PACK))
    return (*(hand_of(seat, places) for seat, places in hands.items()), *([face_down(STOCK, rest)] if rest else ()))
