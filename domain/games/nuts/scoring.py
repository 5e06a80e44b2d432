"""The score of a hand of Nuts, and its lines (NU-8, NU-9)."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from domain.games.nuts.meta import IDLE_ACTS, SHIFTS
from domain.games.nuts.state import Racing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer
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


def score(state: State) -> Score | None:
    """The score of the hand; None until it is settled."""
    result = settled(state)
    return None if result is None else Score(result.outcome, tuple(_transfers(state)))


def _transfers(state: Racing) -> Iterator[Transfer]:
    """At most two transfers a player, against the bank (NU-9.3)."""
    for seat, layout in enumerate(state.layouts):
        founded, left = len(layout.founded), len(layout.reserve)
        text = f"Cards of seat {seat} on the foundations: {founded}"
        yield Transfer(seat, BANK, FOUNDED * founded, "founded", "NU-9.1", text, layout.founded)
        cards = " ".join(filter(None, layout.reserve))
        text = f"Cards left in the reserve of seat {seat}: {left} × {LEFT} ({cards})"
        cited = (state.dealt_at, *layout.uncovered)
        yield Transfer(seat, BANK, -LEFT * left, "reserve", "NU-9.2", text, cited)
