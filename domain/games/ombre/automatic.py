"""The automatic events, which need no act."""

from domain.games.ombre.events import (
    ContractDeclared,
    DealPassedOut,
)
from domain.games.ombre.meta import SEATS
from domain.games.ombre.offers import undertakes
from domain.games.ombre.state import Auction, Declaration, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.exchange import turn_up_event
from domain.parts.matadors import HAND, PACK
from domain.parts.tally import AllTricksUndertaken
from domain.parts.tricks import trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.ombre))
        case Playing():
            return trick_won(state)
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * SEATS)
        case Auction() if state.turn is None:
            return Event(DealPassedOut())
        case Declaration() if state.turn is None:
            return Event(ContractDeclared(state.declarer, state.bid, None))
        case _:
            return None
