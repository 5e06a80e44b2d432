"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.crocodile.acts import ACTS, MILDEST
from domain.games.crocodile.meta import PACK
from domain.games.crocodile.scoring import settled
from domain.games.crocodile.state import exposes
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import one_at_a_time

to_act = one_at_a_time(settled, exposes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now. Declarer's concession and the opponents' talk need no turn."""

default_action = mildest(offers, low_first(PACK), MILDEST, {"accept": False})
"""The act that the house takes for a player whose clock has run out."""
