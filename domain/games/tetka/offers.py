"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from domain.games.tetka.actions import Play
from domain.games.tetka.meta import PACK
from domain.games.tetka.scoring import settled
from domain.games.tetka.state import State
from domain.kernel.offers import Offer
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

to_act = one_at_a_time(settled)
"""The seat that must play; none while a trick is to be taken off the table, and once the deal is settled (TE-3.1)."""


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now: to play a card, of the suit led if it has one (TE-3.2)."""
    return (play_offer(state, seat, "TE-3.2"),) if seat in to_act(state) else ()


default_action = mildest(offers, low_first(PACK), (Play,))
"""The act that the house takes for a player whose clock has run out."""
