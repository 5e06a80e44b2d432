"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.games.dingo.actions import MILDEST
from domain.games.dingo.meta import ACE, PACK, WOLVES
from domain.games.dingo.scoring import settled
from domain.games.dingo.state import AceHunt, Discarding, Hunt, Open, Passing, State
from domain.kernel.offers import Offer, OneOf, SomeOf
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

PASS = Offer("pass")


to_act = one_at_a_time(settled)
"""The seat that must act; none while a hunt begins or ends, and after the last hunt."""


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    held = state.hands[seat].known
    match state:
        case Discarding():
            others = tuple([card for card in held if PACK.rank(card) != ACE])
            return (Offer("discard", {"card": OneOf(others, "DG-4.1")}),)
        case Passing():
            return (Offer("pass-card", {"card": OneOf(held, "DG-4.3")}),)
        case Hunt(rank=rank):
            wolves = tuple([card for card in held if card in WOLVES[rank]])
            # A seat without a wolf must answer too, so that a pass discloses nothing (DG-5.3).
            return (Offer("play-wolf", {"card": OneOf(wolves, "DG-5.2")}), PASS) if wolves else (PASS,)
        case AceHunt():
            aces = tuple([card for card in held if card in WOLVES[ACE]])
            return (Offer("play-wolves", {"cards": SomeOf(aces, 0, len(aces), "DG-6.2")}),)
        case Open():
            return ()
        case _:
            assert_never(state)


offers = in_turn(to_act, _acts)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
