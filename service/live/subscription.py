"""What one reader waits for: a bounded number of things that have come and were not read."""

import asyncio
from typing import Any, Generic, Literal, TypeAlias, TypeVar

T = TypeVar("T")

Ending: TypeAlias = Literal["gone", "over", "slow", "stopping", "token", "private", "unreadable", "room", "quota"]
"""Why a reader gets nothing more: it is gone, its time is over, it does not read, the service stops, its token is no
longer valid, it may no longer look at the private table, the table's record cannot be read any further, it gives way to
others, or its quota is used up."""

MOST_PENDING = 512
"""Things that may wait for one reader. They are shared between readers; each reader holds references."""


class Subscription(Generic[T]):
    """What has come for one reader. Used from one event loop."""

    __slots__ = ("_limit", "_nudged", "_waiting", "ended", "pending")

    def __init__(self, limit: int = MOST_PENDING) -> None:
        self.pending: list[T] = []
        """In the order in which they came; a deque takes ten times as much when it is empty, as it mostly is."""
        self.ended: Ending | None = None
        self._limit = limit
        self._nudged = False
        self._waiting: asyncio.Future[None] | None = None

    def push(self, item: T) -> None:
        """Adds what has come. A reader that lets too much wait has reached its end: it does not read."""
        if self.ended is not None:
            return
        if len(self.pending) >= self._limit:
            self.end("slow")
            return
        self.pending.append(item)
        self._wake()

    def end(self, reason: Ending) -> None:
        """Nothing more comes; what waits is dropped."""
        if self.ended is None:
            self.ended = reason
            self.pending.clear()
            self._wake()

    def close(self) -> None:
        """Gives up what it holds elsewhere."""

    def nudge(self) -> None:
        """Has the reader look, though nothing has come."""
        self._nudged = True
        self._wake()

    async def wait(self) -> None:
        """Returns when something has come, at a nudge, or at the end."""
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
    """Ends what a reader waits for from outside, also if that has not begun to wait yet."""

    __slots__ = ("_one", "reason")

    def __init__(self) -> None:
        self._one: Subscription[Any] | None = None
        self.reason: Ending | None = None

    def watch(self, one: Subscription[Any]) -> None:
        """From now on this is what is ended."""
        self._one = one
        if self.reason is not None:
            one.end(self.reason)

    def end(self, reason: Ending) -> None:
        """Ends it, for good."""
        if self.reason is None:
            self.reason = reason
            if self._one is not None:
                self._one.end(reason)

    def give_way(self) -> None:
        """Ends it, since another needs its place."""
        self.end("room")
