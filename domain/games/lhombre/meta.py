"""L'Hombre's fixed facts: deal, seats, options."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.parts.matadors import BATCH, HAND, PACK
from domain.seats import Seat, counterclockwise

ORDER = PACK.order

PLAYING = 3
"""The number of seats that play a deal; a fourth sits it out."""

DEFAULT_DEALS = 12
MAX_DEALS = 99


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    players: Annotated[
        Literal[3, 4], Meta(description="How many sit at the table; of four, one sits out each deal (LH-1.1).")
    ] = 4
    sitter_pays: Annotated[
        bool, Meta(description="Whether who sits out a deal pays and is paid like the defenders (LH-9.2).")
    ] = True


def deals(options: Options) -> Deals:
    """The numbers of deals that may be agreed (LH-1.4)."""
    players = options.players
    return Deals(DEFAULT_DEALS, players, MAX_DEALS - MAX_DEALS % players, "LH-1.4", multiple_of=players)


def next_dealer(standing: Standing) -> Seat:
    """The dealer of the next deal: the seat to the right (LH-1.3)."""
    return right(dealer_of(standing), standing.options)


def right(seat: Seat, options: Options) -> Seat:
    """The seat to the right, which comes next in everything (LH-1.1)."""
    return (seat - 1) % options.players


def order_of_turns(dealer: Seat, options: Options) -> tuple[Seat, ...]:
    """Forehand, middlehand, backhand; with four players the one opposite the dealer sits out (LH-1.2)."""
    sitting_out = {(dealer + 2) % options.players} if options.players > PLAYING else set()
    players = counterclockwise(right(dealer, options), options.players)
    return tuple(seat for seat in players if seat not in sitting_out)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: three batches of three in the order of turns, the rest the talon (LH-3.1)."""
    return hands_and_talon(order_of_turns(dealer_of(standing), standing.options), (BATCH,) * (HAND // BATCH), len(PACK))
