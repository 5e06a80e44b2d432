"""The automatic events, which need no act."""

from domain.games.boston.state import Playing, State, exposes
from domain.kernel.event import Event, Payload
from domain.parts.tricks import HandExposed, trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: declarer's hand laid open, or a trick won; None if none is."""
    if not isinstance(state, Playing):
        return None
    if exposes(state):
        declarer = state.commitment.declarer
        return Event(HandExposed(declarer, state.hands[declarer].known))
    return trick_won(state)
