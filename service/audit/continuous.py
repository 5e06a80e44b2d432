"""The continuous audit: through the whole log at a low rate, table by table, round after round."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress

from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from domain.record.merkle import GrowingTree
from projections import ReadModels
from service.audit.checks import check_end, check_root, check_signature, missing_events
from service.audit.differences import Difference
from service.audit.tables import audit_table
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.store import Store
from service.transparency import Checkpoint, Transparency

PAGE = 500
"""Events of the log read at a time."""

SHARE = 0.02
"""The greatest part of one core's time that the audit takes."""

REMEMBERED = 50_000
"""Tables whose audited version is remembered within one round."""


class ContinuousAudit:
    """Audits the log round after round. Each difference is counted in the metrics and logged as an error.

    Between two tables it pauses for `pause_s` seconds, or longer, so that it takes at most the part `share` of a core;
    between two rounds for `round_s` seconds.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        models: ReadModels | None,
        transparency: Transparency | None,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        pause_s: float = 1.0,
        share: float = SHARE,
        round_s: float = 60.0,
    ) -> None:
        self._store = store
        self._reader = reader
        self._models = models
        self._transparency = transparency
        self._metrics = metrics
        self._log = log
        self._pause_s = pause_s
        self._share = share
        self._round_s = round_s

    async def run(self, stop: asyncio.Event) -> None:
        """Audits until `stop` is set. An outage of the store ends the round; the next one starts anew."""
        while not stop.is_set():
            try:
                await self._round(stop)
                self._metrics.audit_round()
            except StoreUnavailable as error:
                self._log.warning("the audit waits for the log", reason=str(error))
            await _pause(stop, self._round_s)

    async def _round(self, stop: asyncio.Event) -> None:
        """Audits the log once, from its first event to its last."""
        checkpoint = await self._checkpoint()
        tree = GrowingTree()
        audited: dict[str, int] = {}
        while not stop.is_set():
            records = await self._store.log(tree.size, PAGE)
            if not records:
                if checkpoint is not None:
                    self._report(check_end(checkpoint, tree.size))
                return
            for record in records:
                if record.position != tree.size + 1:
                    # There is no tree without all its leaves; the next round starts anew.
                    self._report([missing_events([tree.size + 1])])
                    return
                tree.add(record.hash)
                if checkpoint is not None and tree.size == checkpoint.size:
                    self._report(check_root(checkpoint, tree.root()))
            if len(audited) > REMEMBERED:
                audited.clear()
            newest = {record.table: record.version for record in records}
            for table, version in newest.items():
                if audited.get(table, 0) < version and not stop.is_set():
                    audited[table] = await self._table(table, stop)
            self._metrics.audited(tree.size)

    async def _checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint, with which the round compares the tree."""
        if self._transparency is None:
            return None
        checkpoint = await self._transparency.newest()
        if checkpoint is not None:
            self._report(check_signature(checkpoint, await self._transparency.keys()))
        return checkpoint

    async def _table(self, table: str, stop: asyncio.Event) -> int:
        """Audits a table, pauses, and returns the table's version."""
        started = time.perf_counter()
        heads = await self._store.heads([table])
        records = await self._store.stream(table)
        audit = await audit_table(self._reader, self._models, table, records, heads.get(table))
        self._report(audit.differences)
        await _pause(stop, max(self._pause_s, (time.perf_counter() - started) / self._share))
        return records[-1].version if records else 0

    def _report(self, differences: Iterable[Difference]) -> None:
        for one in differences:
            self._metrics.audit_failed()
            self._log.error("the log differs from its audit", place=one.place, check=one.check, difference=one.text)


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    """Returns after so many seconds, or as soon as `stop` is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
