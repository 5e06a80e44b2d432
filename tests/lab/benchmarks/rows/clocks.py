"""Clocks that run at many tables: what they take of a process at which nothing happens, and to learn them."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator

import structlog
import uvloop

from domain.record.history import Reader
from domain.registry import GAMES
from domain.table.options import DAY, Clock, TableOptions
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
from service.live.timekeeper import Timekeeper
from service.observability.metrics import Metrics
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.store.writer import Writer
from tests.lab.benchmarks import games
from tests.lab.benchmarks.bench import Bench, environment, module
from tests.lab.benchmarks.figures import Bound, Figure

ROW = "clocks"
CLOCK = TableOptions(clock=Clock(7 * DAY))
"""With it no time runs out while it is measured."""

LOOK_S = 0.01


def measure(bench: Bench) -> Iterator[Figure]:
    """A timekeeper alone in a process, over tables whose games have begun, each with a clock that runs."""
    tables = bench.pick(10_000, 10_000, 10)
    url = bench.database("clocks", migrated=True)
    asyncio.run(games.lay(url, games.on_all_cores(_begun, range(tables))))
    bench.checkpoint()
    done = subprocess.run(
        module("rows.clocks", url, tables, bench.pick(20.0, 10.0, 0.1)),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    kept = json.loads(done.stdout)
    yield Figure(
        row=ROW,
        case=f"{tables:,} clocks that run, at rest",
        value=kept["percent"],
        unit="% of a core",
        must=Bound(most=2, of_ratio=False),
        note=f"over {kept['seconds']:.0f} s",
    )
    yield Figure(
        row=ROW,
        case=f"{tables:,} clocks that run, to learn them",
        value=kept["learnt_s"],
        unit="s",
        note=f"{kept['learnt_cpu_s']:.1f} s of CPU",
    )


def _begun(number: int) -> games.Played:
    """A game that has begun, with a clock that runs."""
    players = [f"{seat:08}-0000-7000-8000-{number:012}" for seat in range(3)]
    _, records, _ = games.begun(number, players, None, CLOCK)
    return games.Played(tuple(players), tuple(records), len(records), ())


async def _keep(url: str, tables: int, seconds: float) -> None:
    """Learns the tables, and keeps their time for so long."""
    log, metrics, reader = structlog.get_logger(), Metrics(), Reader(GAMES)
    async with Database(url, owner=True) as database, Tail(database) as tail:
        store = Store(database)
        cache, writer = TableCache(store, reader, capacity=2 * tables), Writer(store)
        spectators = Spectators(cache, Seating(cache), store, reader)
        commands = CommandHandler(store, writer, reader, cache, spectators, log)
        source = LogSource(store, tail)
        timekeeper = Timekeeper(store, source, reader, cache, commands, metrics, log)
        stop = asyncio.Event()
        began, cpu = time.perf_counter(), time.process_time()
        keeping = asyncio.create_task(timekeeper.run(stop))
        left = {end.table for end in await store.newest(None, tables)}
        # When a clock runs out is known once the table was looked at, for which it is cached.
        while timekeeper.follower.position is None or left:
            left = {table for table in left if cache.known.peek(table) is None}
            await asyncio.sleep(LOOK_S)
        learnt_s, learnt_cpu_s = time.perf_counter() - began, time.process_time() - cpu
        if timekeeper.watched != tables:
            raise RuntimeError(f"{timekeeper.watched} of {tables} clocks are kept")
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.sleep(seconds)
        taken = time.perf_counter() - began
        percent = 100 * (time.process_time() - cpu) / taken
        stop.set()
        await keeping
        await writer.close()
    kept = {"learnt_s": learnt_s, "learnt_cpu_s": learnt_cpu_s, "percent": percent, "seconds": taken}
    print(json.dumps(kept))


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    uvloop.run(_keep(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
