"""King's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import RANKS, SUITS, Suit, pack_of
from domain.games.king.contracts import DEALS, TRICKS
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.parts.ranks import Ranking, ranking
from domain.parts.turns import Clockwise

SEATS = 4
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (KG-1.1, KG-1.3)."""

PACK = pack_of(RANKS)
"""In every suit A K Q J 10 9 8 7 6 5 4 3 2 (KG-2.1)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    heart_leads: Annotated[
        Literal["free", "restricted"],
        Meta(description="Whether hearts may be led freely in deals 2 and 5, or by who holds nothing else (KG-3.4)."),
    ] = "free"
    auction_opening: Annotated[
        Literal["forced", "free"],
        Meta(description="Whether the seat to the dealer's left must open the auction, or all may pass (KG-5.3)."),
    ] = "forced"
    auction_pass: Annotated[
        Literal["open", "final"],
        Meta(description="Whether who has passed may bid again at the next turn, or is out (KG-5.4)."),
    ] = "open"  # noqa: S105 (no password)


RANKINGS: Mapping[Suit | None, Ranking] = {trump: ranking(PACK, trump) for trump in (None, *SUITS)}
"""The rankings by trump suit (KG-3.3)."""


def deals(_: Options) -> Deals:
    """The number of deals, which is exactly ten (KG-1.2)."""
    return Deals(len(DEALS), len(DEALS), len(DEALS), "KG-1.2")


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: one at a time from the dealer's left on, with none left over (KG-2.2)."""
    return hands_and_talon(TURNS.order_of_turns(dealer_of(standing)), (1,) * TRICKS, len(PACK))
