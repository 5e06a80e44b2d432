"""Nuts' fixed facts: a pack and a layout for each seat, the cards that fit on each other, options."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.cards import RANKS, SUITS, Card, pack_of
from domain.fair.lots import FirstDealer, Lots
from domain.kernel.course import Standing
from domain.kernel.dealing import Drawn, Portion, Shuffle, face_down, face_up
from domain.parts.target import ToTarget
from domain.seats import Seat

MOST_SEATS = 4
ASCENDING = "A23456789TJQK"
"""Ace low, king high (NU-2.1)."""
PACK = pack_of(RANKS[1:] + RANKS[0], owners=range(MOST_SEATS))
"""A pack of 52 cards for each of four seats (NU-2.1)."""
ORDER = PACK.order
OWN = len(PACK) // MOST_SEATS

RESERVE, TABLEAU, STOCK = "reserve", "tableau", "stock"
"""The piles before a seat (NU-3.2)."""
IN_RESERVE = 13
COLUMNS = 4

TURNED = 3
"""The number of cards of the stock that are turned at once (NU-4.1)."""
SHIFTS = 2
"""The most shifts without progress; when all are stuck after them, the hand ends (NU-7.4)."""
IDLE_ACTS = 2000
"""The number of acts without progress that ends a hand without a time limit (NU-7.5)."""
LEAST_STALL = 10


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a table of this game."""

    players: Annotated[Literal[2, 3, 4], Meta(description="The number of players (NU-1.1).")] = 2
    target: Annotated[
        int, Meta(ge=20, le=500, description="A player with more points than this ends the game (NU-1.2).")
    ] = 100
    stall: Annotated[
        int,
        Meta(
            ge=0,
            le=3600,
            description="The seconds without progress after which all are stuck; 0 for no limit (NU-7.5).",
            extra_json_schema={"not": {"minimum": 1, "maximum": LEAST_STALL - 1}},
        ),
    ] = 120
    nuts_call: Annotated[
        Literal["at-once", "optional"],
        Meta(description="Whether an empty reserve ends the hand at once, or its player calls Nuts (NU-8.1)."),
    ] = "at-once"

    def __post_init__(self) -> None:
        if 0 < self.stall < LEAST_STALL:
            raise ValueError(f"stall is 0, or {LEAST_STALL} or more")


TARGET = ToTarget("NU-1.2", passed=True)
"""A player who has more points than the target ends the game (NU-1.2)."""


def nobody(_: Lots) -> FirstDealer:
    """None: the game has no dealer (NU-1.1)."""
    return FirstDealer(None)


def no_dealer(_: Standing) -> None:
    """None: the game has no dealer (NU-1.1)."""


def draw(standing: Standing, shuffle: Shuffle) -> Drawn:
    """The packs of all seats, one after another, each shuffled under a label with its seat (NU-3.2)."""
    packs = (PACK.cards[seat * OWN : (seat + 1) * OWN] for seat in range(standing.options.players))
    return Drawn(tuple([card for seat, own in enumerate(packs) for card in shuffle(f"codille-deal-seat-{seat}", own)]))


def portions(standing: Standing) -> tuple[Portion, ...]:
    """Where each card goes: to the layout of each seat, whose tableau and reserve's top are open (NU-3.2)."""
    return _portions(standing.options.players)


# Used when a deal is dealt, at every fold of it, and in its audit.
@lru_cache(maxsize=MOST_SEATS)
def _portions(number: int) -> tuple[Portion, ...]:
    return tuple(portion for seat in range(number) for portion in _layout(seat))


def _layout(seat: Seat) -> tuple[Portion, ...]:
    top = seat * OWN
    tableau, stock = top + IN_RESERVE, top + IN_RESERVE + COLUMNS
    return (
        face_up(RESERVE, (top,), seat),
        face_down(RESERVE, range(top + 1, tableau), seat),
        face_up(TABLEAU, range(tableau, stock), seat),
        face_down(STOCK, range(stock, top + OWN), seat),
    )


ACES = frozenset([card for card in PACK.cards if PACK.rank(card) == ASCENDING[0]])
"""The cards that start foundations (NU-5.3)."""


def _beside(card: Card, step: int) -> tuple[Card, ...]:
    """The cards of the same owner whose rank is `step` higher."""
    index = ASCENDING.index(PACK.rank(card)) + step
    if not 0 <= index < len(ASCENDING):
        return ()
    return tuple(f"{PACK.faces[card].owner}.{ASCENDING[index]}{suit}" for suit in SUITS)


def _red(card: Card) -> bool:
    return PACK.suit(card) in ("h", "d")


BUILT_ON: Mapping[Card, tuple[Card, ...]] = {
    card: tuple(lower for lower in _beside(card, -1) if _red(lower) != _red(card)) for card in PACK
}
"""The cards that go onto a column, by its last card: one rank lower, of the other colour (NU-5.2)."""

FOUNDED_ON: Mapping[Card, tuple[Card, ...]] = {
    card: tuple(
        f"{owner}.{higher[2:]}"
        for higher in _beside(card, 1)
        if PACK.suit(higher) == PACK.suit(card)
        for owner in range(MOST_SEATS)
    )
    for card in PACK
}
"""The cards that go onto a foundation, by its top card and by seat: of its suit, one rank higher (NU-5.3)."""


def passed(top: Card, card: Card) -> bool:
    """Whether a foundation with this top card already has this card's rank in its suit (NU-6.3)."""
    ranks = [ASCENDING.index(PACK.rank(each)) for each in (top, card)]
    return PACK.suit(top) == PACK.suit(card) and ranks[0] >= ranks[1]
