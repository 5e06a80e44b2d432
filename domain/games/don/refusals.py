"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.games.don.actions import Play
from domain.games.don.state import Pitching, Playing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import not_held
from domain.parts.tricks import play_refusals
from domain.seats import Seat


def _not_pitched(state: Pitching, seat: Seat, action: Play) -> str | None:
    return not_held(state.hands[seat], action.card)


REFUSALS = Refusals(
    cards="ND-2.1",
    acts={
        Play: (
            Refusal("ND-3.1", _not_pitched, ("card",), Pitching),
            *play_refusals("ND-3.3", "ND-3.2", Playing),
        )
    },
)
"""A lead breaks no rule of following, so the rule of later leads may come after it."""
