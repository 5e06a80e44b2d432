"""Diloti's fixed facts: cards, deal, seats, options."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import Card, pack_of
from domain.kernel.course import Standing
from domain.kernel.dealing import Drawn, Portion, Shuffle, face_down, face_up, hand_of, in_batches
from domain.parts.sides import scores_of_two_sides
from domain.parts.target import ToTarget
from domain.parts.turns import order_of_turns
from domain.seats import Seat

COURT, NUMERALS = "KQJ", "T98765432A"
"""The ranks of court cards and of numerals, each high to low."""
PACK = pack_of(COURT + NUMERALS)
"""Kings high, aces low (DL-2.1)."""
ORDER = PACK.order
VALUES: Mapping[Card, int] = {
    card: len(NUMERALS) - NUMERALS.index(PACK.rank(card)) for card in PACK if PACK.rank(card) in NUMERALS
}
"""The values of numerals; court cards have none (DL-2.1)."""
HIGHEST = len(NUMERALS)
"""The highest value of a numeral."""

HAND = 6
"""The number of cards of a hand in each batch (DL-3.1, DL-3.2)."""
TABLE_CARDS = 4
ALIKE = 3
"""The number of first table cards of one rank from which they are rejected (DL-3.3)."""

TABLE, STOCK = "table", "stock"
"""The piles other than hands."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    players: Annotated[Literal[2, 4], Meta(description="Two players, each a side, or four in two sides (DL-1.1).")] = 2
    target: Annotated[int, Meta(ge=21, le=201, description="The points with which a side ends the game (DL-1.3).")] = 61
    redeal: Annotated[
        Literal["any", "court"],
        Meta(description="Whether three cards of any rank on the table are shuffled back, or of court cards (DL-3.3)."),
    ] = "any"
    court_lay: Annotated[
        Literal["never-past-a-match", "free"],
        Meta(description="Whether a court card may be laid beside a loose one of its rank (DL-4.2)."),
    ] = "never-past-a-match"
    court_capture: Annotated[
        Literal["one", "all"],
        Meta(description="Whether a court card takes one loose card of its rank, or all (DL-5.1)."),
    ] = "one"


TARGET = ToTarget("DL-1.3", scores_of_two_sides, alone=True)
"""A side that has the target's points and more than the other ends the game (DL-1.3)."""


def is_rejected(turned: Sequence[Card], options: Options) -> bool:
    """Whether these table cards must be shuffled back (DL-3.3)."""
    ((rank, number),) = Counter(map(PACK.rank, turned)).most_common(1)
    return number >= ALIKE and (options.redeal == "any" or rank in COURT)


def draw(standing: Standing, shuffle: Shuffle) -> Drawn:
    """The shuffled pack; everything except the hands is shuffled again while the table cards are rejected (DL-3.3)."""
    options: Options = standing.options
    cards = shuffle("codille-deal", PACK.cards)
    hands, rest = cards[: HAND * options.players], cards[HAND * options.players :]
    rejected: list[tuple[Card, ...]] = []
    while is_rejected(rest[:TABLE_CARDS], options):
        rejected.append(tuple(rest[:TABLE_CARDS]))
        rest = shuffle(f"codille-redeal-{len(rejected)}", PACK.sorted(rest))
    return Drawn((*hands, *rest), tuple(rejected))


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: six to each from eldest on, four face up, the rest (DL-3.1)."""
    return _portions(order_of_turns(standing))


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=6)
def _portions(order: tuple[Seat, ...]) -> tuple[Portion, ...]:
    table = len(order) * HAND
    stock = table + TABLE_CARDS
    hands = in_batches(order, (HAND,))
    return (
        *(hand_of(seat, places) for seat, places in hands.items()),
        face_up(TABLE, range(table, stock)),
        face_down(STOCK, range(stock, len(PACK))),
    )
