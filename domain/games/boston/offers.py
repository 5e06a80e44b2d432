"""The acts open to a seat now, from public fields and the seat's own cards alone."""

from typing import assert_never

from domain.cards import Suit
from domain.games.boston.actions import MILDEST
from domain.games.boston.contracts import BIDS, FOUR_ACE_MISERE, ContractName
from domain.games.boston.meta import ACES, LAST_TO_BREAK, PACK
from domain.games.boston.scoring import settled
from domain.games.boston.state import Answering, Auction, Discard, Playing, State, Support, ThrownIn
from domain.kernel.offers import Offer, OneOf
from domain.parts.defaults import low_first, mildest
from domain.parts.tricks import play_offer
from domain.parts.turns import in_turn, one_at_a_time
from domain.seats import Seat

PASS = Offer("pass")
PLAY_ALONE = Offer("play-alone")
CALL = Offer("call")
ANSWER = Offer("answer", {"accept": OneOf((True, False), "BO-5.2")})


def exposes(state: State) -> bool:
    """Whether declarer's hand must be laid open now (BO-5.4)."""
    return isinstance(state, Playing) and state.commitment.bid.contract.ouvert and not state.exposed


to_act = one_at_a_time(settled, exposes)
"""The seat that must act; none while an automatic event is due or the deal is settled."""


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    match state:
        case Auction():
            return (*_bids(state, seat), PASS)
        case Playing():
            return _play(state, seat)
        case Support():
            return (PLAY_ALONE, CALL)
        case Answering():
            return (ANSWER,)
        case Discard():
            return (Offer("put-down", {"card": OneOf(state.hands[seat].known, "BO-5.3")}),)
        case ThrownIn():
            return ()
        case _:
            assert_never(state)


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
                "contract": OneOf(tuple(one for one in suits if suits[one] == alike), "BO-3.3"),
                "suit": OneOf(alike, "BO-3.3"),
            },
        )
        for alike in dict.fromkeys(suits.values())
    )


def _play(state: Playing, seat: Seat) -> tuple[Offer, ...]:
    """The cards that follow suit and, in an offer of their own, the others if declarer may break that rule."""
    hand = state.hands[seat]
    follow = play_offer(state, seat, "BO-6.2")
    if not may_break(state, seat):
        return (follow,)
    cards = follow.fields["card"]
    others = tuple(card for card in hand.known if not cards.admits(card))
    return (follow, Offer("play", {"card": OneOf(others, "BO-6.4")})) if others else (follow,)


def in_four_aces(state: Playing, seat: Seat) -> bool:
    """Whether the seat is declarer in a Four-ace misère."""
    return state.commitment.declarer == seat and state.commitment.bid.contract.contract == FOUR_ACE_MISERE


def may_break(state: Playing, seat: Seat) -> bool:
    """Whether the seat, in a Four-ace misère, may now play another suit while holding the suit led (BO-6.4)."""
    if not in_four_aces(state, seat) or len(state.tricks.winners) >= LAST_TO_BREAK:
        return False
    return state.common.options.four_ace_revoke == "free" or not has_broken(state, seat)


def has_broken(state: Playing, seat: Seat) -> bool:
    """Whether the seat, whose turn it is, has earlier played another suit while it held the suit led.

    No event and no field says so: it follows from the cards that the seat has played, and from its own hand. The seat
    held the suit led if it played a card of that suit later, or still has one.
    """
    held = {PACK.suit(card) for card in state.hands[seat].known}
    for trick in reversed(state.tricks.complete):
        led = PACK.suit(trick.cards[0].card)
        suit = next(PACK.suit(played.card) for played in trick.cards if played.seat == seat)
        if suit != led and led in held:
            return True
        held.add(suit)
    return False


offers = in_turn(to_act, _acts)
"""The acts open to the seat now."""

default_action = mildest(offers, low_first(PACK), MILDEST, {"accept": False})
"""The act that the house takes for a player whose clock has run out; it follows suit."""
