"""Rules of L'Hombre's family, and their sentences: of bids, trumps and draws, and of declarer's ways to end a deal."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.cards import Suit
from domain.kernel.acts import Among
from domain.parts.holding import one_of
from domain.parts.phases import AuctionPhase
from domain.parts.tally import Tally
from domain.parts.tricks import Tricks
from domain.seats import Seat


def none_to_hold(state: AuctionPhase[Any], seat: Seat) -> str | None:
    """The sentence that there is no bid which the seat may hold by coming before its bidder; None if there is one."""
    bidding = state.common.bidding
    high_bid = bidding.high_bid
    if high_bid is None:
        return "nobody has bid, so there is no bid to make your own"
    if bidding.order.index(seat) < bidding.order.index(high_bid.seat):
        return None
    return f"you do not come before the player whose bid of {high_bid.bid} stands"


def wrong_trump(contract: str, trump: Suit | None, choices: Sequence[Suit | None]) -> str | None:
    """The sentence that the contract is not declared with this trump suit, or not without one; None if it is."""
    if trump in choices:
        return None
    if None in choices:
        return f"{contract} names no trumps: trump must be left out"
    return f"{contract} names trumps: trump must be {one_of(choices)}"


def becomes(rule: str, may: Callable[[Any], Sequence[str]], why: str) -> Among:
    """The rule that the bid may become the contract declared. `why` says of another that it may not."""

    def open_to(state: Any, _seat: Seat, _: object) -> tuple[str, ...]:
        return tuple(may(state.bid))

    def not_open(state: Any, _: Seat, action: Any) -> str:
        return f"{state.bid} was bid, and {why.format(action.contract)}: contract must be {one_of(may(state.bid))}"

    return Among(rule, "contract", open_to, not_open)


def named_trumps(rule: str, choices: Callable[[Any], tuple[Suit | None, ...]]) -> Among:
    """The rule that the contract declared names these trumps, or none."""

    def of_contract(_state: object, _: Seat, action: Any) -> tuple[Suit | None, ...]:
        return choices(action.contract)

    def wrong(_state: object, _: Seat, action: Any) -> str | None:
        return wrong_trump(action.contract, action.trump, choices(action.contract))

    return Among(rule, "trump", of_contract, wrong, ("contract",))


def no_way_out(
    verb: str, contract: str, declarer: Seat, *, may: bool, queue: Sequence[Seat], tricks: Tricks | None
) -> str | None:
    """The sentence that declarer may not give the deal up (`verb` names the act); None if declarer may.

    Declarer may give up from the end of declarer's own exchange, for which the seats in the queue wait, until
    declarer's first card, if the contract allows it. The tricks are None before play has begun.
    """
    if not may:
        return f"nobody may {verb} in {contract}"
    if declarer in queue:
        return "you have to exchange first"
    begun = tricks is not None and (tricks.winners or any(played.seat == declarer for played in tricks.trick))
    return "you have played to the first trick" if begun else None


def no_stop(name: str, tally: Tally) -> str | None:
    """The sentence that the seat that plays alone, which the game calls `name`, may not choose between stopping and all
    nine tricks now; None if it may, after winning the first five.
    """
    return None if tally.choosing else f"{name} stops only after winning the first five tricks, before the sixth"
