"""The automatic events, which need no act."""

from domain.games.solo.contracts import CONTRACTS
from domain.games.solo.events import ContractDeclared, PartnerShown, QueenShown
from domain.games.solo.meta import SHOWN
from domain.games.solo.offers import partner_to_show
from domain.games.solo.state import Auction, Declaration, Playing, State
from domain.kernel.event import Event, Payload
from domain.parts.tricks import trick_won


def next_automatic(state: State) -> Event[Payload] | None:
    """The automatic event that is due, or None: partner or queen shown, a trick won, the only declaration there is."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing() if (partner := partner_to_show(state)) is not None:
            return Event(PartnerShown(partner))
        case Playing():
            # The player of the highest card takes the trick, once everybody has played to it.
            return trick_won(state)
        case Auction() if state.turn is None:
            holder = next(seat for seat, hand in enumerate(state.hands) if SHOWN in hand.known)
            return Event(QueenShown(holder, SHOWN))
        case Declaration() if state.turn is None:
            # The highest level leaves only this game, which is played in color and without a partner.
            game, color = CONTRACTS[state.level].game, state.common.options.color
            return Event(ContractDeclared(state.declarer, game, color, None, state.level))
        case _:
            return None
