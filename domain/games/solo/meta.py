"""Solo's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated, cast

from msgspec import Meta, Struct

from domain.cards import SUITS, Card, Suit, order_of, pack_of, suit_of
from domain.kernel.rejection import Code, Rejected
from domain.parts.ranks import Ranking, ranking
from domain.seats import Seat, clockwise

NAME = "solo"
TITLE = "Solo"
SEATS = 4
RANKS = "AKQJT987"
"""High to low in a plain suit (SO-1.3)."""

PACK = pack_of(RANKS)
ORDER = order_of(PACK)

SHOWN: Card = "Qc"
"""The card that its holder shows when all have passed (SO-3.4)."""
BLACK_QUEENS: frozenset[Card] = frozenset({SHOWN, "Qs"})

HAND = 8
BATCH = 4

DEFAULT_DEALS = 12
MAX_DEALS = 96


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a table may settle otherwise than by default."""

    color: Annotated[Suit, Meta(description="The suit that is color, in which games are worth more (SO-1.2).")] = "c"


def trumps_of(trump: Suit) -> tuple[Card, ...]:
    """The trumps, high to low (SO-1.3)."""
    above: tuple[Card, ...] = (SHOWN, cast("Card", f"7{trump}"), "Qs")
    return (*above, *(card for card in PACK if suit_of(card) == trump and card not in above))


RANKINGS: Mapping[Suit, Ranking] = {trump: ranking(PACK, trump, trumps_of(trump)) for trump in SUITS}
"""By trump suit."""


def seats(options: Options) -> int:  # noqa: ARG001 - the same under all options
    """The number of seats (SO-1.1)."""
    return SEATS


def check_deals(deals: int, options: Options) -> None:  # noqa: ARG001 - the same under all options
    """Returns if a game may have so many deals (SO-1.1). Raises Rejected if it may not."""
    if deals % SEATS or not SEATS <= deals <= MAX_DEALS:
        raise Rejected(
            Code.RULE_VIOLATION, f"deals must be divisible by {SEATS}, from {SEATS} to {MAX_DEALS}", "SO-1.1"
        )


def next_dealer(dealer: Seat, options: Options) -> Seat:  # noqa: ARG001 - the same under all options
    """The deal passes to the left (SO-1.1)."""
    return left(dealer)


def left(seat: Seat) -> Seat:
    """The seat to the left, which is next in everything (SO-1.1)."""
    return (seat + 1) % SEATS


def order_of_turns(dealer: Seat) -> tuple[Seat, ...]:
    """All seats, from the dealer's left to the dealer (SO-3.1, SO-4.1)."""
    return clockwise(left(dealer), SEATS)


def portions(dealer: Seat, options: Options) -> tuple[Seat | None, ...]:  # noqa: ARG001 - the same under all options
    """The seat that gets each card: two batches of four from the dealer's left on, nothing left over (SO-1.1)."""
    round_ = [seat for seat in order_of_turns(dealer) for _ in range(BATCH)]
    return tuple(round_ * (HAND // BATCH))
