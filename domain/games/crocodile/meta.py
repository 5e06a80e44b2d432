"""Crocodile's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import SUITS, Suit, pack_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.parts.ranks import Ranking, ranking
from domain.parts.turns import Clockwise

SEATS = 3
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (CR-1.1, CR-1.3)."""
RANKS = "KQJ765432A"
"""High to low in every suit, trump or plain (CR-2.1)."""

PACK = pack_of(RANKS)
ORDER = PACK.order
RANKINGS: Mapping[Suit | None, Ranking] = {trump: ranking(PACK, trump) for trump in (None, *SUITS)}
"""The rankings by trump suit; null without trumps."""

HAND = 9
TALON = 13
BATCH = 3

DEFAULT_DEALS = 3
MAX_DEALS = 99
MAX_UTTERANCES = 50
"""The most remarks by a seat in one deal (CR-10.7)."""
MAX_TEXT = 280


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

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


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed (CR-1.2)."""
    return Deals(DEFAULT_DEALS, SEATS, MAX_DEALS, "CR-1.2", multiple_of=SEATS)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: batches of three from eldest on, three times round, then the talon (CR-3.1, CR-3.2)."""
    return hands_and_talon(TURNS.order_of_turns(dealer_of(standing)), (BATCH,) * (HAND // BATCH), len(PACK))
