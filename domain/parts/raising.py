"""Auctions over plain numbers, each bid higher than the last, in which a pass need not be final."""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from domain.seats import Seat, rotated


class NumberCall(Struct, frozen=True, gc=False):
    """A call in the auction: a number, or null for a pass."""

    seat: Seat
    number: int | None


class Raising(Struct, frozen=True, dict=True):
    """An auction so far. All of it is public.

    It is over when the highest number is bid, when all others have passed since the last bid, or when all have passed
    without a bid.
    """

    order: tuple[Seat, ...]
    """The seats that bid, in the order in which they first speak."""
    highest: int
    """The highest number that may be bid; the lowest is 1."""
    final: bool
    """Whether a pass is final. If not, the seat may bid again at its next turn."""
    must_open: bool
    """Whether the first seat must bid as long as nobody has spoken."""
    calls: tuple[NumberCall, ...] = ()

    @property
    def high_bid(self) -> NumberCall | None:
        """The highest bid; None if nobody has bid."""
        return next((call for call in reversed(self.calls) if call.number is not None), None)

    @property
    def open_numbers(self) -> range:
        """The numbers that may be bid now."""
        high_bid = self.high_bid
        least = 1 if high_bid is None or high_bid.number is None else high_bid.number + 1
        return range(least, self.highest + 1)

    @property
    def may_pass(self) -> bool:
        """Whether the seat whose turn it is may pass."""
        return bool(self.calls) or not self.must_open

    # Needed several times between two calls. The cache is not part of the value and is not compared.
    @cached_property
    def turn(self) -> Seat | None:
        """The seat that speaks next; None when the auction is over."""
        high_bid = self.high_bid
        bidder = None if high_bid is None else high_bid.seat
        spoken = self.calls if self.final else self._since_last_bid
        passed = [call.seat for call in spoken if call.number is None]
        left = [seat for seat in self.order if seat != bidder and seat not in passed]
        if not left or not self.open_numbers:
            return None
        last = self.calls[-1].seat if self.calls else self.order[-1]
        return next(seat for seat in (*rotated(self.order, last)[1:], last) if seat in left)

    @property
    def _since_last_bid(self) -> tuple[NumberCall, ...]:
        bids = [index for index, call in enumerate(self.calls, 1) if call.number is not None]
        return self.calls[max(bids, default=0) :]

    def called(self, seat: Seat, number: int | None) -> "Raising":
        """The auction after the seat bid this number, or passed (None)."""
        return replace(self, calls=(*self.calls, NumberCall(seat, number)))
