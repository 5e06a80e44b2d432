"""The projector: keeps the current generation of read models up to date with the log, and builds one if there is none.

Several projectors may run: one works, the others wait for its lease. After an outage it tries again. It halts only if
going on would make the read models wrong: at a gap in the log. A table with an event that this version cannot read is
set aside alone; a later version that can read it rebuilds the read models.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from typing import Any, Self

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from deploy.tasks import cancel_and_wait
from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from projections.advance import Advance, Context
from projections.checkpoint import Fenced, LogPoint, ShardLost, Shards, log_point
from projections.connection import OUTAGES, Client
from projections.fold import Folds, fold
from projections.generations import Generations
from projections.lease import Lease, Leases
from projections.rebuild import BUILD, Progress, build
from projections.redis_keys import PREFIX, SHAPE, Control, Layout
from projections.source import Source, SourceUnavailable
from projections.watch import Unwatched, Watch

MOST_EVENTS = 2**31 - 1
"""More events than any table has."""

_PROGRESS_S = 2.0
"""Seconds between two log lines on the progress of a rebuild."""


class RebuildRunning(Exception):
    """Another process is building read models at the moment."""


class RebuildFailed(Exception):
    """The read models could not be built. The previous ones are still in use."""


class Limits(Struct, frozen=True, kw_only=True):
    """The projector's bounds on sizes and times."""

    batch: int = 1024
    """Events in one batch when keeping up with the log."""
    rebuild_batch: int = 4096
    """Events in one batch when building."""
    capacity: int = 5_000
    """Tables whose folds are kept in memory; about 5 KiB each."""
    retention_s: float = 24 * 3600.0
    """Seconds that finished and closed tables stay in Redis."""
    lease_s: float = 5.0
    """Seconds until the lease of a dead worker ends."""
    idle_s: float = 0.5
    """Seconds to wait for events before checking whether another generation is current."""
    pause_s: float = 0.5
    """Seconds between two attempts, after a failure or while another worker holds the lease."""
    grace_s: float = 1.0
    """Seconds that the keys of an old generation outlive the switch: longer than any read takes."""


