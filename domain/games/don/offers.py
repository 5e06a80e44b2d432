"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.games.don.actions import MILDEST
from domain.games.don.meta import PACK
from domain.games.don.scoring import settled
from domain.games.don.state import Pitching, Playing, State
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat


def waits_for_hand(state: State) -> bool:
    """Whether the hand of the pitcher's partner must be opened now (ND-2.3)."""
    return isinstance(state, Playing) and bool(state.waiting)


to_act = one_at_a_time(settled, waits_for_hand)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    hand = state.hands[seat]
    match state:
        case Playing():
            rule = "ND-3.2" if state.tricks.trick else "ND-3.1"
            return (play_offer(state, seat, rule),)
        case Pitching():
            return (Offer("play", {"card": OneOf(hand.known, "ND-3.1")}),)
        case _:
            assert_never(state)


offers = in_turn(to_act, _acts)
"""The acts open to the seat now: to play a card, any card to lead, otherwise one that follows suit."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
