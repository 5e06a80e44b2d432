"""The event that a legal action causes, and the automatic event, which needs no action."""

from typing import assert_never

from domain.games.tetka.actions import Play, TetkaAction
from domain.games.tetka.events import TetkaEvent
from domain.games.tetka.state import State
from domain.kernel.event import Event, Payload
from domain.parts.tricks import CardPlayed, TrickWon, trick_won
from domain.seats import Seat


def decide(_: State, seat: Seat, action: TetkaAction) -> Event[Payload]:
    """The event that the seat's action causes; `offers` has described the action, so it is legal."""
    return action.event(seat)


def next_automatic(state: State) -> Event[Payload] | None:
    """The end of a complete trick, which the highest card of the suit led wins (TE-3.2); None if none is complete."""
    return trick_won(state)


def action_of(event: Event[TetkaEvent]) -> TetkaAction | None:
    """The action that caused this event; None for an automatic event."""
    match event.public:
        case CardPlayed() as public:
            return Play(public.card)
        case TrickWon():
            return None
        case _:
            assert_never(event.public)
