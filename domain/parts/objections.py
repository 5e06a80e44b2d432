"""What refusals of L'Hombre's family say alike: of bids, trumps, draws, and of declarer who gives up or stops."""

from collections.abc import Sequence

from domain.cards import Suit
from domain.parts.auction import B, Bidding
from domain.parts.tally import Tally
from domain.parts.tricks import Tricks
from domain.seats import Seat


def one_of(values: Sequence[object]) -> str:
    """What a field is to be."""
    return f"one of {', '.join(map(str, values))}" if len(values) > 1 else str(values[0])


def not_higher(bidding: Bidding[B], bid: B, open_to: Sequence[B]) -> str | None:
    """That the bid does not outrank the one that stands, and which bids are open to the seat; None if it does."""
    if bid in bidding.higher:
        return None
    than = "" if bidding.standing is None else f" higher than {bidding.standing.bid}"
    return f"{bid} is no bid{than}: " + (f"contract must be {one_of(open_to)}" if open_to else "there is none")


def none_to_hold(bidding: Bidding[B], seat: Seat) -> str | None:
    """That no bid stands which the seat comes before; None if one does."""
    standing = bidding.standing
    if standing is None:
        return "nobody has bid, so there is no bid to make your own"
    if bidding.order.index(seat) < bidding.order.index(standing.seat):
        return None
    return f"you do not come before seat {standing.seat}, whose bid of {standing.bid} stands"


def wrong_trump(contract: str, trump: Suit | None, choices: Sequence[Suit | None]) -> str | None:
    """That the contract is not declared with this trump suit, or not without one; None if it is."""
    if trump in choices:
        return None
    if None in choices:
        return f"{contract} names no trumps: trump must be left out"
    return f"{contract} names trumps: trump must be {one_of(choices)}"


def not_left(left: int, number: int) -> str | None:
    """That so many cards can't be drawn from the talon; None if they can."""
    return None if number <= left else f"the talon holds {left} cards, and {number} would be drawn"


def no_way_out(
    verb: str, contract: str, seat: Seat, declarer: Seat, *, may: bool, queue: Sequence[Seat], tricks: Tricks | None
) -> str | None:
    """That the seat may not give the deal up, which the verb says; None if it may.

    Declarer may from the end of declarer's own exchange, for which the seats in the queue wait, to declarer's first
    card, if the contract allows it. The tricks are None where play has not begun.
    """
    if seat != declarer:
        return f"only declarer may {verb}, who is seat {declarer}"
    if not may:
        return f"nobody may {verb} in {contract}"
    if seat in queue:
        return "you have to exchange first"
    begun = tricks is not None and (tricks.winners or any(played.seat == seat for played in tricks.trick))
    return "you have played to the first trick" if begun else None


def no_stop(name: str, seat: Seat, alone: Seat, tally: Tally) -> str | None:
    """That the seat is not to choose between stopping and all nine tricks; None if it is.

    Who plays alone, whom the game calls by this name, is, after winning the first five.
    """
    if seat != alone:
        return f"only {name} stops, who is seat {alone}"
    return None if tally.choosing else f"{name} stops only after winning the first five tricks, before the sixth"
