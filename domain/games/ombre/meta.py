"""Ombre's fixed facts: deal, seats, options, antes and the pool."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.fair.lots import by_cards
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.kernel.ledger import BANK, POOL, Transfer
from domain.parts.matadors import BATCH, HAND, PACK
from domain.seats import Seat, counterclockwise

ORDER = PACK.order

SEATS = 3

DEFAULT_DEALS = 12
MAX_DEALS = 99

ANTE = 5
MOST_CHIPS = 1_000_000
POOL_LIMIT = 1_000_000_000
"""The most chips that a puesta can bring the pool to (OM-8.2), since 98 doublings would exceed a ledger's integers."""

first_dealer = by_cards(PACK, "AKQJ765432")
"""The seat that draws the highest card, aces high (OM-1.3)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    chips: Annotated[
        int,
        Meta(ge=40, le=MOST_CHIPS, description="How many chips each player starts with (OM-1.2); not booked."),
    ] = 100
    hold: Annotated[
        bool,
        Meta(description="Whether who comes earlier than the standing bidder may make that bid his own (OM-4.2)."),
    ] = True


def seats(_: Options) -> int:
    """The number of seats (OM-1.1)."""
    return SEATS


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed (OM-1.4)."""
    return Deals(DEFAULT_DEALS, SEATS, MAX_DEALS, "OM-1.4", multiple_of=SEATS)


def next_dealer(standing: Standing) -> Seat:
    """The dealer of the next deal: the seat to the right (OM-1.3)."""
    return right(dealer_of(standing))


def right(seat: Seat) -> Seat:
    """The seat to the right, which comes next in everything (OM-1.1)."""
    return (seat - 1) % SEATS


def order_of_turns(dealer: Seat) -> tuple[Seat, ...]:
    """Eldest, at the dealer's right, then the second, then the dealer (OM-1.1)."""
    return counterclockwise(right(dealer), SEATS)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: three batches of three from eldest on, the rest the talon (OM-3.1)."""
    return hands_and_talon(order_of_turns(dealer_of(standing)), (BATCH,) * (HAND // BATCH), len(PACK))


def antes(standing: Standing, version: int) -> tuple[Transfer, ...]:
    """The dealer's payment into the pool (OM-3.1)."""
    dealer = dealer_of(standing)
    return (Transfer(dealer, POOL, -ANTE, "ante", "OM-3.1", f"The dealer's ante: {ANTE}", (version,)),)


def shares(standing: Standing, version: int) -> tuple[Transfer, ...]:
    """The rest of the pool, shared equally; an odd rest goes to the bank (OM-1.4)."""
    pool = standing.accounts.get(POOL, 0)
    share, rest = divmod(pool, SEATS)
    third = f"A third of the {pool:,} left in the pool: {share:,}"
    odd = f"The odd rest of the {pool:,} left in the pool: {rest}"
    return (
        *(Transfer(seat, POOL, share, "share", "OM-1.4", third, (version,)) for seat in range(SEATS)),
        Transfer(BANK, POOL, rest, "share", "OM-1.4", odd, (version,)),
    )


def show_accounts(standing: Standing) -> dict[str, Any]:
    """The pool, and every player's chips, including those at the start (OM-1.2)."""
    chips = standing.options.chips
    return {"pool": standing.accounts.get(POOL, 0), "chips": tuple([chips + total for total in standing.totals])}
