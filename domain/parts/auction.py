"""Auctions in which each bid outranks the last: the next to bid, the open bids, and the end of the auction.

Seats speak first in the order given, which is also their priority: if bids may be held, a seat before the highest
bidder may hold that bid, and so make it its own.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel.action import Action
from domain.kernel.acts import Among
from domain.kernel.event import NOTHING, Payload
from domain.parts.holding import one_of
from domain.seats import Seat, rotated

PASS = "pass"  # noqa: S105 - a call in the auction, no secret

B = TypeVar("B", bound=str)
"""The names of the contracts that may be bid."""


class BidMade(Payload, Generic[B], frozen=True, gc=False):
    """A player bid a contract. A game's own event adds fields, and says what it reveals."""

    TYPE: ClassVar = "bid-made"

    seat: Seat
    contract: B


class BidPassed(Payload, frozen=True, gc=False):
    """A player passed."""

    TYPE: ClassVar = "bid-passed"
    REVEALS: ClassVar = NOTHING

    seat: Seat


class PassBid(Action, frozen=True, tag=PASS):
    """Pass. A game's own action names the rule."""


class Call(Struct, frozen=True, gc=False):
    """A call in the auction: a contract, or `pass`."""

    seat: Seat
    bid: str


class Won(Struct, Generic[B], frozen=True, gc=False):
    """The bid that has won the auction, and the seat that made it."""

    seat: Seat
    bid: B


class Bidding(Struct, Generic[B], frozen=True, dict=True):
    """An auction so far. All of it is public, and a pass is final."""

    order: tuple[Seat, ...]
    """The seats that bid, in the order in which they first speak, which is also their priority."""
    ranks: Mapping[B, int]
    """The bids and their ranks, low to high. A bid outranks only bids of a lower rank."""
    hold: bool = False
    """Whether a seat before the highest bidder may hold the bid."""
    at_once: int | None = None
    """The number of seats that bid against each other at a time; when one passes, the next comes in. None: all
    seats.
    """
    calls: tuple[Call, ...] = ()

    @property
    def high_bid(self) -> Call | None:
        """The highest bid; None if nobody has bid."""
        for call in reversed(self.calls):
            if call.bid != PASS:
                return call
        return None

    @property
    def to_hold(self) -> B:
        """The bid that a seat makes its own by holding it. Raises ValueError if nobody has bid."""
        high_bid = self.high_bid
        if high_bid is None:
            raise ValueError("nobody has bid")
        return next(bid for bid in self.ranks if bid == high_bid.bid)

    @property
    def left(self) -> tuple[Seat, ...]:
        """The seats that have not passed, in order."""
        passed = [call.seat for call in self.calls if call.bid == PASS]
        return tuple([seat for seat in self.order if seat not in passed])

    @property
    def higher(self) -> tuple[B, ...]:
        """The bids that outrank the highest bid; all bids if nobody has bid."""
        high_bid = self.high_bid
        if high_bid is None:
            return tuple(self.ranks)
        (rank,) = [rank for bid, rank in self.ranks.items() if bid == high_bid.bid]
        return tuple([bid for bid, other in self.ranks.items() if other > rank])

    def may_hold(self, seat: Seat) -> bool:
        """Whether the seat may hold the highest bid."""
        high_bid = self.high_bid
        return self.hold and high_bid is not None and self.order.index(seat) < self.order.index(high_bid.seat)

    # Needed several times between two calls. The cache is not part of the value and is not compared.
    @cached_property
    def turn(self) -> Seat | None:
        """The seat that speaks next. None when the auction is over: all have passed, or no seat could do anything but
        pass.
        """
        high_bid, left = self.high_bid, self.left
        bidder = None if high_bid is None else high_bid.seat
        rivals = [seat for seat in left if seat != bidder]
        if bidder is not None and not (rivals and self.higher) and not any(map(self.may_hold, rivals)):
            return None
        speakers = [seat for seat in left[: self.at_once] if seat != bidder]
        last = self.calls[-1].seat if self.calls else self.order[-1]
        for seat in (*rotated(self.order, last)[1:], last):
            if seat in speakers:
                return seat
        return None

    @property
    def won(self) -> Won[B] | None:
        """The winning bid, once the auction is over; None before, and if all have passed."""
        high_bid = self.high_bid
        return None if high_bid is None or self.turn is not None else Won(high_bid.seat, self.to_hold)

    def called(self, call: Call) -> "Bidding[B]":
        """The auction after this call."""
        return msgspec.structs.replace(self, calls=(*self.calls, call))


def outranking(rule: str, may: Callable[[Any, Seat, Any], bool] = lambda _state, _seat, _bid: True) -> Among:
    """The rule that a bid outranks the highest bid. `may` says which of those are open to the seat by other rules."""

    def higher(state: Any, _seat: Seat, _: object) -> tuple[str, ...]:
        bids: tuple[str, ...] = state.common.bidding.higher
        return bids

    def not_higher(state: Any, seat: Seat, action: Any) -> str:
        bidding = state.common.bidding
        open_to = [bid for bid in bidding.higher if may(state, seat, bid)]
        than = "" if bidding.high_bid is None else f" higher than {bidding.high_bid.bid}"
        said = f"contract must be {one_of(open_to)}" if open_to else "there is none"
        return f"{action.contract} is no bid{than}: {said}"

    return Among(rule, "contract", higher, not_higher)
