"""The read models: how far behind they are under load, and how fast they are built anew."""

import asyncio
import json
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

import structlog
import uvloop
from redis.asyncio import Redis

from domain.record.history import Reader
from domain.registry import GAMES
from projections.advance import Advance, Context
from projections.checkpoint import LogPoint, Shards, Write
from projections.connection import connect
from projections.fold import Folds
from projections.redis_keys import Layout, Shard
from projections.runner import Limits, Projector
from service.cli.load_test import Latencies, latencies
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.watchers import PROJECTOR_TIMEOUT_S
from tests.lab.benchmarks import games
from tests.lab.benchmarks.bench import Bench, alternating, environment, median, module
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.interface import Driven, Floor, Shape, drive, service

ROW = "projections"
CAPACITY = 5_000
BATCH = Limits().rebuild_batch
GENERATION = 1


def measure(bench: Bench) -> Iterator[Figure]:
    """The lag under the load of the actions; then building, beside what a batch writes, sent to Redis once more."""
    floor = Floor(bench, per_connection=bench.pick(10, 5, 1))
    for shape, case in (("apart", "projections in another process"), ("one", "everything in one process")):
        driven, lags = _lag(bench, floor, shape)  # type: ignore[arg-type]
        yield Figure(
            row=ROW,
            case=f"lag p99, {case}",
            value=lags.p99_ms,
            unit="ms",
            must=Bound(most=50, of_ratio=False),
            note=f"p50 {lags.p50_ms:.1f} ms, at {driven.per_s:,.0f} actions/s",
            details={"lags": lags},
        )
    url, events = laid_side_by_side(bench, "rebuild")
    measured = alternating(bench.rounds, {"both": lambda: uvloop.run(_building(url, bench.empty_redis()))})["both"]
    yield Figure(
        row=ROW,
        case="rebuild",
        value=median([built for built, _ in measured]),
        unit="events/s",
        beside=Beside(name="raw Lua calls, by batch", value=median([raw for _, raw in measured])),
        must=Bound(least=0.5),
        note=f"{events:,} events of tables played at the same time",
    )


def laid_side_by_side(bench: Bench, name: str) -> tuple[str, int]:
    """The address of a database with games that were played at the same time, and how many events they have."""
    url = bench.database(name, migrated=True)
    people = [[f"{seat:08}-0000-7000-8000-{number:012}" for seat in range(3)] for number in range(50)]
    # Never fewer: of how many tables the events of one batch are decides how much it has to write.
    played = games.many(people[:2] if bench.tiny else people * 10)
    asyncio.run(games.lay_side_by_side(url, played))
    return url, sum(len(game.records) for game in played)


def _lag(bench: Bench, floor: Floor, shape: Shape) -> tuple[Driven, Latencies]:
    database = floor.database()
    with service(bench, database, shape) as running:
        watching = subprocess.Popen(
            module("lagging", database, bench.redis),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert watching.stdout is not None
        watching.stdout.readline()
        driven = drive(bench, running, floor.actions(running.url))
        output, _ = watching.communicate()
    measured = json.loads(output)
    if measured["never"] or not measured["lags_s"]:
        raise RuntimeError(f"{measured['never']} batches were never projected")
    return driven, latencies(measured["lags_s"])


class _Kept(Shards):
    """Shards that also keep what they write."""

    def __init__(self, redis: Redis, layout: Layout, epoch: int) -> None:
        super().__init__(redis, layout, epoch)
        self.calls: list[tuple[LogPoint, LogPoint, Collection[Shard], Mapping[Shard, Sequence[Write]]]] = []

    async def apply(
        self, start: LogPoint, end: LogPoint, shards: Collection[Shard], writes: Mapping[Shard, Sequence[Write]]
    ) -> None:
        self.calls.append((start, end, shards, writes))
        await super().apply(start, end, shards, writes)


async def _building(database_url: str, redis_url: str) -> tuple[float, float]:
    """Events a second: of a rebuild as the command does it; and of ready Lua calls, a batch's after the other's.

    The calls are those that keep the read models up with the log in batches as large as the rebuild's, so that they
    are right after each of them; the rebuild itself need only be right at the end. Both go over the service's own
    kind of connection.
    """
    async with (
        Database(database_url, owner=True) as database,
        connect(redis_url, timeout_s=PROJECTOR_TIMEOUT_S) as redis,
    ):
        store = Store(database)
        source, reader = LogSource(store, Tail(database)), Reader(GAMES)
        events = await store.end()
        projector = Projector(source, reader, redis, structlog.get_logger())
        began = time.perf_counter()
        await projector.rebuild(lambda _done, _total: None)
        built_s = time.perf_counter() - began

        layout = Layout(GENERATION)
        kept = _Kept(redis, layout, 1)
        folds = Folds(source, reader, capacity=CAPACITY)
        context = Context(source, reader, redis, time.time, Limits().retention_s)
        await redis.flushall()
        advance = Advance(context, layout, kept, await kept.begin(), folds)
        while records := await advance.read(BATCH):
            await advance.write(records)

        await redis.flushall()
        again = Shards(redis, layout, 1)
        await again.begin()
        began = time.perf_counter()
        for call in kept.calls:
            await again.apply(*call)
        raw_s = time.perf_counter() - began
    return events / built_s, events / raw_s
