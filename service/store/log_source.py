"""The log in Postgres as the projections' source."""

from collections.abc import Collection, Mapping

from domain.record.recorded import Recorded
from projections.source import End, SourceUnavailable
from service.store.database import StoreUnavailable
from service.store.recent import Recent
from service.store.store import Store
from service.store.tail import Tail


class LogSource:
    """A `projections.Source` over the store. Outages are raised as `SourceUnavailable`.

    Events that this process has just appended are read from `recent`, without a round trip.
    """

    def __init__(self, store: Store, tail: Tail, recent: Recent | None = None) -> None:
        self._store = store
        self._tail = tail
        self._recent = recent or Recent()

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """The events of all tables after a position, at most `limit`. Raises SourceUnavailable."""
        try:
            return self._recent.after(after, limit) or await self._store.log(after, limit)
        except StoreUnavailable as error:
            raise SourceUnavailable(str(error)) from error

    async def stream(self, table: str, after: int, upto: int) -> list[Recorded]:
        """A table's events after one version up to another. Raises SourceUnavailable."""
        try:
            return await self._store.stream(table, after, upto)
        except StoreUnavailable as error:
            raise SourceUnavailable(str(error)) from error

    async def ends(self, tables: Collection[str], position: int) -> Mapping[str, End]:
        """The version and deal of each table at this position. Raises SourceUnavailable."""
        try:
            rows = await self._store.ends(tables, position)
        except StoreUnavailable as error:
            raise SourceUnavailable(str(error)) from error
        return {table: End(version, deal) for table, version, deal in rows}

    async def end(self) -> int:
        """The last position; 0 for an empty log. Raises SourceUnavailable."""
        try:
            return await self._store.end()
        except StoreUnavailable as error:
            raise SourceUnavailable(str(error)) from error

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (a timeout is no error here)
        """Returns once the log goes beyond `after`, or after `timeout` seconds."""
        await self._tail.wait(after, timeout)
