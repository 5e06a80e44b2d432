"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.lorum.acts import ACTS, Pass, Play, TurnUp
from domain.games.lorum.meta import PACK
from domain.games.lorum.scoring import settled
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import one_at_a_time

to_act = one_at_a_time(settled)
"""The seat that must act; none while a trick is to be captured, and once the deal is settled."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), (Pass, TurnUp, Play))
"""The act that the house takes for a player whose clock has run out."""
