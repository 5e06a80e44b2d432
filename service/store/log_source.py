"""The log in Postgres as the projections' source."""

from collections.abc import Collection, Mapping

from domain.record.recorded import Recorded
from projections.source import End
from service.store.recent import Recent
from service.store.store import Store
from service.store.tail import Tail


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
