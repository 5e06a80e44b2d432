"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.lhombre.acts import ACTS, MILDEST
from domain.games.lhombre.scoring import choosing, settled, tallied
from domain.games.lhombre.state import Playing
from domain.parts.defaults import low_first, mildest
from domain.parts.matadors import BLACK_ACES, PACK
from domain.parts.turns import one_at_a_time


def exposes(state: Playing) -> bool:
    """Whether declarer's cards must be laid open now, since declarer has played the first (LH-7.4)."""
    hidden = state.commitment.contract.exposed and not state.exposed
    return hidden and state.commitment.declarer in [played.seat for played in state.tricks.trick]


def undertakes(state: Playing) -> bool:
    """Whether declarer has just led to the sixth trick after winning the first five (LH-8.3)."""
    return state.undertaken is None and bool(state.tricks.trick) and choosing(state.commitment.contract, tallied(state))


to_act = one_at_a_time(settled, lambda state: isinstance(state, Playing) and (exposes(state) or undertakes(state)))
"""The seat that must act; none while an automatic event is due or the deal is settled."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now. Abandoning the hand needs no turn."""

default_action = mildest(offers, low_first(PACK, BLACK_ACES), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
