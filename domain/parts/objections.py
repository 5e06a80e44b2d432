"""Sentences for refusals in L'Hombre's family: of bids, trumps and draws, and of declarer's ways to end a deal."""

from collections.abc import Sequence

from domain.cards import Suit
from domain.parts.auction import B, Bidding
from domain.parts.tally import Tally
from domain.parts.tricks import Tricks
from domain.seats import Seat


def one_of(values: Sequence[object]) -> str:
    """The values that a field may have, in words."""
    return f"one of {', '.join(map(str, values))}" if len(values) > 1 else str(values[0])


def not_higher(bidding: Bidding[B], bid: B, open_to: Sequence[B]) -> str | None:
    """The sentence that the bid does not outrank the highest bid, with the bids open to the seat; None if it does."""
    if bid in bidding.higher:
        return None
    than = "" if bidding.high_bid is None else f" higher than {bidding.high_bid.bid}"
    return f"{bid} is no bid{than}: " + (f"contract must be {one_of(open_to)}" if open_to else "there is none")


def none_to_hold(bidding: Bidding[B], seat: Seat) -> str | None:
    """The sentence that there is no bid which the seat may hold by coming before its bidder; None if there is one."""
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


def not_left(left: int, number: int) -> str | None:
    """The sentence that the talon has too few cards to draw this many; None if it has enough."""
    return None if number <= left else f"the talon holds {left} cards, and {number} would be drawn"


def no_way_out(
    verb: str, contract: str, seat: Seat, declarer: Seat, *, may: bool, queue: Sequence[Seat], tricks: Tricks | None
) -> str | None:
    """The sentence that the seat may not give the deal up (`verb` names the act); None if it may.

    Declarer may give up from the end of declarer's own exchange, for which the seats in the queue wait, until
    declarer's first card, if the contract allows it. The tricks are None before play has begun.
    """
    if seat != declarer:
        return f"only declarer may {verb}"
    if not may:
        return f"nobody may {verb} in {contract}"
    if seat in queue:
        return "you have to exchange first"
    begun = tricks is not None and (tricks.winners or any(played.seat == seat for played in tricks.trick))
    return "you have played to the first trick" if begun else None


def no_stop(name: str, seat: Seat, alone: Seat, tally: Tally) -> str | None:
    """The sentence that the seat may not choose between stopping and all nine tricks now; None if it may.

    The seat that plays alone, which the game calls `name`, may choose after winning the first five.
    """
    if seat != alone:
        return f"only {name} stops"
    return None if tally.choosing else f"{name} stops only after winning the first five tricks, before the sixth"
