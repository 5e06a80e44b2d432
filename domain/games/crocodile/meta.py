"""Crocodile's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import SUITS, Suit, order_of, pack_of
from domain.kernel.rejection import Code, Rejected
from domain.parts.ranks import Ranking, ranking
from domain.seats import Seat, clockwise

NAME = "crocodile"
TITLE = "Crocodile"
SEATS = 3
RANKS = "KQJ765432A"
"""High to low in every suit, trump or plain (CR-2.1)."""

PACK = pack_of(RANKS)
ORDER = order_of(PACK)
RANKINGS: Mapping[Suit | None, Ranking] = {trump: ranking(PACK, trump) for trump in (None, *SUITS)}
"""By trump suit, null where there are no trumps."""

HAND = 9
TALON = 13
BATCH = 3

DEFAULT_DEALS = 3
MAX_DEALS = 99
MAX_UTTERANCES = 50
"""How often a seat may talk in one deal (CR-10.7)."""
MAX_TEXT = 280


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a table may settle otherwise than by default."""

    contraprimeras: Annotated[
        Literal["always", "if-lost"],
        Meta(
            description="Whether contraprimeras comes before every other outcome, or only where declarer does not win "
            "(CR-9.10)."
        ),
    ] = "always"
    bonus_stacking: Annotated[
        Literal["exclusive", "cumulative"],
        Meta(description="Whether silent Primeras is booked beside a Tout that is made (CR-10.4)."),
    ] = "exclusive"
    casco_stock: Annotated[
        Literal["all", "face-up"],
        Meta(description="Which of declarer's discards the opponents may draw in Casco (CR-7.7)."),
    ] = "all"


def seats(options: Options) -> int:  # noqa: ARG001 - the same under all options
    """The number of seats (CR-1.1)."""
    return SEATS


def check_deals(deals: int, options: Options) -> None:  # noqa: ARG001 - the same under all options
    """Returns if a game may have so many deals (CR-1.2). Raises Rejected if it may not."""
    if deals % SEATS or not SEATS <= deals <= MAX_DEALS:
        raise Rejected(
            Code.RULE_VIOLATION, f"deals must be divisible by {SEATS}, from {SEATS} to {MAX_DEALS}", "CR-1.2"
        )


def next_dealer(dealer: Seat, options: Options) -> Seat:  # noqa: ARG001 - the same under all options
    """The deal moves one seat to the left (CR-1.3)."""
    return left(dealer)


def portions(dealer: Seat, options: Options) -> tuple[Seat | None, ...]:  # noqa: ARG001 - the same under all options
    """The seat of each card: batches of three from eldest on, three times round, then the talon (CR-3.1, CR-3.2)."""
    round_ = [seat for seat in clockwise(left(dealer), SEATS) for _ in range(BATCH)]
    return (*round_ * (HAND // BATCH), *[None] * TALON)


def left(seat: Seat) -> Seat:
    """The seat to the left, which is next in everything (CR-1.1)."""
    return (seat + 1) % SEATS
