"""The automatic events, which need no act."""

from domain.games.lhombre.contracts import nameable
from domain.games.lhombre.events import ContractDeclared, DealWashedOut
from domain.games.lhombre.meta import PLAYING
from domain.games.lhombre.offers import exposes, undertakes
from domain.games.lhombre.state import Auction, Declaration, Exchanging, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.exchange import turn_up_event
from domain.parts.matadors import HAND, PACK
from domain.parts.tally import AllTricksUndertaken
from domain.parts.tricks import HandExposed, trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due; None if none is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if exposes(state):
            return Event(HandExposed(state.commitment.declarer, state.hands[state.commitment.declarer].known))
        case Playing() if undertakes(state):
            return Event(AllTricksUndertaken(state.commitment.declarer))
        case Playing():
            return trick_won(state)
        case Exchanging() if state.commitment.to_turn:
            return turn_up_event(state.common.deck, PACK, HAND * PLAYING)
        case Auction() if state.turn is None:
            return Event(DealWashedOut())
        case Declaration() if state.turn is None:
            (trump,) = nameable(state.bid)
            return Event(ContractDeclared(state.declarer, state.bid, trump))
        case _:
            return None
