"""Ombre's fixed facts: deal, seats, options, antes and the pool."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.cards import order_of
from domain.fair.lots import by_cards
from domain.kernel.ledger import BANK, POOL, Party, Transfer, signed
from domain.kernel.rejection import Code, Rejected
from domain.parts.matadors import PACK
from domain.seats import Seat, counterclockwise

NAME = "ombre"
TITLE = "Ombre"
ORDER = order_of(PACK)

SEATS = 3
HAND = 9
TALON = 13
BATCH = 3

DEFAULT_DEALS = 12
MAX_DEALS = 99

ANTE = 5
MOST_CHIPS = 1_000_000
POOL_LIMIT = 1_000_000_000
"""The most that a puesta can bring the pool to (OM-8.2): doubled 98 times, it would be more than a ledger can hold."""

first_dealer = by_cards(PACK, "AKQJ765432")
"""The seat that draws the highest card, aces high (OM-1.3)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a table may settle otherwise than by default."""

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


def check_deals(deals: int, _: Options) -> None:
    """Returns if a game may have so many deals (OM-1.4). Raises Rejected if it may not."""
    if deals % SEATS or not SEATS <= deals <= MAX_DEALS:
        raise Rejected(Code.RULE_VIOLATION, f"deals must be divisible by 3, from 3 to {MAX_DEALS}", "OM-1.4")


def next_dealer(dealer: Seat, _: Options) -> Seat:
    """The deal passes to the right (OM-1.3)."""
    return right(dealer)


def right(seat: Seat) -> Seat:
    """The seat to the right, which is next in everything (OM-1.1)."""
    return (seat - 1) % SEATS


def order_of_turns(dealer: Seat) -> tuple[Seat, ...]:
    """Eldest, at the dealer's right, then the second, then the dealer (OM-1.1)."""
    return counterclockwise(right(dealer), SEATS)


def portions(dealer: Seat, _: Options) -> tuple[Seat | None, ...]:
    """The seat that gets each card: three batches of three from eldest on, the rest the talon (OM-3.1)."""
    round_ = [seat for seat in order_of_turns(dealer) for _ in range(BATCH)]
    return (*round_ * (HAND // BATCH), *[None] * TALON)


def antes(dealer: Seat, _: Options, version: int) -> tuple[Transfer, ...]:
    """What the dealer puts into the pool (OM-3.1)."""
    return (Transfer(dealer, POOL, -ANTE, "ante", "OM-3.1", f"The dealer's ante: {signed(-ANTE)}", (version,)),)


def shares(balances: Mapping[Party, int], _: Options, version: int) -> tuple[Transfer, ...]:
    """What is left in the pool, shared equally, an odd rest to the bank (OM-1.4)."""
    pool = balances.get(POOL, 0)
    share, rest = divmod(pool, SEATS)
    third = f"A third of the {pool} left in the pool: {signed(share)}"
    odd = f"The odd rest of the {pool} left in the pool: {signed(rest)}"
    return (
        *(Transfer(seat, POOL, share, "share", "OM-1.4", third, (version,)) for seat in range(SEATS)),
        Transfer(BANK, POOL, rest, "share", "OM-1.4", odd, (version,)),
    )


def show_accounts(accounts: Mapping[Party, int], totals: tuple[int, ...], options: Options) -> dict[str, Any]:
    """The pool, and every player's chips, those started with included (OM-1.2)."""
    return {"pool": accounts.get(POOL, 0), "chips": tuple([options.chips + total for total in totals])}
