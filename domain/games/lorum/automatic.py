"""The automatic events, which need no act."""

from typing import assert_never

from domain.games.lorum.events import (
    TrickKept,
)
from domain.games.lorum.meta import PACK, RANKING
from domain.games.lorum.state import Blind, Domino, Playing, Quart, State, Train
from domain.kernel.event import Event, Payload
from domain.parts.tricks import TrickWon, trick_won, winner


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due: a complete trick is captured (LO-3.1, LO-4.3); None if none is."""
    match state:
        case Playing():
            return trick_won(state)
        case Blind(turn=None):
            number, led = len(state.winners) + 1, state.trick[0]
            followed = any(PACK.suit(played.card) == PACK.suit(led.card) for played in state.trick[1:])
            return Event(TrickWon(winner(state.trick, RANKING), number) if followed else TrickKept(led.seat, number))
        case Blind() | Train() | Quart() | Domino():
            return None
        case _:
            assert_never(state)
