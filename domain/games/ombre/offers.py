"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.ombre.acts import ACTS, MILDEST
from domain.games.ombre.scoring import choosing, settled
from domain.games.ombre.state import Playing, State
from domain.parts.defaults import low_first, mildest
from domain.parts.matadors import BLACK_ACES, PACK
from domain.parts.turns import one_at_a_time


def undertakes(state: State) -> bool:
    """Whether Ombre has just led to the sixth trick after winning the first five (OM-6.2)."""
    if not isinstance(state, Playing):
        return False
    return state.undertaken is None and bool(state.tricks.trick) and choosing(state)


to_act = one_at_a_time(settled, undertakes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now. An offer to surrender needs no turn."""

default_action = mildest(offers, low_first(PACK, BLACK_ACES), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
