"""Games and outcomes: one row each, facts in columns (SO-2, SO-4.2)."""

from functools import cache
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Suit
from domain.parts.scoring import Ending

GameName: TypeAlias = Literal["simple", "solo", "tout"]
Outcome: TypeAlias = Literal["made", "failed"]

GAMES: tuple[GameName, ...] = ("simple", "solo", "tout")


class Contract(Struct, frozen=True, gc=False):
    """One game (SO-2), played with color as trumps or with any other suit."""

    level: int
    """The level in the auction at which it may be played (SO-3.1)."""
    game: GameName
    name: str
    color: bool
    """Whether color is trumps (SO-1.2)."""
    goal: int
    """The number of the eight tricks that declarer must win, together with the partner if there is one."""
    partner: bool
    """Whether declarer calls a partner."""
    value: int
    """Declarer's gain or loss in points (SO-4.2)."""
    text: str = ""
    """What it promises, and what it gains and costs, in the rulebook's rows; empty in these."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome and the rule behind it, and declarer's score in values."""

    sign: int
    """1 if declarer gains the game's value, -1 if declarer loses it."""


CONTRACTS: dict[int, Contract] = {
    row.level: row
    for row in (
        Contract(1, "simple", "Simple game in suit", False, 5, True, 2),
        Contract(2, "simple", "Simple game in color", True, 5, True, 4),
        Contract(3, "solo", "Solo in suit", False, 5, False, 4),
        Contract(4, "solo", "Solo in color", True, 5, False, 8),
        Contract(5, "tout", "Tout in suit", False, 8, False, 16),
        Contract(6, "tout", "Tout in color", True, 8, False, 32),
    )
}
HIGHEST = max(CONTRACTS)
LEAST_ALONE = min(row.level for row in CONTRACTS.values() if not row.partner)
"""The lowest level that a holder of both black queens plays (SO-3.3)."""

MADE = Result("made", "SO-4.2", "made", 1)
FAILED = Result("failed", "SO-4.2", "failed", -1)

RESULTS: tuple[Result, ...] = (MADE, FAILED)


@cache
def contract_of(game: GameName, trump: Suit, color: Suit) -> Contract:
    """The game with these trumps, if this suit is color."""
    return next(row for row in CONTRACTS.values() if row.game == game and row.color == (trump == color))
