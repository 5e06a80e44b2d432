"""What happens in the log, handed to those in this process that wait for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from projections import Source
from service.live.entry import Entry
from service.live.follower import LogFollower, Relayed
from service.live.places import Places
from service.live.stream import ended_by
from service.live.subscription import Subscription
from service.observability.metrics import Metrics
from service.store.tail import Tail


class Stopping(Exception):
    """The service stops, and nothing more can wait here."""


class Hub:
    """Hands each event to the subscriptions of its table. Used from one event loop."""

    def __init__(
        self,
        source: Source,
        tail: Tail,
        places: Places,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        relayed: Relayed | None = None,
    ) -> None:
        self.places = places
        self.metrics = metrics
        self._follower = LogFollower(source, tail, self._receive, log, relayed=relayed)
        self._tables: dict[str, set[Subscription[Entry]]] = {}
        self._open: set[Subscription[Entry]] = set()
        self._stopping = False

    def appended(self, records: Sequence[Recorded]) -> None:
        """Takes the events that this process has just appended."""
        self._follower.offer(records)

    def stop(self) -> None:
        """Ends all that wait, at once."""
        self._stopping = True
        for one in tuple(self._open):
            one.end("stopping")

    def waiting_at(self, table: str) -> int:
        """How many in this process wait for events of the table."""
        return len(self._tables.get(table, ()))

    @asynccontextmanager
    async def table(self, table: str) -> AsyncIterator[Subscription[Entry]]:
        """Meanwhile all events of the table come that are appended from now on. Raises StoreUnavailable, Stopping."""
        if self._stopping:
            raise Stopping
        async with self._follower.following():
            one: Subscription[Entry] = Subscription()
            with self._opened(one):
                self._tables.setdefault(table, set()).add(one)
                try:
                    yield one
                finally:
                    self._tables[table].discard(one)
                    if not self._tables[table]:
                        del self._tables[table]

    async def version_beyond(
        self,
        table: str,
        version: int,
        head: Callable[[], Awaitable[int]],
        *,
        seconds: float,
        gone: Callable[[], Awaitable[None]],
    ) -> int:
        """The table's version, once it is beyond this one, or `seconds` are over, or the client is gone.

        `head` reads the version from the log. Raises StoreUnavailable, Stopping.
        """
        async with self.table(table) as events:
            # From here on what is appended comes by itself; what was appended before is read.
            known = await head()
            if known > version or events.ended:
                return known
            timer = asyncio.get_running_loop().call_later(seconds, events.end, "over")
            try:
                async with ended_by(events, gone):
                    await events.wait()
                return max([known, *(entry.record.version for entry in events.pending)])
            finally:
                timer.cancel()

    @contextmanager
    def _opened(self, one: Subscription[Entry]) -> Iterator[None]:
        self._open.add(one)
        self.metrics.waiting(len(self._open))
        if self._stopping:
            one.end("stopping")
        try:
            yield
        finally:
            self._open.discard(one)
            self.metrics.waiting(len(self._open))

    def _receive(self, records: Sequence[Recorded]) -> None:
        tables = self._tables
        for record in records:
            readers = tables.get(record.table)
            if readers:
                entry = Entry(record)
                for one in readers:
                    one.push(entry)
