"""The audit that never ends: through the whole log, table by table, at a low rate, and then again from the start."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from domain.record.merkle import GrowingTree
from domain.record.recorded import Recorded
from projections import ReadModelsUnavailable
from service.audit.forgery import forged
from service.audit.read_models import TableModels, served
from service.audit.whole import Failure, table_failures
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.store import Store
from service.transparency import Checkpoint, Transparency

PAGE = 500
"""Events of the log looked at at a time."""

SHARE = 0.02
"""The greatest part of one core's time that the audit takes."""

REMEMBERED = 50_000
"""Tables whose audited version is known within one round."""


class AuditWorker:
    """Audits the log round after round while it runs, and tells what differs by a metric and in the log.

    At least `pause_s` lies between two tables, more where one took so long that it would be more than `share` of a
    core; and `round_s` between two rounds.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        models: TableModels | None,
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
        """Audits until `stop`."""
        while not stop.is_set():
            try:
                await self._round(stop)
                self._metrics.audit_round()
            except StoreUnavailable as error:
                self._log.warning("the audit waits for the log", reason=str(error))
            await _within(stop, self._round_s)

    async def _round(self, stop: asyncio.Event) -> None:
        """Once through the log."""
        checkpoint = await self._head()
        tree = GrowingTree()
        audited: dict[str, int] = {}
        while not stop.is_set():
            records = await self._store.log(tree.size, PAGE)
            if not records:
                if checkpoint is not None and tree.size < checkpoint.size:
                    text = f"a head of {checkpoint.size} events was signed, and the log ends at {tree.size}"
                    self._tell(Failure("the log", "tree", text))
                return
            for record in records:
                if record.position != tree.size + 1:
                    text = f"after {tree.size} comes {record.position}"
                    self._tell(Failure(f"position {tree.size + 1}", "positions", text))
                    # Without all its leaves the tree is none; the next round begins anew.
                    return
                tree.add(record.hash)
                if checkpoint is not None and tree.size == checkpoint.size and tree.root() != checkpoint.root:
                    text = f"the log's first {tree.size} events make another tree than the one that was signed"
                    self._tell(Failure("the log", "tree", text))
            if len(audited) > REMEMBERED:
                audited.clear()
            newest = {record.table: record.version for record in records}
            for table, version in newest.items():
                if audited.get(table, 0) < version and not stop.is_set():
                    audited[table] = await self._table(table, stop)
            self._metrics.audited(tree.size)

    async def _head(self) -> Checkpoint | None:
        """The signed head to hold the round against."""
        checkpoint = None if self._transparency is None else await self._transparency.newest()
        if checkpoint is not None and self._transparency is not None:
            wrong = forged(checkpoint, await self._transparency.keys())
            if wrong is not None:
                self._tell(Failure(f"the checkpoint of size {checkpoint.size}", "checkpoint", wrong))
        return checkpoint

    async def _table(self, table: str, stop: asyncio.Event) -> int:
        """Audits a table, and answers the version that it was at."""
        started = time.perf_counter()
        heads = await self._store.heads([table])
        records = await self._store.stream(table)
        if table not in heads:
            self._tell(Failure(f"table {table}", "chain", "the table has events and no stream"))
            return records[-1].version if records else 0
        audit: Callable[[], list[Failure]] = lambda: list(  # noqa: E731 (for a thread)
            table_failures(self._reader, table, records, heads[table])
        )
        failures = await asyncio.to_thread(audit)
        if not failures:
            failures = await self._served(records)
        for failure in failures:
            self._tell(failure)
        await _within(stop, max(self._pause_s, (time.perf_counter() - started) / self._share))
        return records[-1].version

    async def _served(self, records: Sequence[Recorded]) -> list[Failure]:
        """What differs in the read models."""
        if self._models is None:
            return []
        with suppress(ReadModelsUnavailable):
            found = await served(self._models, self._reader, records)
            return [Failure(f"table {records[0].table}", "read models", text) for text in found.differences]
        return []

    def _tell(self, failure: Failure) -> None:
        self._metrics.audit_failed()
        self._log.error("the audit found a difference", place=failure.place, check=failure.check, found=failure.text)


async def _within(stop: asyncio.Event, seconds: float) -> None:
    """Returns when asked to stop, or after so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
