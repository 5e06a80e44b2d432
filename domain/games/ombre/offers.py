"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import SUITS, Suit
from domain.games.ombre.actions import MILDEST
from domain.games.ombre.contracts import CONTRACTS, Trumps
from domain.games.ombre.scoring import choosing, settled
from domain.games.ombre.state import (
    Auction,
    Declaration,
    Exchanging,
    PassedOut,
    Playing,
    State,
    Surrendered,
    Surrendering,
    defenders,
)
from domain.kernel.offers import Offer, OneOf, SomeOf
from domain.parts.defaults import low_first, mildest
from domain.parts.matadors import BLACK_ACES, PACK
from domain.parts.tricks import play_offer
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

PASS = Offer("pass")
TRUMPS: dict[Trumps, tuple[Suit | None, ...]] = {"named": SUITS, "turned": (None,)}
"""The trump suits that may be named with the declaration; null if the trump suit is still to be turned."""
DECLARE = {fixed: Offer("declare", {"trump": OneOf(trumps, "OM-4.4")}) for fixed, trumps in TRUMPS.items()}
HOLD = Offer("hold")
YIELD = Offer("yield-exchange")
STOP = Offer("stop")
SURRENDER = Offer("offer-surrender")
ANSWER = Offer("answer-surrender", {"accept": OneOf((True, False), "OM-7.2")})

SURRENDER_UNTIL = 3
"""The most complete tricks with which Ombre may still offer to surrender (OM-7.1)."""


def undertakes(state: State) -> bool:
    """Whether Ombre has just led to the sixth trick after winning the first five (OM-6.2)."""
    if not isinstance(state, Playing):
        return False
    return state.undertaken is None and bool(state.tricks.trick) and choosing(state)


to_act = one_at_a_time(settled, undertakes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def may_yield(state: Exchanging) -> bool:
    """Whether Ombre's right-hand neighbour may let the other defender exchange first now (OM-4.5)."""
    return state.exchange.queue == defenders(state.commitment.ombre, state.common.order)


def may_surrender(state: Playing, seat: Seat) -> bool:
    """Whether the seat may offer to surrender now (OM-7.1)."""
    return (
        seat == state.commitment.ombre
        and state.commitment.contract.surrender
        and state.surrender is None
        and not state.tricks.trick
        and len(state.tricks.winners) <= SURRENDER_UNTIL
    )


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now. An offer to surrender needs no turn."""
    on_turn = seat in to_act(state)
    match state:
        case Playing():
            surrender = (SURRENDER,) if may_surrender(state, seat) else ()
            return (*(_play(state, seat) if on_turn else ()), *surrender)
        case Auction():
            return _auction(state, seat) if on_turn else ()
        case Declaration():
            return (DECLARE[CONTRACTS[state.bid].trumps],) if on_turn else ()
        case Exchanging():
            return _exchange(state, seat) if on_turn else ()
        case Surrendering():
            return (ANSWER,) if on_turn else ()
        case PassedOut() | Surrendered():
            return ()
        case _:
            assert_never(state)


def _auction(state: Auction, seat: Seat) -> tuple[Offer, ...]:
    bidding = state.common.bidding
    bid = (Offer("bid", {"contract": OneOf(bidding.higher, "OM-4.1")}),) if bidding.higher else ()
    hold = (HOLD,) if bidding.may_hold(seat) else ()
    return (*bid, *hold, PASS)


def _exchange(state: Exchanging, seat: Seat) -> tuple[Offer, ...]:
    hand, left = state.hands[seat].known, len(state.exchange.talon)
    contract = state.commitment.contract
    ombre = seat == state.commitment.ombre
    most = contract.exchange if ombre else contract.defender
    discard = SomeOf(hand, 0, min(most, left), "OM-4.4" if ombre else "OM-4.5")
    return (Offer("exchange", {"discard": discard}), *((YIELD,) if may_yield(state) else ()))


def _play(state: Playing, seat: Seat) -> tuple[Offer, ...]:
    play = play_offer(state, seat, "OM-5.1")
    return (play, STOP) if choosing(state) and state.tricks.led is None else (play,)


default_action = mildest(offers, low_first(PACK, BLACK_ACES), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
