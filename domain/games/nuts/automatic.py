"""The automatic events, which need no act."""

from domain.games.nuts.events import (
    AllStuck,
    NutsCalled,
    ShiftMade,
)
from domain.games.nuts.offers import may_act
from domain.games.nuts.outcomes import settled
from domain.games.nuts.state import State
from domain.kernel.event import Event, Payload
from domain.kernel.game import Timer


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: Nuts called for an empty reserve (NU-8.1), or a shift (NU-7.3); None if
    none is.
    """
    if settled(state) is not None:
        return None
    if state.nuts is not None:
        return Event(NutsCalled(state.nuts))
    return Event(ShiftMade(state.shifts + 1)) if state.all_stuck else None


def timer(state: State) -> Timer | None:
    """The time limit of the hand (NU-7.5); None if it has none."""
    if not state.options.stall or not may_act(state):
        return None
    return Timer(state.since, state.options.stall, AllStuck(), "NU-7.5")
