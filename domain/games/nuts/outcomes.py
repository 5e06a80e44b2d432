"""The ways in which a hand ends, and the points for cards: one row each (NU-8, NU-9)."""

from typing import Literal, TypeAlias

from domain.games.nuts.meta import IDLE_ACTS, SHIFTS
from domain.games.nuts.state import State
from domain.parts.scoring import Ending

Outcome: TypeAlias = Literal["nuts", "stuck", "stalled"]

FOUNDED = 1
"""The points for each of a player's cards on the foundations (NU-9.1)."""
LEFT = 2
"""The cost of a card left in the reserve (NU-9.2)."""


class Result(Ending[Outcome], frozen=True, gc=False):
    """One outcome, and the rule behind it."""


NUTS = Result("nuts", "NU-8.1", "Nuts")
STUCK = Result("stuck", "NU-7.4", "all stuck")
STALLED = Result("stalled", "NU-7.5", "too long without progress")

RESULTS: tuple[Result, ...] = (NUTS, STUCK, STALLED)


def settled(state: State) -> Result | None:
    """How the hand has ended; None while it goes on.

    It ends when Nuts is called (NU-8.1), when all are stuck after the last shift (NU-7.4), or, at a table without a
    time limit, after too many acts without progress (NU-7.5).
    """
    if state.called is not None:
        return NUTS
    if state.idle >= IDLE_ACTS and not state.options.stall:
        return STALLED
    return STUCK if state.shifts == SHIFTS and state.all_stuck else None
