"""How far one log carries: commits that wait for a standby, processes that share the log, and what events take up."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import asyncpg

from service.store.database import Database
from service.store.migrate import migrate
from service.store.store import Store
from tests.lab.benchmarks.bench import Bench, alternating, median, module
from tests.lab.benchmarks.figures import Beside, Figure
from tests.lab.benchmarks.interface import Driven, Floor, Shape, drive, service
from tests.lab.benchmarks.stores import Appending, Program
from tests.support.filling import fill_up
from tests.support.postgres import Postgres, as_service, binaries

ROW = "one log"
DURABLE = {"fsync": "on", "wal_level": "replica", "max_wal_size": "4GB"}
SIZES = (10**6, 10**7, 3 * 10**7)
GOAL = 10**10
"""Events for which sizes are calculated."""
READ = 50
"""Tables that are read."""
_WAL = "SELECT pg_current_wal_insert_lsn() - '0/0'"


class Written(NamedTuple):
    """What a load came to, and how many bytes of write-ahead log it made."""

    load: Appending
    wal: int


def measure(bench: Bench) -> Iterator[Figure]:
    """Without a standby and with one in turns; one process to eight; and a log of up to 3·10⁷ events."""
    with _server() as primary:
        with _standby(primary):
            yield from _commits(bench, primary)
            yield from _processes(bench, primary)
        yield from _sizes(bench, primary)


@contextmanager
def _server() -> Iterator[Postgres]:
    server = Postgres(binaries(), DURABLE)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@contextmanager
def _standby(primary: Postgres) -> Iterator[None]:
    """A standby for which each commit waits."""
    standby = Postgres(binaries(), DURABLE)
    try:
        standby.begin_as_standby(primary)
        _waiting(primary, "*")
        yield
    finally:
        _waiting(primary, "")
        standby.remove()


def _waiting(primary: Postgres, standbys: str) -> None:
    primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standbys}'", "SELECT pg_reload_conf()")
    while primary.value("SHOW synchronous_standby_names") != standbys:
        time.sleep(0.05)


def _database(primary: Postgres, name: str) -> str:
    """A new database on this server, as its owner."""
    primary.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    url = primary.dsn(name)
    asyncio.run(migrate(url))
    return url


def _commits(bench: Bench, primary: Postgres) -> Iterator[Figure]:
    """One event a command, by 64 clients."""
    clients = bench.pick(64, 64, 8)
    url = as_service(_database(primary, "commits"))
    store = Program(
        "codille", lambda clients, seconds: module("peers.codille", "write", url, clients, seconds), (), environment={}
    )

    def run(standbys: str) -> Written:
        _waiting(primary, standbys)
        primary.execute("CHECKPOINT")
        before = int(primary.value(_WAL))
        return Written(store.run(clients, bench.seconds), int(primary.value(_WAL)) - before)

    measured = alternating(bench.rounds, {"alone": lambda: run(""), "standby": lambda: run("*")})
    alone, both = ([one.load for one in measured[name]] for name in ("alone", "standby"))
    yield Figure(
        row=ROW,
        case=f"append by {clients}, a standby confirms",
        value=median([one.per_s for one in both]),
        unit="events/s",
        beside=Beside(name="without a standby", value=median([one.per_s for one in alone])),
        note=f"p99 {median([one.latencies.p99_ms for one in both]):.1f} ms, without "
        f"{median([one.latencies.p99_ms for one in alone]):.1f} ms; both servers share this machine",
    )
    yield Figure(
        row=ROW,
        case=f"write-ahead log, append by {clients}",
        value=median([one.wal / one.load.appended for one in measured["standby"]]),
        unit="bytes/event",
    )


def _processes(bench: Bench, primary: Postgres) -> Iterator[Figure]:
    """Actions over HTTP, each at a table of its own; the client, all processes and both servers share this machine."""
    floor = Floor(bench, per_connection=bench.pick(16, 8, 1))
    numbers: Sequence[int] = bench.pick((1, 2, 4, 8), (1, 4), (1,))

    def played(number: int, turn: int) -> Driven:
        url = _database(primary, f"played_{number}_{turn}")
        floor.lay(url)
        shape: Shape = "apart" if number == 1 else number
        with service(bench, url, shape) as running:
            return drive(bench, running, floor.actions(running.url))

    measured: dict[int, list[Driven]] = {number: [] for number in numbers}
    for turn in range(bench.rounds):
        for number in numbers if turn % 2 == 0 else reversed(numbers):
            measured[number].append(played(number, turn))

    def per_s(number: int) -> float:
        return median([one.per_s for one in measured[number]])

    for number in numbers:
        mine = measured[number]
        yield Figure(
            row=ROW,
            case=f"actions, a standby confirms, {number} interface process{'es' if number > 1 else ''}",
            value=per_s(number),
            unit="actions/s",
            beside=None if number == numbers[0] else Beside(name="one process", value=per_s(numbers[0])),
            note=f"{median([1e6 / one.cpu_us for one in mine]):,.0f} actions/CPU s of the interface, "
            f"p99 {median([one.latencies.p99_ms for one in mine]):.0f} ms",
        )


def _sizes(bench: Bench, primary: Postgres) -> Iterator[Figure]:
    """A log of whole games, which grows from size to size."""
    url = _database(primary, "sizes")
    smallest: dict[str, float] = {}
    wal, there = int(primary.value(_WAL)), 0
    for size in bench.pick([size for size in SIZES if size <= bench.events] or [bench.events], [bench.events], [300]):
        fill_up(url, size)
        grown = int(primary.value("SELECT position FROM codille.log", "sizes"))
        written = (int(primary.value(_WAL)) - wal) / (grown - there)
        heap, indexes, whole = (int(primary.value(f"SELECT {each}", "sizes")) for each in _BYTES)
        taken = {
            "on disk, events": heap / grown,
            "on disk, their indexes": indexes / grown,
            "on disk, all else": (whole - heap - indexes) / grown,
            "write-ahead log, hundreds of tables a command": written,
        }
        for kind, value in taken.items():
            yield Figure(
                row=ROW,
                case=f"{kind}, {grown:,} events",
                value=value,
                unit="bytes/event",
                note=f"{value * GOAL / 1e12:.2f} TB for {GOAL:,} events" if kind.startswith("on disk") else "",
            )
        cold, warm = _read(primary, url)
        smallest.setdefault("cold", median(cold))
        yield Figure(
            row=ROW,
            case=f"first read of a cold table, {grown:,} events",
            value=median(cold),
            unit="ms",
            beside=Beside(name="the smallest log", value=smallest["cold"]),
            note=f"the slowest of {len(cold)} {max(cold):.1f} ms, its second read {median(warm):.1f} ms",
        )
        wal, there = int(primary.value(_WAL)), grown


_BYTES = (
    "pg_table_size('codille.event')",
    "pg_indexes_size('codille.event')",
    "pg_database_size(current_database())",
)


_SOME = "SELECT id::text FROM codille.stream ORDER BY md5(id::text) LIMIT $1"


def _read(primary: Postgres, url: str) -> tuple[list[float], list[float]]:
    """Milliseconds to read all events of tables whose data is in no cache, and to read them once more."""
    primary.execute("CHECKPOINT")
    primary.kill()
    _forget(primary)
    primary.start()

    async def work() -> tuple[list[float], list[float]]:
        connection = await asyncpg.connect(url)
        tables = [table for (table,) in await connection.fetch(_SOME, READ)]
        await connection.close()
        async with Database(url, owner=True) as database:
            store = Store(database)
            await store.end()
            taken: list[list[float]] = [[], []]
            for kind in taken:
                for table in tables:
                    began = time.perf_counter()
                    await store.stream(table)
                    kind.append(1000 * (time.perf_counter() - began))
        return taken[0], taken[1]

    return asyncio.run(work())


def _forget(primary: Postgres) -> None:
    """Drops the data of a server that has ended from the system's cache."""
    for file in primary.data.glob("base/*/*"):
        opened = os.open(file, os.O_RDONLY)
        os.fsync(opened)
        os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(opened)
