"""The score of a hand of Nuts, and its lines (NU-8, NU-9)."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.games.nuts.state import Racing, State
from domain.kernel.game import Score
from domain.kernel.ledger import BANK, Transfer

Outcome: TypeAlias = Literal["nuts", "stuck", "stalled"]

FOUNDED = 1
"""The points for each of a player's cards on the foundations (NU-9.1)."""
LEFT = 2
"""The cost of a card left in the reserve (NU-9.2)."""


class Result(Struct, frozen=True, gc=False):
    """One outcome, and the rule behind it."""

    outcome: Outcome
    rule: str
    name: str


NUTS = Result("nuts", "NU-8.1", "Nuts")
STUCK = Result("stuck", "NU-7.4", "all stuck")
STALLED = Result("stalled", "NU-7.5", "too long without progress")

RESULTS: tuple[Result, ...] = (NUTS, STUCK, STALLED)


def score(state: State) -> Score | None:
    """The score of the hand; None before its end."""
    if not state.ended:
        return None
    result = NUTS if state.called is not None else STALLED if state.stalled else STUCK
    return Score(result.outcome, tuple(_transfers(state)))


def _transfers(state: Racing) -> Iterator[Transfer]:
    """At most two transfers a player, against the bank (NU-9.3)."""
    for seat, layout in enumerate(state.layouts):
        founded, left = len(layout.founded), len(layout.reserve)
        text = f"Cards of seat {seat} on the foundations: {founded}"
        yield Transfer(seat, BANK, FOUNDED * founded, "founded", "NU-9.1", text, layout.founded)
        text = f"Cards left in the reserve of seat {seat}: {left} × {LEFT}"
        cited = (state.dealt_at, *layout.uncovered)
        yield Transfer(seat, BANK, -LEFT * left, "reserve", "NU-9.2", text, cited)
