"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.games.dingo.acts import ACTS, MILDEST
from domain.games.dingo.meta import PACK
from domain.games.dingo.scoring import settled
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import one_at_a_time

to_act = one_at_a_time(settled)
"""The seat that must act; none while a hunt begins or ends, and after the last hunt."""

offers = ACTS.offers(to_act)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
