"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.solo.acts import ACTS, MILDEST
from domain.games.solo.meta import PACK, SHOWN
from domain.games.solo.scoring import settled
from domain.games.solo.state import Playing, State
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import one_at_a_time
from domain.seats import Seat


def partner_to_show(state: State) -> Seat | None:
    """The seat that has just played the called card, and so must be shown as the partner (SO-2.1); None if none has."""
    if not isinstance(state, Playing):
        return None
    called = state.commitment.called
    return next((play.seat for play in state.tricks.trick if play.card == called and state.partner is None), None)


to_act = one_at_a_time(settled, lambda state: partner_to_show(state) is not None)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


offers = ACTS.offers(to_act)
"""The acts open to the seat now."""

default_action = mildest(offers, low_first(PACK, ("Qs", SHOWN)), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
