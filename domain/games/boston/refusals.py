"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from collections.abc import Callable

from msgspec.structs import replace

from domain.cards import Card
from domain.games.boston.actions import Answer, Bid, CallSupporter, Pass, Play, PlayAlone, PutDown
from domain.games.boston.contracts import BIDS, FOUR_ACE_MISERE, PICCOLISSIMO, ContractInSuit, bid_name, ranks
from domain.games.boston.meta import ACES, LAST_TO_BREAK, RANKINGS
from domain.games.boston.offers import in_four_aces, may_break
from domain.games.boston.state import Auction, Discard, Playing
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either, not_held
from domain.parts.tricks import following, not_led, not_playable
from domain.seats import Seat


def _outranking(state: Auction) -> tuple[ContractInSuit, ...]:
    """The bids that outrank the highest bid, from low to high.

    Piccolissimo is included at every table; another rule refuses it at tables without it.
    """
    return tuple([BIDS[bid] for bid in replace(state.common.bidding, ranks=ranks(piccolissimo=True)).higher])


def _too_low(state: Auction, named: str, is_such: Callable[[ContractInSuit], bool]) -> str | None:
    high_bid, higher = state.common.bidding.high_bid, _outranking(state)
    if high_bid is None or any(map(is_such, higher)):
        return None
    than = BIDS[high_bid.bid]
    alike = [_named(bid) for bid in higher if bid.contract == than.contract]
    others = ["a higher contract"] if len(alike) < len(higher) else []
    return f"{named} does not outrank {_named(than)}: bid {either([*alike, *others])}"


def _named(bid: ContractInSuit) -> str:
    return f"{bid.contract.contract} in {bid.suit}"


def _low_contract(state: Auction, _: Seat, action: Bid) -> str | None:
    return _too_low(state, action.contract, lambda bid: bid.contract.contract == action.contract)


def _low_suit(state: Auction, _: Seat, action: Bid) -> str | None:
    return _too_low(state, f"a bid in {action.suit}", lambda bid: bid.suit == action.suit)


def _low_bid(state: Auction, _: Seat, action: Bid) -> str | None:
    bid = BIDS[bid_name(action.contract, action.suit)]
    return _too_low(state, _named(bid), lambda other: other == bid)


def _without_aces(state: Auction, seat: Seat, action: Bid) -> str | None:
    missing = not_held(state.hands[seat], *ACES) if action.contract == FOUR_ACE_MISERE else None
    return missing and f"{FOUR_ACE_MISERE} takes all four aces, and {missing}"


def _not_played(state: Auction, _: Seat, action: Bid) -> str | None:
    played = action.contract != PICCOLISSIMO or state.common.options.piccolissimo
    return None if played else f"there is no {PICCOLISSIMO} at this table, by its option {PICCOLISSIMO}"


def _not_put_down(state: Discard, seat: Seat, action: PutDown) -> str | None:
    return not_held(state.hands[seat], action.card)


def _playable(state: Playing, seat: Seat) -> tuple[Card, ...]:
    hand = state.hands[seat].known
    if may_break(state, seat):
        return hand
    return following(hand, state.tricks.led, RANKINGS[state.commitment.trump])


def _not_followed(state: Playing, seat: Seat, action: Play) -> str | None:
    """None for declarer in a Four-ace misère, to whom another rule about following suit applies."""
    hand, led = state.hands[seat], state.tricks.led
    if led is None or (in_four_aces(state, seat) and action.card in hand.known):
        return None
    return not_playable(hand, led, action.card, _playable(state, seat))


def _not_free(state: Playing, seat: Seat, action: Play) -> str | None:
    """The fault of declarer in a Four-ace misère; the rule before covers everybody else."""
    led = state.tricks.led
    if led is None:
        return None
    if len(state.tricks.winners) >= LAST_TO_BREAK:
        why = f"from trick {LAST_TO_BREAK + 1} on you follow suit if you can"
    else:
        why = "you have played another suit once while you held the suit led"
    return not_playable(state.hands[seat], led, action.card, _playable(state, seat), why)


REFUSALS = Refusals(
    cards="BO-2.1",
    acts={
        Bid: (
            Refusal("BO-3.3", _low_contract, ("contract",)),
            Refusal("BO-3.3", _low_suit, ("suit",)),
            Refusal("BO-3.3", _low_bid, ("contract", "suit")),
            Refusal("BO-3.7", _without_aces, ("contract",)),
            Refusal("BO-4.3", _not_played, ("contract",)),
        ),
        Pass: (),
        PlayAlone: (),
        CallSupporter: (),
        Answer: (),
        PutDown: (Refusal("BO-5.3", _not_put_down, ("card",)),),
        Play: (
            Refusal("BO-6.1", not_led, ("card",)),
            Refusal("BO-6.2", _not_followed, ("card",)),
            Refusal("BO-6.4", _not_free, ("card",)),
        ),
    },
)
