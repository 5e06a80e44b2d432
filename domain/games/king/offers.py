"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import SUITS, Card
from domain.games.king.actions import MILDEST
from domain.games.king.contracts import DIRECTIONS, HEARTS_COUNT
from domain.games.king.meta import PACK
from domain.games.king.scoring import settled
from domain.games.king.state import Auction, Choice, Directing, Naming, Playing, State
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

NAME_TRUMPS = Offer("name-trumps", {"trump": OneOf((*SUITS, None), "KG-5.1")})
"""The offer of a trump suit or none (KG-5.1, KG-5.6)."""
OPEN_AUCTION = Offer("auction")
PASS = Offer("pass")
DECLARE_DIRECTION = Offer("declare-direction", {"direction": OneOf(DIRECTIONS, "KG-5.7")})


to_act = one_at_a_time(settled)
"""The seat that must act; none while a trick is to be taken or the deal is settled."""


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state:
        case Playing():
            return (_play(state, seat),)
        case Auction():
            bid = Offer("bid", {"tricks": OneOf(tuple(state.bids.open_numbers), "KG-5.2")})
            return (bid, PASS) if state.bids.may_pass else (bid,)
        case Choice():
            return (NAME_TRUMPS, OPEN_AUCTION)
        case Naming():
            return (NAME_TRUMPS,)
        case Directing():
            return (DECLARE_DIRECTION,)
        case _:
            assert_never(state)


def _play(state: Playing, seat: Seat) -> Offer:
    """A card that follows suit (KG-3.2); to lead, any card, except hearts when they may not be led (KG-3.4)."""
    if not state.tricks.trick:
        return Offer("play", {"card": OneOf(leads(state, seat), "KG-3.2")})
    return play_offer(state, seat, "KG-3.2")


def leads(state: Playing, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may lead (KG-3.4)."""
    held = state.hands[seat].known
    if state.contract.aim.aim not in HEARTS_COUNT or state.common.options.heart_leads == "free":
        return held
    return tuple([card for card in held if PACK.suit(card) != "h"]) or held


offers = in_turn(to_act, _acts)
"""The acts open to the seat now: none unless it must act."""

default_action = mildest(offers, low_first(PACK), MILDEST, {"trump": None})
"""The act that the house takes for a player whose clock has run out."""
