"""A log of some tables in Postgres, their read models in Redis, and a checkpoint over it."""

from collections.abc import Callable
from functools import cache

import asyncpg
import pytest
from redis.asyncio import Redis

from domain.record.recorded import GENESIS, Recorded
from projections.models import ReadModels
from service.audit import AuditSummary, Sources, audit_log
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Append, Store
from service.store.tail import Tail
from tests.support.exports import MemoryTransparency
from tests.support.postgres import as_service
from tests.support.projecting import MemoryLog, Running, caught_up, games, projector
from tests.support.registry import GAMES, REGISTRY

TABLES = 5
AT_ONCE = 40
"""Commands that are appended together, a table's as one."""


class Audited:
    """A log that can be audited and tampered with."""

    def __init__(
        self, dsn: str, redis_url: str, source: LogSource, records: list[Recorded], models: ReadModels
    ) -> None:
        self.dsn = dsn
        self.sources = Sources(as_service(dsn), redis_url, REGISTRY)
        self.source = source
        self.store = source._store
        self.records = records
        self.models = models
        self.transparency = MemoryTransparency([record.hash for record in records])

    async def audit(self, *, processes: int = 1, **options: object) -> AuditSummary:
        """The audit of this log, by so many processes."""
        progress: list[tuple[int, int]] = []
        summary = await audit_log(
            self.sources,
            lambda done, total: progress.append((done, total)),
            processes=processes,
            **{"checkpoint": await self.transparency.newest(), "keys": await self.transparency.keys(), **options},  # type: ignore[arg-type] # as given
        )
        assert not progress or progress[-1][0] == progress[-1][1]
        return summary

    async def tamper(self, *statements: str) -> None:
        """Changes the database past its triggers."""
        owner = await asyncpg.connect(self.dsn)
        await owner.execute("SET session_replication_role = replica")
        for statement in statements:
            await owner.execute(statement)
        await owner.close()

    def ended(self, table: str) -> bool:
        """Whether the table is over."""
        ends = {"game-finished", "table-closed", "table-expired"}
        return any(record.type in ends for record in self.records if record.table == table)

    def first(self, fits: Callable[[Recorded], bool]) -> Recorded:
        """The first event that fits."""
        return next(record for record in self.records if fits(record))


@cache
def commands() -> tuple[list[Recorded], ...]:
    """What was recorded at a few tables, command by command."""
    return tuple(games(TABLES))


@pytest.fixture
async def log(dsn: str, database: Database, redis: Redis, redis_server: str) -> Audited:
    """A few tables, the last of them still running, in the log and in the read models."""
    store = Store(database)
    heads: dict[str, tuple[int, bytes]] = {}
    most = commands()[: -len(commands()) // 10]
    for first in range(0, len(most), AT_ONCE):
        by_table: dict[str, list[Recorded]] = {}
        for events in most[first : first + AT_ONCE]:
            by_table.setdefault(events[0].table, []).extend(events)
        appended = [(table, *heads.get(table, (0, GENESIS)), tuple(events)) for table, events in by_table.items()]
        await store.append([Append(*each) for each in appended])
        heads |= {table: (events[-1].version, events[-1].hash) for table, events in by_table.items()}
    records = await store.log(0, 100_000)
    memory = MemoryLog(records)
    async with Running(projector(memory, redis)):
        await caught_up(redis, memory)
    source = LogSource(store, Tail(database))
    models = ReadModels(redis, source, GAMES, timeout_s=20.0)
    return Audited(dsn, redis_server, source, records, models)
