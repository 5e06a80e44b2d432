"""Dingo's fixed facts: cards, deal, seats, the steps of discards and passes."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import RANKS, Card, pack_of
from domain.kernel.course import Deals, Standing, dealer_of, highest_totals
from domain.kernel.dealing import Drawn, Portion, Shuffle, hand_of, in_batches
from domain.parts.turns import Clockwise
from domain.seats import Seat

SEATS = 4
TURNS = Clockwise(SEATS)
"""Turns and deal pass to the left (DG-1.1, DG-1.3)."""

PACK = pack_of(RANKS)
"""52 cards (DG-2.1)."""
ORDER = PACK.order
LOW_TO_HIGH = RANKS[::-1]
ACE = LOW_TO_HIGH[-1]

RABBITS: Mapping[str, Card] = {rank: f"{rank}d" for rank in LOW_TO_HIGH}
DINGOES: Mapping[str, Card] = {rank: f"{rank}h" for rank in LOW_TO_HIGH}
WOLVES: Mapping[str, tuple[Card, Card]] = {rank: (f"{rank}s", f"{rank}c") for rank in LOW_TO_HIGH}
"""The rabbit, the dingo and the two wolves of each rank, low to high (DG-2.1)."""

OPEN_RABBITS = tuple(RABBITS[rank] for rank in LOW_TO_HIGH if rank != ACE)
"""The rabbits, which are not dealt, in the order in which they are hunted (DG-2.3)."""
DEALT = tuple(card for card in PACK if card not in OPEN_RABBITS)
HAND = len(DEALT) // SEATS

DEFAULT_DEALS = 1
MAX_DEALS = 96

StepKind: TypeAlias = Literal["discard", "pass"]


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The only choice when a table is opened is the number of deals (DG-1.2)."""


class Step(Struct, frozen=True, gc=False):
    """One step before the hunts, which every seat takes once. `to` is the number of seats to the left that a card is
    passed.
    """

    step: int
    rule: str
    name: str
    act: StepKind
    to: int
    """0 for a discard."""


STEPS: tuple[Step, ...] = (
    Step(1, "DG-4.1", "the first discard", "discard", 0),
    Step(2, "DG-4.3", "the pass to the left", "pass", 1),
    Step(3, "DG-4.1", "the second discard", "discard", 0),
    Step(4, "DG-4.3", "the pass across", "pass", 2),
    Step(5, "DG-4.1", "the third discard", "discard", 0),
    Step(6, "DG-4.3", "the pass to the right", "pass", 3),
    Step(7, "DG-4.1", "the last discard", "discard", 0),
)


def deals(_: Options) -> Deals:
    """The numbers of deals that may be agreed: one, or a multiple of four (DG-1.2)."""
    return Deals(DEFAULT_DEALS, SEATS, MAX_DEALS, "DG-1.2", multiple_of=SEATS)


def draw(_: Standing, shuffle: Shuffle) -> Drawn:
    """The forty cards that are dealt, shuffled (DG-3.1)."""
    return Drawn(tuple(shuffle("codille-deal", DEALT)))


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: ten to each, one at a time from the dealer's left (DG-3.1)."""
    return _PORTIONS[dealer_of(standing)]


def _portions(dealer: Seat) -> tuple[Portion, ...]:
    places = in_batches(TURNS.order_of_turns(dealer), (1,) * HAND)
    return tuple(hand_of(seat, own) for seat, own in places.items())


_PORTIONS: Mapping[Seat, tuple[Portion, ...]] = {dealer: _portions(dealer) for dealer in range(SEATS)}


def winners(standing: Standing) -> tuple[Seat, ...]:
    """The winners: the highest total; in a game of one deal, a tie goes to the highest rabbit (DG-8.4)."""
    leading = highest_totals(standing)
    if standing.deals > 1:
        return leading
    rabbits = standing.result["rabbits"]
    heights = {seat: -1 if rabbits[seat] is None else LOW_TO_HIGH.index(rabbits[seat]) for seat in leading}
    return tuple(seat for seat in leading if heights[seat] == max(heights.values()))
