"""The projector: keeps the current generation of read models up to date with the log, and builds one if there is none.

Several projectors may run: one works, the others wait for its lease. After an outage it tries again. It halts only if
going on would make the read models wrong: at a gap in the log. A table with an event that this version cannot read is
set aside alone; a later version that can read it rebuilds the read models. Read models that an earlier version folded
are rebuilt too. They are kept up to date and served until then. Those of a later version are left to its projectors
while there are any.
"""

import asyncio
import time
from collections.abc import Awaitable, Collection
from typing import Self, TypeVar

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from projections.advance import Advance, Context
from projections.checkpoint import Fenced, ShardLost, Shards, first_missing
from projections.connection import OUTAGES, Client, unavailable
from projections.fold import Folds, fold
from projections.generations import Generations
from projections.lease import Lease, Leases
from projections.rebuild import BUILD, Progress, build
from projections.redis_keys import FOLD, SHAPE, Layout, Pointer
from projections.source import Source, SourceUnavailable
from projections.tasks import cancel_and_wait, until
from projections.watch import Watch

T = TypeVar("T")

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
    rebuild_pause_s: float = 30.0
    """Seconds between two attempts to rebuild in the background, which may fill Redis."""
    left_s: float = 30.0
    """Seconds after which read models of a later version that nobody keeps are kept by an earlier one."""
    grace_s: float = 1.0
    """Seconds that the keys of an old generation outlive the switch: longer than any read takes."""


