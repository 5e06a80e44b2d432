"""The seat that must act, and what it is offered, from public fields and the seat's own cards alone."""

from domain.cards import Suit
from domain.games.boston.acts import ACTS, MILDEST, Bid, Play, may_break
from domain.games.boston.contracts import BIDS, FOUR_ACE_MISERE, ContractName
from domain.games.boston.meta import ACES, PACK
from domain.games.boston.scoring import settled
from domain.games.boston.state import Auction, Playing, exposes
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import one_at_a_time
from domain.seats import Seat

to_act = one_at_a_time(settled, exposes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def _bids(state: Auction, seat: Seat) -> tuple[Offer, ...]:
    """One offer for the contract bid last, in higher suits, and one for all higher contracts."""
    all_aces = set(ACES) <= set(state.hands[seat].known)
    suits: dict[ContractName, tuple[Suit, ...]] = {}
    for name in state.common.bidding.higher:
        bid = BIDS[name]
        contract = bid.contract.contract
        if contract != FOUR_ACE_MISERE or all_aces:
            suits[contract] = (*suits.get(contract, ()), bid.suit)
    return tuple(
        Offer(
            "bid",
            {
                "contract": OneOf(tuple(one for one in suits if suits[one] == alike)),
                "suit": OneOf(alike),
            },
        )
        for alike in dict.fromkeys(suits.values())
    )


def _play(state: Playing, seat: Seat) -> tuple[Offer, ...]:
    """The cards that follow suit and, in an offer of their own, the others if declarer may break that rule."""
    hand = state.hands[seat]
    follow = play_offer(state, seat)
    if not may_break(state, seat):
        return (follow,)
    cards = follow.fields["card"]
    others = tuple(card for card in hand.known if not cards.admits(card))
    return (follow, Offer("play", {"card": OneOf(others)})) if others else (follow,)


offers = ACTS.offers(to_act, {Bid: _bids, Play: _play})
"""The acts open to the seat now."""

default_action = mildest(offers, low_first(PACK), MILDEST, {"accept": False})
"""The act that the house takes for a player whose clock has run out; it follows suit."""
