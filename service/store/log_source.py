"""The log as the projections' source: in Postgres, and its end in memory."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from domain.record.recorded import Recorded
from projections.source import End
from service.store.store import Store
from service.store.tail import Tail


class Recent:
    """The events that this process appended last, without gaps, at most `bound`.

    The projector reads them here without a round trip, which takes tens of milliseconds in a busy process.
    """

    def __init__(self, bound: int = 2048) -> None:
        self._records: deque[Recorded] = deque(maxlen=bound)

    def add(self, records: Sequence[Recorded]) -> None:
        """Adds appended events, in the order of the log."""
        for record in records:
            if self._records and self._records[-1].position + 1 != record.position:
                # Another process has appended events in between.
                self._records.clear()
            self._records.append(record)

    def after(self, position: int, limit: int) -> list[Recorded]:
        """The events after a position, at most `limit`; empty if the next one is not here."""
        following = self._records[-1].position - position if self._records else 0
        if following <= 0 or following > len(self._records):
            return []
        # Counted from the end, which is close to the position.
        records = list(islice(reversed(self._records), following))
        records.reverse()
        return records[:limit]


class LogSource:
    """A `projections.Source` over the store.

    Events that this process has just appended are read from `recent`, without a round trip.
    """

    def __init__(self, store: Store, tail: Tail, recent: Recent | None = None) -> None:
        self._store = store
        self._tail = tail
        self._recent = recent or Recent()

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """The events of all tables after a position, at most `limit`. Raises StoreUnavailable."""
        return self._recent.after(after, limit) or await self._store.log(after, limit)

    async def stream(self, table: str, after: int, upto: int) -> list[Recorded]:
        """A table's events after one version up to another. Raises StoreUnavailable."""
        return await self._store.stream(table, after, upto)

    async def ends(self, tables: Collection[str], position: int) -> Mapping[str, End]:
        """The version and deal of each table at this position. Raises StoreUnavailable."""
        return {table: End(version, deal) for table, version, deal in await self._store.ends(tables, position)}

    async def end(self) -> int:
        """The last position; 0 for an empty log. Raises StoreUnavailable."""
        return await self._store.end()

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (a timeout is no error here)
        """Returns once the log goes beyond `after`, or after `timeout` seconds."""
        await self._tail.wait(after, timeout)
