"""The values of cards and burrachi, and the ends of a deal: one row each, facts in columns (BU-2.3, BU-7, BU-9)."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import JOKER, Card
from domain.games.burraco.meta import PACK
from domain.parts import scoring

Kind: TypeAlias = Literal["clean", "semi-clean", "dirty"]
Outcome: TypeAlias = Literal["closed", "stock-exhausted", "stalemate"]


class Value(Struct, frozen=True, gc=False):
    """The value of a rank's cards, whatever a wild card stands for (BU-2.3)."""

    rank: str
    name: str
    value: int


class Burraco(Struct, frozen=True, gc=False):
    """A kind of burraco, and its value besides its cards (BU-10.2, BU-10.3)."""

    burraco: Kind
    name: str
    bonus: int
    rule: str
    text: str
    """What it is, and what it gains."""


class Ending(scoring.Ending[Outcome], frozen=True, gc=False):
    """One way in which a deal ends, and the rule for it."""


VALUES: tuple[Value, ...] = (
    Value(JOKER, "joker", 30),
    Value("2", "2", 20),
    Value("A", "ace", 15),
    Value("K", "king", 10),
    Value("Q", "queen", 10),
    Value("J", "jack", 10),
    Value("T", "10", 10),
    *(Value(rank, rank, 10) for rank in "98"),
    *(Value(rank, rank, 5) for rank in "76543"),
)

CLEAN = Burraco(
    "clean", "clean burraco", 200, "BU-10.2", "Seven or more cards, none of them wild: 200 points besides its cards."
)
SEMI_CLEAN = Burraco(
    "semi-clean",
    "semi-clean burraco",
    150,
    "BU-10.3",
    "Seven natural cards side by side or of one rank, and a wild one: 150 points besides its cards.",
)
DIRTY = Burraco(
    "dirty", "dirty burraco", 100, "BU-10.3", "Seven or more cards, one of them wild: 100 points besides its cards."
)
BURRACHI: tuple[Burraco, ...] = (CLEAN, SEMI_CLEAN, DIRTY)
BURRACO_OF: Mapping[Kind, Burraco] = {row.burraco: row for row in BURRACHI}

CLOSING = 100
"""The points for closing (BU-10.4)."""
NO_POZZETTO = 100
"""The cost of a pozzetto that its side did not take (BU-10.6)."""

CLOSED = Ending("closed", "BU-9.2", "closed")
EXHAUSTED = Ending("stock-exhausted", "BU-9.3", "stock exhausted")
STALEMATE = Ending("stalemate", "BU-9.4", "stalemate")
ENDINGS: tuple[Ending, ...] = (CLOSED, EXHAUSTED, STALEMATE)

_VALUE_OF: Mapping[str, int] = {row.rank: row.value for row in VALUES}
_WORTH: Mapping[Card, int] = {card: _VALUE_OF[PACK.rank(card)] for card in PACK}


def worth(cards: Sequence[Card]) -> int:
    """The total value of these cards (BU-2.3)."""
    return sum([_WORTH[card] for card in cards])