class Projector:
    """Keeps the read models up to date. `redis` should allow several seconds for a call."""

    def __init__(
        self,
        source: Source,
        reader: Reader,
        redis: Client,
        log: FilteringBoundLogger,
        *,
        limits: Limits | None = None,
        watch: Watch | None = None,
        fold: int = FOLD,
    ) -> None:
        self._limits = limits or Limits()
        self._context = Context(source, reader, redis, time.time, self._limits.retention_s, self._set_aside, fold)
        self._log = log
        self._aside = 0
        """The number of tables that are set aside in the generation that this worker leads or builds."""
        self._watch = watch or Watch()
        self._generations = Generations(redis)
        self._leases = Leases(redis, lease_s=self._limits.lease_s)
        self._reported: str | None = None
        self._replacing: tuple[Pointer, asyncio.Task[None]] | None = None
        """The last generation that this worker has replaced in the background, and the task that does so."""
        self._left_since: float | None = None
        """The time since when nobody keeps the current generation, which is of a later version."""

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
                    await until(stop, asyncio.sleep(self._limits.pause_s))
        except Exception as error:  # every error must be reported, since nothing is projected from now on
            self._log.error("projector halted", error=str(error), exc_info=error)
            self._watch.halted(error)
            raise
        finally:
            await self._stop_replacing()

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
            await self._stop_replacing()
            return bool(await until(stop, self._replace(current)))
        if current.shape > SHAPE:
            return False
        layout, name = Layout(current.generation), f"g{current.generation}"
        fold = await self._generations.fold(layout)
        if fold > self._context.fold and not await self._left(name):
            return False
        if fold < self._context.fold:
            await self._replace_beside(current, f"version {fold} folded them, and this is {self._context.fold}")
        async with self._leases.hold(name) as lease:
            if lease is None:
                return False
            self._watch.leading(leads=True)
            try:
                await self._lead(current, layout, lease, stop)
            finally:
                self._watch.leading(leads=False)
            return True

    async def _left(self, name: str) -> bool:
        """Whether nobody has held the lease of read models of a later version for a while. Says so."""
        now = asyncio.get_running_loop().time()
        if not await self._leases.free(name):
            self._left_since = None
            return False
        self._left_since = now if self._left_since is None else self._left_since
        if now - self._left_since < self._limits.left_s:
            return False
        self._left_since = None
        self._log.warning("nobody keeps the read models of a later version; going on with them")
        return True

    async def _replace_beside(self, old: Pointer, reason: str) -> None:
        """Builds another generation in place of the old one in the background, once for each old one."""
        if self._replacing is None or self._replacing[0] != old:
            await self._stop_replacing()
            self._log.info("rebuilding the read models in the background", reason=reason, generation=old.generation)
            self._replacing = old, asyncio.create_task(self._until_replaced(old), name="replacing read models")

    async def _stop_replacing(self) -> None:
        if self._replacing:
            await cancel_and_wait(self._replacing[1])

    async def _until_replaced(self, old: Pointer) -> None:
        """Tries to replace the generation until it is no longer the current one, or at an error that is not an outage,
        which is logged.
        """
        while True:
            try:
                if await self._replace(old) or await self._generations.current() != old:
                    return
            except (*OUTAGES, SourceUnavailable, Fenced, ShardLost) as error:
                self._log.warning("rebuilding interrupted", error=f"{type(error).__name__}: {error}")
            except Exception as error:  # every error must be reported, since nothing else waits for this task
                self._log.error("the read models cannot be rebuilt", error=str(error), exc_info=error)
                return
            await asyncio.sleep(self._limits.rebuild_pause_s)

    async def _replace(self, old: Pointer | None) -> bool:
        """Builds a generation in place of the old one; False if another worker builds one, or has replaced it."""
        async with self._leases.hold(BUILD) as lease:
            # Another worker may have replaced it while this one waited for the lease.
            if lease is None or await self._generations.current() != old:
                return False
            await self._build(lease, self._progress())
            return True

    async def _build(self, lease: Lease, progress: Progress) -> None:
        limits = self._limits
        self._watch.building(builds=True)
        try:
            await build(
                self._context,
                self._generations,
                lease,
                progress,
                batch=limits.rebuild_batch,
                capacity=limits.capacity,
                grace_s=limits.grace_s,
            )
        finally:
            self._watch.building(builds=False)

    async def _lead(self, current: Pointer, layout: Layout, lease: Lease, stop: asyncio.Event) -> None:
        """Applies new events until `stop`, or another generation is current, or the lease is lost."""
        try:
            shards = Shards(self._context.redis, layout, lease.epoch, self._context.fold)
            points = await shards.claim()
            if await first_missing(self._context.source.log, points.values()) is not None:
                raise ShardLost("the read models are of another log")
            folds = Folds(self._context.source, self._context.reader, capacity=self._limits.capacity)
            advance = Advance(self._context, layout, shards, points, folds)
            self._log.info("projecting", generation=layout.generation, position=advance.point.position)
            aside = await self._generations.aside(layout)
            self._count_aside(len(aside))
            again = asyncio.create_task(self._take_up(current, aside), name="taking up tables that were set aside")
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

    async def _take_up(self, current: Pointer, aside: Collection[str]) -> None:
        """Rebuilds the read models if a table that was set aside can be read now. Logs an outage that prevents it."""
        try:
            for table in aside:
                stream = await self._context.source.stream(table, 0, MOST_EVENTS)
                try:
                    fold(self._context.reader, stream)
                except Unreadable:
                    continue
                await self._replace_beside(current, f"table {table}, which was set aside, can be read now")
                return
        except SourceUnavailable as error:
            self._log.warning("tables that were set aside are not taken up yet", error=str(error))

    def _set_aside(self, table: str, reason: str) -> None:
        self._log.error("a record cannot be read; its table is set aside", table=table, reason=reason)
        self._count_aside(self._aside + 1)

    def _count_aside(self, tables: int) -> None:
        self._aside = tables
        self._watch.set_aside(tables)

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
        text = unavailable(error) if isinstance(error, OUTAGES) else f"{type(error).__name__}: {error}"
        if text != self._reported:
            self._log.warning("projecting interrupted", error=text)
        self._watch.interrupted()
        self._reported = text


class _Waits:
    """Waits that end when `stop` is set, with one task for all of them.

    `until` makes and ends two tasks for each wait, which costs tens of milliseconds in a busy event loop.
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
