"""The automatic events, which need no act."""

from domain.games.crocodile.events import (
    CascoForced,
)
from domain.games.crocodile.meta import HAND, PACK, SEATS
from domain.games.crocodile.state import Auction, Exchanging, Playing, State, exposes
from domain.kernel.event import Event, Payload
from domain.parts.exchange import turn_up_event
from domain.parts.tricks import HandExposed, trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, if any: Casco forced, the turn-up, the hand exposed, a trick won."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if exposes(state):
            return Event(HandExposed(state.commitment.declarer, state.hands[state.commitment.declarer].known))
        case Playing():
            return trick_won(state)
        case Auction() if state.turn is None:
            return Event(CascoForced(state.common.eldest))
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * SEATS)
        case _:
            return None
