"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.games.lhombre.actions import MILDEST
from domain.games.lhombre.contracts import CONTRACTS, ContractName, declarable
from domain.games.lhombre.scoring import choosing, settled, tallied
from domain.games.lhombre.state import Abandoned, Auction, Declaration, Exchanging, Playing, State, WashedOut
from domain.kernel.hands import Hand
from domain.kernel.offers import Offer, OneOf, SomeOf
from domain.parts.auction import Bidding
from domain.parts.defaults import low_first, mildest
from domain.parts.matadors import BLACK_ACES, PACK
from domain.parts.tricks import play_offer, trump_led
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

PASS = Offer("pass")
HOLD = Offer("self")
STOP = Offer("stop")
ABANDON = Offer("abandon")


def exposes(state: Playing) -> bool:
    """Whether declarer's cards must be laid open now, since declarer has played the first (LH-7.4)."""
    played = {played.seat for played in state.tricks.trick}
    return state.commitment.contract.exposed and not state.exposed and state.commitment.declarer in played


def undertakes(state: Playing) -> bool:
    """Whether declarer has just led to the sixth trick after winning the first five (LH-8.3)."""
    return state.undertaken is None and bool(state.tricks.trick) and choosing(state.commitment.contract, tallied(state))


to_act = one_at_a_time(settled, lambda state: isinstance(state, Playing) and (exposes(state) or undertakes(state)))
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def may_abandon(state: Exchanging | Playing, seat: Seat) -> bool:
    """Whether the seat may abandon the hand now (LH-8.4)."""
    if seat != state.commitment.declarer or not state.commitment.contract.abandon:
        return False
    if isinstance(state, Exchanging):
        return seat not in state.exchange.queue
    return not state.tricks.winners and all(played.seat != seat for played in state.tricks.trick)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """The acts open to the seat now. Abandoning the hand needs no turn."""
    on_turn = seat in to_act(state)
    match state:
        case Playing():
            abandon = (ABANDON,) if may_abandon(state, seat) else ()
            return (*(_play(state, seat) if on_turn else ()), *abandon)
        case Auction():
            return _auction(state, seat) if on_turn else ()
        case Declaration():
            return _declaration(state) if on_turn else ()
        case Exchanging():
            abandon = (ABANDON,) if may_abandon(state, seat) else ()
            return (*((_exchange(state, seat),) if on_turn else ()), *abandon)
        case WashedOut() | Abandoned():
            return ()
        case _:
            assert_never(state)


def may_bid(hand: Hand, bid: str) -> bool:
    """Whether the hand has the cards that the bid must show (LH-4.5)."""
    return all(row.contract != bid or set(row.shown) <= set(hand.known) for row in CONTRACTS.values())


def biddable(bidding: Bidding[ContractName], hand: Hand) -> tuple[ContractName, ...]:
    """The bids that outrank the highest bid and that the hand may make."""
    return tuple(bid for bid in bidding.higher if may_bid(hand, bid))


def _auction(state: Auction, seat: Seat) -> tuple[Offer, ...]:
    bidding, hand = state.common.bidding, state.hands[seat]
    high_bid, open_to = bidding.high_bid, biddable(bidding, hand)
    bid = (Offer("bid", {"contract": OneOf(open_to, "LH-4.3")}),) if open_to else ()
    hold = (HOLD,) if high_bid is not None and bidding.may_hold(seat) and may_bid(hand, high_bid.bid) else ()
    return (*bid, *hold, PASS)


def _declaration(state: Declaration) -> tuple[Offer, ...]:
    """One offer a contract, with the trumps that may be named in it."""
    return tuple(
        Offer("declare", {"contract": OneOf((name,), "LH-5.1"), "trump": OneOf(CONTRACTS[name].choices, "LH-5.1")})
        for name in declarable(state.bid)
    )


def _exchange(state: Exchanging, seat: Seat) -> Offer:
    hand, left = state.hands[seat].known, len(state.exchange.talon)
    return Offer("exchange", {"discard": SomeOf(hand, 0, min(len(hand), left), "LH-6.1")})


def _play(state: Playing, seat: Seat) -> tuple[Offer, ...]:
    play = play_offer(state, seat, "LH-7.2" if trump_led(state) else "LH-7.1")
    return (play, STOP) if choosing(state.commitment.contract, tallied(state)) and state.tricks.led is None else (play,)


default_action = mildest(offers, low_first(PACK, BLACK_ACES), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