class Projector:
    """Keeps the read models under one prefix up to date. `redis` should allow several seconds for a call."""

    def __init__(
        self,
        source: Source,
        reader: Reader,
        redis: Client,
        log: FilteringBoundLogger,
        *,
        prefix: str = PREFIX,
        limits: Limits | None = None,
        watch: Watch | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._limits = limits or Limits()
        self._context = Context(source, reader, redis, clock, self._limits.retention_s, self._set_aside)
        self._log = log
        self._aside = 0
        """The number of tables that are set aside in the generation that this worker leads or builds."""
        self._prefix = prefix
        self._watch = watch or Unwatched()
        control = Control(prefix)
        self._generations = Generations(redis, control)
        self._leases = Leases(redis, control, lease_s=self._limits.lease_s)
        self._reported: str | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop`. Logs and raises GapInLog, and any other error that is not an outage."""
        try:
            while not stop.is_set():
                worked = False
                try:
                    worked = await self._turn(stop)
                    self._watch.goes_on()
                except (*OUTAGES, SourceUnavailable, Fenced, ShardLost) as error:
                    self._report(error)
                if not worked:
                    await _until(stop, asyncio.sleep(self._limits.pause_s))
        except Exception as error:  # every error must be reported, since nothing is projected from now on
            self._log.error("projector halted", error=str(error), exc_info=error)
            self._watch.halted(error)
            raise

    async def rebuild(self, progress: Progress) -> None:
        """Builds a new generation and switches to it.

        Raises RebuildRunning, RebuildFailed after an outage or a lost lease, GapInLog.
        """
        try:
            async with self._leases.hold(BUILD) as lease:
                if lease is None:
                    raise RebuildRunning
                await self._build(lease, progress)
        except (*OUTAGES, SourceUnavailable, Fenced, ShardLost) as error:
            raise RebuildFailed(str(error) or type(error).__name__) from error

    async def _turn(self, stop: asyncio.Event) -> bool:
        """Keeps up with the log for as long as it can, or builds what is missing. Returns False if another worker does
        so.
        """
        current = await self._generations.current()
        if current is None or current.shape < SHAPE:
            async with self._leases.hold(BUILD) as lease:
                # Another worker may have built it while this one waited for the lease.
                if lease is None or await self._generations.current() != current:
                    return False
                await _until(stop, self._build(lease, self._progress()))
                return True
        if current.shape > SHAPE:
            return False
        async with self._leases.hold(f"g{current.generation}") as lease:
            if lease is None:
                return False
            self._watch.leading(leads=True)
            try:
                await self._lead(Layout(self._prefix, current.generation), lease, stop)
            finally:
                self._watch.leading(leads=False)
            return True

    async def _build(self, lease: Lease, progress: Progress) -> None:
        limits = self._limits
        await build(
            self._context,
            self._generations,
            lease,
            progress,
            batch=limits.rebuild_batch,
            capacity=limits.capacity,
            grace_s=limits.grace_s,
        )

    async def _lead(self, layout: Layout, lease: Lease, stop: asyncio.Event) -> None:
        """Applies new events until `stop`, or another generation is current, or the lease is lost."""
        try:
            shards = Shards(self._context.redis, layout, lease.epoch)
            points = await shards.claim()
            if not await self._in_log(points.values()):
                raise ShardLost("the read models are of another log")
            folds = Folds(self._context.source, self._context.reader, capacity=self._limits.capacity)
            advance = Advance(self._context, layout, shards, points, folds)
            self._log.info("projecting", generation=layout.generation, position=advance.point.position)
            aside = await self._generations.aside(layout)
            self._count_aside(len(aside))
            again = asyncio.create_task(self._take_up(aside), name="taking up tables that were set aside")
            try:
                await self._keep_up(advance, layout, lease, stop)
            finally:
                await cancel_and_wait(again)
        except ShardLost:
            await self._generations.retire(layout)
            raise

    async def _keep_up(self, advance: Advance, layout: Layout, lease: Lease, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        look_again = loop.time() + self._limits.idle_s
        async with _Waits(stop) as waits:
            while not (stop.is_set() or lease.lost):
                began = loop.time()
                records = await advance.read(self._limits.batch)
                self._watch.goes_on()
                if records:
                    await advance.write(records)
                    self._reported = None
                    self._watch.applied(advance.point.position, len(records), loop.time() - began)
                else:
                    await waits.on(self._context.source.wait(advance.point.position, self._limits.idle_s))
                if loop.time() >= look_again:
                    look_again = loop.time() + self._limits.idle_s
                    current = await self._generations.current()
                    if current is None or current.generation != layout.generation:
                        return

    async def _take_up(self, aside: Collection[str]) -> None:
        """Rebuilds the read models if a table that was set aside can be read now. Logs the errors that prevent it."""
        try:
            for table in aside:
                stream = await self._context.source.stream(table, 0, MOST_EVENTS)
                try:
                    fold(self._context.reader, stream)
                except Unreadable:
                    continue
                self._log.info("a table that was set aside can be read now; building read models", table=table)
                await self.rebuild(self._progress())
                return
        except (SourceUnavailable, RebuildRunning, RebuildFailed) as error:
            self._log.warning("tables that were set aside are not taken up yet", error=str(error))

    def _set_aside(self, table: str, reason: str) -> None:
        self._log.error("a record cannot be read; its table is set aside", table=table, reason=reason)
        self._count_aside(self._aside + 1)

    def _count_aside(self, tables: int) -> None:
        self._aside = tables
        self._watch.set_aside(tables)

    async def _in_log(self, points: Iterable[LogPoint]) -> bool:
        """Whether the log has the events of these points."""
        for point in set(points) - {LogPoint()}:
            records = await self._context.source.log(point.position - 1, 1)
            if not records or log_point(records[0]) != point:
                return False
        return True

    def _progress(self) -> Progress:
        """A function that logs the progress of a rebuild every `_PROGRESS_S` seconds, and its end."""
        loop = asyncio.get_running_loop()
        logged = loop.time() - _PROGRESS_S

        def progress(done: int, total: int) -> None:
            nonlocal logged
            if done == total or loop.time() - logged >= _PROGRESS_S:
                logged = loop.time()
                self._log.info("building read models", done=done, total=total)

        return progress

    def _report(self, error: Exception) -> None:
        """Logs a failure once, not at each attempt that meets it."""
        text = f"{type(error).__name__}: {error}"
        if text != self._reported:
            self._log.warning("projecting interrupted", error=text)
        self._watch.interrupted()
        self._reported = text


class _Waits:
    """Waits that end when `stop` is set, with one task for all of them.

    `_until` makes and ends two tasks for each wait, which costs tens of milliseconds in a busy event loop.
    """

    def __init__(self, stop: asyncio.Event) -> None:
        self._stop = stop
        self._bound: asyncio.Timeout | None = None

    async def __aenter__(self) -> Self:
        self._stopping = asyncio.create_task(self._stopped(), name="projector's stop")
        return self

    async def __aexit__(self, *error: object) -> None:
        await cancel_and_wait(self._stopping)

    async def on(self, work: Awaitable[None]) -> None:
        """Awaits this, or cancels it when `stop` is set."""
        try:
            # `_stopped` has ended if `stop` is set already, so it will not end this wait.
            async with asyncio.timeout(0 if self._stop.is_set() else None) as self._bound:
                await work
        except TimeoutError:
            return
        finally:
            self._bound = None

    async def _stopped(self) -> None:
        await self._stop.wait()
        if self._bound is not None:
            self._bound.reschedule(asyncio.get_running_loop().time())


async def _until(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Does the work, or cancels it when `stop` is set. Raises what the work raises."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        await cancel_and_wait(working, stopping)
