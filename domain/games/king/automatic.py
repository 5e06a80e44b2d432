"""The automatic events, which need no act."""

from domain.games.king.state import Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.tricks import trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a complete trick is taken (KG-3.3); None if none is."""
    if isinstance(state, Playing):
        return trick_won(state)
    return None
