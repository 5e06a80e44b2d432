"""The continuous audit: of new events soon after they are appended, and of the whole log slowly, in rounds."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from domain.record.merkle import GrowingTree
from domain.record.recorded import Recorded
from projections.models import ReadModels
from projections.source import Source
from service.audit.checks import Difference, check_end, check_root, check_signature, missing_events
from service.audit.one_table import audit_table
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.log_follower import LogFollower
from service.store.store import Store
from service.transparency import Checkpoint, Transparency

PAGE = 500
"""Events of the log read at a time."""

TABLE_EVENTS = 40
"""The fixed cost of auditing a table, as a number of events."""

REMEMBERED = 50_000
"""The most tables whose audited version is cached, both in a round and in following."""


class Pace(Struct, frozen=True, kw_only=True):
    """The audit's share of the processor, as events audited a second, and the limit for its alarm.

    Five hundred events a second are two or three hundredths of a core. A table is always audited with all its events.
    """

    round_events_per_s: float = 500.0
    """The rate of a round through the whole log."""
    round_s: float = 60.0
    """Seconds between two rounds."""
    events_per_s: float = 500.0
    """The rate of following the log while it hardly lags."""
    most_events_per_s: float = 5_000.0
    """The highest rate of following the log."""
    faster_each_s: float = 5.0
    """For each so many seconds of lag, following is faster by `events_per_s`."""
    look_s: float = 5.0
    """Seconds between two reads of new events. The events that a table appends in between are audited together."""
    alarm_s: float = 300.0
    """Seconds of lag that raise the alarm."""


class ContinuousAudit:
    """Audits the log. Each difference is counted in the metrics and logged as an error.

    It follows the log from its end at the start, and audits each table that has new events. The more it lags, the
    faster it is; if it still lags too much, it warns in log and metrics. Besides, it goes through the whole log in
    rounds, and compares it with the newest checkpoint.

    `clock` is the time in seconds since 1970; `sleep` waits so many seconds.
    """

    def __init__(
        self,
        store: Store,
        source: Source,
        reader: Reader,
        models: ReadModels | None,
        transparency: Transparency | None,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._reader = reader
        self._models = models
        self._transparency = transparency
        self._metrics = metrics
        self._log = log
        self._pace = pace or Pace()
        self._clock = clock
        self._sleep = sleep
        look_s = self._pace.look_s
        work, paces = metrics.work["audit"], (look_s, look_s, look_s)
        self._follower = LogFollower(source, log, "auditing", work, *paces, sleep=sleep)
        self._audited: dict[str, int] = {}
        """The versions up to which tables with new events were audited."""
        self._lags = False
        self._unjudged: set[str] = set()
        """This round's tables that could not be judged, because their rules or events are unknown here."""

    async def run(self, stop: asyncio.Event) -> None:
        """Audits until `stop` is set. An outage of the store ends the round; the next one starts over."""
        self._metrics.audit.lag(0, 0.0, alarm=self._lags)
        await self._follower.run(stop, None, self._take, self._rounds())

    async def _take(self, records: Sequence[Recorded]) -> None:
        """Audits the tables of the next events."""
        oldest, left = datetime.fromisoformat(records[0].at).timestamp(), await self._store.end() - records[-1].position

        def events_per_s() -> float:
            lag_s = max(0.0, self._clock() - oldest)
            self._lag(left + len(records), lag_s)
            pace = self._pace
            return min(pace.most_events_per_s, pace.events_per_s * (1 + lag_s / pace.faster_each_s))

        await self._audit_tables(records, self._audited, events_per_s)
        if not left:
            self._lag(0, 0.0)

    def _lag(self, events: int, seconds: float) -> None:
        """Measures the audit's lag behind the log, and warns once when it becomes too much."""
        # It ends at half the limit, so that an audit near the limit does not warn repeatedly.
        lags = seconds > self._pace.alarm_s / (2 if self._lags else 1)
        self._metrics.audit.lag(events, seconds, alarm=lags)
        if lags and not self._lags:
            self._log.warning("the audit lags behind the log", events=events, seconds=round(seconds))
        elif self._lags and not lags:
            self._log.info("the audit lags no more", events=events, seconds=round(seconds))
        self._lags = lags

    async def _rounds(self) -> None:
        """Goes through the log in rounds. An outage ends the round; the next one starts over."""
        while True:
            try:
                await self._round()
                self._metrics.audit.rounds.inc()
            except StoreUnavailable as error:
                self._log.warning("the audit waits for the log", reason=str(error))
            await self._sleep(self._pace.round_s)

    async def _round(self) -> None:
        """Audits the log once, from its first event to its last."""
        checkpoint = await self._checkpoint()
        tree = GrowingTree()
        audited: dict[str, int] = {}
        self._unjudged = set()
        while True:
            records = await self._store.log(tree.size, PAGE)
            if not records:
                if checkpoint is not None:
                    self._report(check_end(checkpoint, tree.size))
                self._metrics.audit.not_judged.set(len(self._unjudged))
                return
            for record in records:
                if record.position != tree.size + 1:
                    # Without all its leaves there is no tree; the next round starts over.
                    self._report([missing_events([tree.size + 1])])
                    return
                tree.add(record.hash)
                if checkpoint is not None and tree.size == checkpoint.size:
                    self._report(check_root(checkpoint, tree.root()))
            await self._audit_tables(records, audited, lambda: self._pace.round_events_per_s)
            self._metrics.audit.position.set(tree.size)

    async def _checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint, to compare the round's tree with."""
        if self._transparency is None:
            return None
        checkpoint = await self._transparency.newest()
        if checkpoint is not None:
            self._report(check_signature(checkpoint, await self._transparency.keys()))
        return checkpoint

    async def _audit_tables(
        self, records: Sequence[Recorded], audited: dict[str, int], events_per_s: Callable[[], float]
    ) -> None:
        """Audits the tables of these events, if they have changed since, and pauses after each according to its cost.

        `audited` has the versions of tables that were audited before.
        """
        if len(audited) > REMEMBERED:
            audited.clear()
        newest = {record.table: record.version for record in records}
        changed = [table for table, version in newest.items() if audited.get(table, 0) < version]
        heads = await self._store.heads(changed)
        for table in changed:
            stream = await self._store.stream(table)
            audit = await audit_table(self._reader, self._models, table, stream, heads.get(table))
            self._report(audit.differences)
            if not audit.judged:
                self._unjudged.add(table)
            self._metrics.audit.audited.inc(len(stream))
            audited[table] = stream[-1].version if stream else 0
            await self._sleep((len(stream) + TABLE_EVENTS) / events_per_s())

    def _report(self, differences: Iterable[Difference]) -> None:
        for one in differences:
            self._metrics.audit.failures.inc()
            self._log.error("the log differs from its audit", place=one.subject, check=one.check, difference=one.text)
