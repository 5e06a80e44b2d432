"""How a deal ends (BU-9)."""

from domain.games.burraco.contracts import CLOSED, EXHAUSTED, STALEMATE, Ending
from domain.games.burraco.meta import LAST_STOCK
from domain.games.burraco.state import Drawing, State


def settled(state: State) -> Ending | None:
    """How the deal has ended; None while it goes on.

    It ends with the turn in which a seat closes (BU-9.2), the stock comes to its last cards (BU-9.3) or all have had an
    idle turn (BU-9.4), and once the last pozzetto is taken.
    """
    if not isinstance(state, Drawing):
        return None
    common = state.common
    if state.closer is not None:
        ending = CLOSED
    elif len(common.stock) <= LAST_STOCK:
        ending = EXHAUSTED
    elif common.idle == common.options.players:
        ending = STALEMATE
    else:
        return None
    return ending if common.taking is None else None
