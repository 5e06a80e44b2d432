"""Keeps the archive: follows the log from the archive's checkpoint, and writes what follows from each page of it.

Postgres picks the events after which a table has something else in the archive, so most events are read only when their
deal is over. Several processes may run this: a batch counts only at the checkpoint that it continues, and whoever comes
too late waits. An archive whose checkpoint the log does not have, or that an earlier version folded, is built anew; one
of a later version is left to that.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial

from structlog.typing import FilteringBoundLogger

from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.record.remembered import RememberedTables
from projections.archive.rows import FOLD
from projections.archive.table_rows import ARCHIVED, FollowedTable, TableRows, fold_table
from projections.checkpoint import LogPoint, first_missing, log_point
from projections.rebuild import Progress
from projections.source import GapInLog, Source, check_versions
from projections.tasks import cancel_and_wait, until
from service.observability.metrics import Metrics
from service.store.archive_store import ArchiveBatch, ArchiveStore
from service.store.log_follower import Outlasting

PAGE = 32_768
"""Positions of the log per batch, at most. Fewer, larger batches read fewer tables twice."""

TABLES = 16
"""Tables whose events are read by one query."""

CAPACITY = 2_000
"""Tables whose folds are kept in memory."""

PACE_S, BEAT_S = 0.5, 1.0
"""Seconds between two batches that keep up with the log, and of the longest wait for an event."""

LATE_S = 5.0
"""Seconds for which another process is left to it that has written first."""


class ArchiveOfLaterVersion(Exception):
    """A later version of the service made the archive, and this one cannot keep it."""


class Archivist:
    """Keeps the archive up to date with the log. Used from one event loop."""

    def __init__(
        self,
        stored: ArchiveStore,
        source: Source,
        reader: Reader,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        page: int = PAGE,
        pace_s: float = PACE_S,
        late_s: float = LATE_S,
    ) -> None:
        self._stored = stored
        self._source = source
        self._reader = reader
        self._log = log
        self._work = metrics.work["archivist"]
        self._outages = Outlasting(log, "archivist", self._work)
        self._page = page
        self._pace_s = pace_s
        self._late_s = late_s
        self._known: RememberedTables[str, FollowedTable] = RememberedTables(CAPACITY)
        self._aside: set[str] = set()

    async def run(self, stop: asyncio.Event) -> None:
        """Keeps the archive until `stop`. Outages are waited out. Logs and raises GapInLog, and any other error."""
        try:
            await until(stop, self._follow())
        except Exception as error:  # every error must be reported, since nothing is archived from now on
            self._log.error("archivist halted", error=str(error), exc_info=error)
            self._work.halts()
            raise

    async def rebuild(self, progress: Progress) -> None:
        """Builds the archive anew from the log as it is now.

        Raises StoreUnavailable, GapInLog, and ArchiveOfLaterVersion.
        """
        end = await self._source.end()
        at = await self._stored.checkpoint()
        while not await self._stored.restart(at.point, FOLD, end):
            if at.fold > FOLD:
                text = f"version {at.fold} of the fold made the archive, and this program knows {FOLD}"
                raise ArchiveOfLaterVersion(text)
            at = await self._stored.checkpoint()
        await self._begin()
        point = (await self._stored.checkpoint()).point
        while point.position < end:
            progress(point.position, end)
            point = await self._step(point, end) or (await self._stored.checkpoint()).point
        progress(end, end)

    async def _follow(self) -> None:
        outlast = self._outages.outlast
        point = await outlast(self._ready)
        while True:
            end = await outlast(self._source.end)
            if end <= point.position:
                await self._source.wait(point.position, BEAT_S)
                continue
            advanced = await outlast(partial(self._step, point, end))
            if advanced is None:
                await asyncio.sleep(self._late_s)
                point = await outlast(self._ready)
                continue
            point = advanced
            if end - point.position < self._page:
                await asyncio.sleep(self._pace_s)

    async def _ready(self) -> LogPoint:
        """Where to go on: the checkpoint, or the beginning if the archive has to be built anew."""
        at = await self._stored.checkpoint()
        while at.fold > FOLD:
            self._work.halts()
            await asyncio.sleep(self._late_s)
            at = await self._stored.checkpoint()
        if at.fold < FOLD or await first_missing(self._source.log, [at.point]) is not None:
            if at.point.position:
                self._log.warning("archive is built anew", position=at.point.position, fold=at.fold)
            await self._stored.restart(at.point, FOLD, await self._source.end())
            at = await self._stored.checkpoint()
        await self._begin()
        return at.point

    async def _begin(self) -> None:
        self._known.clear()
        self._aside = await self._stored.aside()

    async def _step(self, after: LogPoint, end: int) -> LogPoint | None:
        """Takes a page of the log into the archive, and returns the point there; None if another process has."""
        last = min(end, after.position + self._page)
        records = await self._source.log(last - 1, 1)
        if not records or records[0].position != last:
            raise GapInLog(f"position {last} was expected")
        versions = await self._stored.last_versions(after.position, last, ARCHIVED)
        batch, followed = await self._fold(after.position, versions)
        upto = log_point(records[0])
        if not await self._stored.advance(after, FOLD, upto, batch):
            return None
        for table, one in followed.items():
            if one.table.over:
                self._known.forget(table)
            else:
                self._known.keep(table, one)
        for table, reason in batch.aside.items():
            self._log.error("table set aside by the archive", table=table, error=reason)
        self._aside |= batch.aside.keys()
        return upto

    async def _fold(self, since: int, versions: dict[str, int]) -> tuple[ArchiveBatch, dict[str, FollowedTable]]:
        """The rows of these tables from the position `since` on, up to these versions, and the tables."""
        tables = [table for table in sorted(versions) if table not in self._aside]
        rows: list[TableRows] = []
        followed: dict[str, FollowedTable] = {}
        aside: dict[str, str] = {}
        async with aclosing(self._ahead(tables, versions)) as read:
            async for table, records in read:
                check_versions(records, self._version(table))
                try:
                    followed[table], own = fold_table(self._reader, records, self._known.get(table), since)
                except Unreadable as error:
                    aside[table] = str(error)
                    continue
                rows.append(own)
                await asyncio.sleep(0)
        deals = [deal for own in rows for deal in own.deals]
        changed = [booking for own in rows for booking in own.changed]
        return ArchiveBatch([own.table for own in rows], deals, changed, aside), followed

    async def _ahead(
        self, tables: Sequence[str], versions: Mapping[str, int]
    ) -> AsyncGenerator[tuple[str, Sequence[Recorded]], None]:
        """The tables with their events up to these versions. The next ones are read while the caller folds some."""
        wanted = [(table, self._version(table), versions[table]) for table in tables]
        parts = [wanted[begin : begin + TABLES] for begin in range(0, len(wanted), TABLES)]
        reading = [asyncio.ensure_future(self._stored.streams(part)) for part in parts[:1]]
        try:
            for part in (*parts[1:], []):
                streams = await reading.pop() if reading else {}
                if part:
                    reading.append(asyncio.ensure_future(self._stored.streams(part)))
                for each in streams.items():
                    yield each
        finally:
            await cancel_and_wait(*reading)

    def _version(self, table: str) -> int:
        known = self._known.peek(table)
        return 0 if known is None else known.version
