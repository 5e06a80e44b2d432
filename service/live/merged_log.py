"""The log while anybody in this process waits for events: each event once, in order, without gaps.

Events arrive from three sources: this process's own appends, other processes, and reads from Postgres. Positions have
no gaps and follow the order of commits, so the next position is always known. The first source to deliver it wins.
Early events are kept, repeated ones dropped, and missing ones read from the log, which is the only source of truth.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from projections.source import Source
from projections.tasks import cancel_and_wait
from service.live.whole_acts import without_last
from service.store.database import StoreUnavailable
from service.store.tail import Tail

BATCH = 512
"""Events per read of the log."""

MOST_AHEAD = 4096
"""Events kept while earlier ones are missing."""

BEAT_S = 5.0
"""Seconds after which the follower looks at the log even if nothing woke it."""

PAUSE_S = 0.5
"""Seconds between attempts to read the log during an outage."""

GRACE_S = 0.03
"""Seconds for other processes to pass on their events before these are read from the log."""


class Relayed(Protocol):
    """The source of other processes' events."""

    @property
    def connected(self) -> bool:
        """Whether the events of other processes are likely to arrive without a read."""

    async def run(self, receive: Callable[[Sequence[Recorded]], None]) -> None:
        """Calls `receive` with events of other processes until it is cancelled. Any event may be missing."""


class MergedLog:
    """Calls `receive` with the log's next events while anybody follows. Used from one event loop.

    Each call ends at the end of an act. `receive` must neither block nor raise.
    """

    def __init__(
        self,
        source: Source,
        tail: Tail,
        receive: Callable[[Sequence[Recorded]], None],
        log: FilteringBoundLogger,
        relayed: Relayed,
        *,
        grace_s: float = GRACE_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._source = source
        self._tail = tail
        self._receive = receive
        self._log = log
        self._relayed = relayed
        self._grace_s = grace_s
        self._pause_s = pause_s
        self._followers = 0
        self._position: int | None = None
        self._ahead: dict[int, Recorded] = {}
        self._moved = asyncio.Event()
        self._starting = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def position(self) -> int:
        """The position up to which events were handed on; 0 if nobody follows."""
        return self._position or 0

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        """Hands on every event that is appended within the context. Entering raises StoreUnavailable."""
        self._followers += 1
        try:
            await self._start()
            yield
        finally:
            self._followers -= 1
            if not self._followers:
                self._position = None
                self._ahead.clear()
                tasks, self._tasks = self._tasks, []
                await cancel_and_wait(*tasks)

    async def _start(self) -> None:
        async with self._starting:
            if self._position is not None:
                return
            # Later appends are beyond this position; those that no source delivers are read.
            self._position = await self._source.end()
            self._tasks.append(asyncio.create_task(self._follow(), name="log follower"))
            self._tasks.append(asyncio.create_task(self._relayed.run(self.offer), name="relay"))

    def offer(self, records: Sequence[Recorded]) -> None:
        """Takes events from the log, in order and in whole acts; events between them may be missing."""
        position = self._position
        if position is None or not records or records[-1].position <= position:
            return
        if not self._ahead and records[0].position == position + 1 and records[-1].position == position + len(records):
            self._hand_on(records)
            return
        for record in records:
            if record.position > position:
                self._ahead[record.position] = record
        following: list[Recorded] = []
        while (record_ := self._ahead.pop(position + 1, None)) is not None:
            following.append(record_)
            position += 1
        if following:
            self._hand_on(following)
        if len(self._ahead) > MOST_AHEAD:
            self._ahead.clear()

    def _hand_on(self, records: Sequence[Recorded]) -> None:
        self._position = records[-1].position
        self._moved.set()
        self._moved = asyncio.Event()
        self._receive(records)

    async def _follow(self) -> None:
        failing = False
        while True:
            try:
                await self._catch_up()
                failing = False
            except StoreUnavailable as error:
                if not failing:
                    self._log.warning("following the log interrupted", error=str(error))
                failing = True
                await asyncio.sleep(self._pause_s)

    async def _catch_up(self) -> None:
        """Waits until the log is beyond the position, and reads what no other source delivers."""
        await self._tail.wait(self.position, BEAT_S)
        if self._tail.position <= self.position:
            return
        if self._relayed.connected and await self._brought():
            return
        self.offer(await self._whole_acts())

    async def _whole_acts(self) -> Sequence[Recorded]:
        """The log's next events. A full page may end within an act, whose events are left to the next page."""
        position, limit = self.position, BATCH
        while len(records := await self._source.log(position, limit)) == limit:
            if whole := without_last(records):
                return whole
            limit *= 2
        return records

    async def _brought(self) -> bool:
        """Whether another source delivers the next event within the grace period."""
        try:
            async with asyncio.timeout(self._grace_s):
                await self._moved.wait()
        except TimeoutError:
            return False
        return True
