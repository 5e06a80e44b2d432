"""One subscriber's queue: a bounded number of items that have arrived and were not read."""

import asyncio
from typing import Any, Generic, Literal, TypeAlias, TypeVar

T = TypeVar("T")

Ending: TypeAlias = Literal["gone", "over", "slow", "stopping", "token", "private", "unreadable", "room", "quota"]
"""Why a subscriber receives nothing more: it is gone, its time is over, it reads too slowly, the service stops, its
token is no longer valid, it may no longer see the private table, the table's record cannot be read any further, it
gives way to others, or its quota is used up.
"""

MOST_PENDING = 512
"""The most items that wait for one subscriber. Items are shared; each subscriber holds references."""


class Subscription(Generic[T]):
    """The items of one subscriber. Used from one event loop."""

    __slots__ = ("_nudged", "_waiting", "ended", "pending")

    def __init__(self) -> None:
        self.pending: list[T] = []
        """Oldest first. A list, since an empty deque takes ten times its memory, and most of these are empty."""
        self.ended: Ending | None = None
        self._nudged = False
        self._waiting: asyncio.Future[None] | None = None

    def push(self, item: T) -> None:
        """Adds an item. A subscriber with too many pending items is ended as too slow."""
        if self.ended is not None:
            return
        if len(self.pending) >= MOST_PENDING:
            self.end("slow")
            return
        self.pending.append(item)
        self._wake()

    def end(self, reason: Ending) -> None:
        """Ends the subscription, and drops its pending items. The first reason counts."""
        if self.ended is None:
            self.ended = reason
            self.pending.clear()
            self._wake()

    def close(self) -> None:
        """Releases what the subscription holds elsewhere."""

    def nudge(self) -> None:
        """Wakes the subscriber without an item."""
        self._nudged = True
        self._wake()

    async def wait(self) -> None:
        """Returns when an item is pending, at a nudge, or at the end."""
        while not (self.pending or self.ended or self._nudged):
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        self._nudged = False

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class EarlyEnd:
    """Ends a subscription from outside, even one that is not open yet."""

    __slots__ = ("_one", "reason")

    def __init__(self) -> None:
        self._one: Subscription[Any] | None = None
        self.reason: Ending | None = None

    def watch(self, one: Subscription[Any]) -> None:
        """Sets the subscription to end."""
        self._one = one
        if self.reason is not None:
            one.end(self.reason)

    def end(self, reason: Ending) -> None:
        """Ends the subscription, now or when it is set. The first reason counts."""
        if self.reason is None:
            self.reason = reason
            if self._one is not None:
                self._one.end(reason)

    def give_way(self) -> None:
        """Ends the subscription because another needs its slot."""
        self.end("room")
