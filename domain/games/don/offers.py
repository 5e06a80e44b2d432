"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.don.acts import ACTS, MILDEST
from domain.games.don.meta import PACK
from domain.games.don.scoring import settled
from domain.games.don.state import Playing, State
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import one_at_a_time


def waits_for_hand(state: State) -> bool:
    """Whether the hand of the pitcher's partner must be opened now (ND-2.3)."""
    return isinstance(state, Playing) and bool(state.waiting)


to_act = one_at_a_time(settled, waits_for_hand)
"""The seat that must act; none while an automatic event is due or the deal is settled."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now: to play a card, any card to lead, otherwise one that follows suit."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
