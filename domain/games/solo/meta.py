"""Solo's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.cards import SUITS, Card, Suit, pack_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.parts.ranks import Ranking, ranking
from domain.parts.turns import Clockwise

SEATS = 4
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (SO-1.1)."""
RANKS = "AKQJT987"
"""High to low in a plain suit (SO-1.3)."""

PACK = pack_of(RANKS)
ORDER = PACK.order

SHOWN: Card = "Qc"
"""The card that its holder shows when all have passed (SO-3.4)."""
BLACK_QUEENS: frozenset[Card] = frozenset({SHOWN, "Qs"})

HAND = 8
BATCH = 4

DEFAULT_DEALS = 12
MAX_DEALS = 96


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    color: Annotated[Suit, Meta(description="The suit that is color, in which games are worth more (SO-1.2).")] = "c"


def trumps_of(trump: Suit) -> tuple[Card, ...]:
    """The trumps, high to low (SO-1.3)."""
    above: tuple[Card, ...] = (SHOWN, f"7{trump}", "Qs")
    return (*above, *(card for card in PACK.of_suit(trump) if card not in above))


RANKINGS: Mapping[Suit, Ranking] = {trump: ranking(PACK, trump, trumps_of(trump)) for trump in SUITS}
"""The rankings by trump suit."""


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed (SO-1.1)."""
    return Deals(DEFAULT_DEALS, SEATS, MAX_DEALS, "SO-1.1", multiple_of=SEATS)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: two batches of four from the dealer's left on, with none left over (SO-1.1)."""
    return hands_and_talon(TURNS.order_of_turns(dealer_of(standing)), (BATCH,) * (HAND // BATCH), len(PACK))
