"""Boston's fixed facts: cards, deal, seats, options."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import RANKS, SUITS, Card, Suit, pack_of
from domain.kernel.course import Deals, Standing, dealer_of
from domain.kernel.dealing import Portion, hands_and_talon
from domain.parts.ranks import Ranking, ranking
from domain.parts.turns import Clockwise

AROUND = Clockwise(4)
"""Four seats; turn and deal pass to the left (BO-1.1, BO-1.3)."""

PACK = pack_of(RANKS)
ORDER = PACK.order

RANKINGS: Mapping[Suit | None, Ranking] = {None: ranking(PACK), **{suit: ranking(PACK, suit) for suit in SUITS}}
"""The rankings by trump suit; None without trumps (BO-2.1, BO-6.3)."""

ACES: tuple[Card, ...] = tuple(card for card in PACK if PACK.rank(card) == "A")
HONOUR_RANKS = "AKQJ"

HAND = 13
BATCHES = (4, 4, 5)
LAST_TO_BREAK = 10
"""The last trick to which the declarer of a Four-ace misère may break the rule of following suit (BO-6.4)."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    five_base: Annotated[Literal[3, 4], Meta(description="The base of Five (BO-4.2).")] = 3
    piccolissimo: Annotated[bool, Meta(description="Whether Piccolissimo may be bid (BO-4.3).")] = False
    four_ace_revoke: Annotated[
        Literal["once", "free"],
        Meta(
            description="How often the declarer of a Four-ace misère may play another suit while holding the suit led, "
            "in the first ten tricks: once, or freely (BO-6.4)."
        ),
    ] = "once"


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed (BO-1.2)."""
    return Deals(12, 4, 96, "BO-1.2", multiple_of=4)


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: four, four and five to each from the dealer's left on, with none left over (BO-2.2)."""
    return hands_and_talon(AROUND.order_of_turns(dealer_of(standing)), BATCHES, len(PACK))


def honours_of(trump: Suit) -> frozenset[Card]:
    """The honours when this suit is trumps (BO-2.4)."""
    return frozenset(rank + trump for rank in HONOUR_RANKS)
