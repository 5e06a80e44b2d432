"""What things cost as the log grows: append, action, replay, leaderboard; beside the same on the smallest log."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import asyncpg
import uvloop
from msgspec import Struct

from deploy.embedded import valkey
from domain.record.recorded import GENESIS
from service.cli.load_test import Connection
from service.store.database import Database
from service.store.store import Append, Appended, Store
from service.store.writer import Writer
from tests.lab.benchmarks.bench import Bench, alternating, median
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.interface import CONNECTIONS, Driven, Floor, Service, drive, service
from tests.lab.benchmarks.peers.codille import chained
from tests.support.filling import fill_up

ROW = "cost growth"
FLAT = 0.8
"""Flat within noise: no more than a fifth less than on the smallest log."""

APPENDS = 40
"""By each client in one measurement: few, so that the smallest log stays small."""

TABLES, LOOKS = 50, 6_000
"""So many tables are looked at in replays, and so many of their versions, which are some 130 each."""


class Grown(Struct, frozen=True):
    """A log of so many events, a service over it whose read models are up to date, and tables to look at there."""

    events: int
    database: str
    service: Service
    floors: list[Floor]
    finished: list[tuple[str, int]]
    """Some tables that are played to their end, and the version that they ended at."""
    unseen: list[tuple[str, int]]
    """Versions of these tables, in any order. Each is looked at once, since the service keeps what it has shown."""


def measure(bench: Bench) -> Iterator[Figure]:
    """All sizes are there at once, so that what else happens on the machine happens to all of them."""
    sizes = bench.pick([10**power for power in range(4, 8) if 10**power <= bench.events], [10_000, bench.events], [300])
    with ExitStack() as stack:
        logs = [_grown(bench, stack, size) for size in sizes]
        kinds: dict[str, tuple[str, Callable[[Grown], float]]] = {
            "append": ("events/s", _append),
            "action over HTTP": ("actions/CPU s", lambda log: _per_cpu_s(_acted(bench, log))),
            "replay of a version": ("requests/CPU s", lambda log: _per_cpu_s(_replayed(bench, log))),
            "leaderboard": ("requests/CPU s", lambda log: _per_cpu_s(_leaderboard(bench, log))),
        }
        for kind, (unit, work) in kinds.items():
            measured = alternating(
                bench.rounds,
                {str(log.events): lambda log=log, work=work: work(log) for log in logs},  # type: ignore[misc]
            )
            smallest = median(measured[str(logs[0].events)])
            for log in logs:
                first = log is logs[0]
                yield Figure(
                    row=ROW,
                    case=f"{kind}, {log.events:,} events",
                    value=median(measured[str(log.events)]),
                    unit=unit,
                    beside=None if first else Beside(name=f"{logs[0].events:,} events", value=smallest),
                    must=None if first else Bound(least=FLAT),
                )


def _grown(bench: Bench, stack: ExitStack, events: int) -> Grown:
    """A log of its own, with a service and a Valkey of its own."""
    floors = [Floor(bench, per_connection=bench.pick(3, 3, 1)) for _ in range(bench.rounds)]
    database = bench.database("grown", migrated=True)
    for floor in floors:
        floor.lay(database)
    fill_up(database, events)
    redis = stack.enter_context(valkey(bench.work / f"grown-{events}"))
    running = stack.enter_context(service(bench, database, "apart", redis_url=redis))
    rng, finished = random.Random(1), asyncio.run(_finished(database))  # noqa: S311 (nothing secret hangs on it)
    finished = rng.sample(finished, min(TABLES, len(finished)))
    unseen = [(table, version) for table, last in finished for version in range(1, last + 1)]
    rng.shuffle(unseen)
    return Grown(events, database, running, floors, finished, unseen)


async def _finished(database: str) -> list[tuple[str, int]]:
    connection = await asyncpg.connect(database)
    rows = await connection.fetch(
        "SELECT table_id::text, version FROM codille.event WHERE type = 'game-finished' ORDER BY table_id LIMIT 2000"
    )
    await connection.close()
    return [(table, version) for table, version in rows]


def _append(log: Grown) -> float:
    """One event a command, by 64 clients."""

    async def work() -> float:
        streams = [chained(APPENDS + 1) for _ in range(CONNECTIONS)]
        async with Database(log.database, owner=True) as database:
            writer = Writer(Store(database))
            await asyncio.gather(
                *(writer.submit(Append(stream[0].table, 0, GENESIS, (stream[0],))) for stream in streams)
            )
            began = time.perf_counter()

            async def client(number: int) -> None:
                stream = streams[number]
                for event, after in zip(stream[1:], stream, strict=False):
                    outcome = await writer.submit(Append(event.table, after.version, after.hash, (event,)))
                    if not isinstance(outcome, Appended):
                        raise TypeError(f"it was not appended: {outcome}")

            await asyncio.gather(*map(client, range(CONNECTIONS)))
            taken = time.perf_counter() - began
            await writer.close()
        return CONNECTIONS * APPENDS / taken

    return uvloop.run(work())


def _acted(bench: Bench, log: Grown) -> Driven:
    """Actions at tables that nobody has played at yet."""
    return drive(bench, log.service, log.floors.pop().actions(log.service.url))


def _replayed(bench: Bench, log: Grown) -> Driven:
    """Views at any version of a few finished tables, which the service knows by then; as many on each log."""
    connection = Connection(log.service.url)

    def request(table: str, version: int) -> bytes:
        return connection.encode("GET", f"/v1/tables/{table}/replay/{version}?as=public")

    async def look_once() -> None:
        for table, last in log.finished:
            await connection.send(request(table, last))
        connection.close()

    asyncio.run(look_once())
    looks = bench.pick(LOOKS // bench.rounds, LOOKS, 40)
    taken, log.unseen[:] = log.unseen[:looks], log.unseen[looks:]
    connections = bench.pick(CONNECTIONS, CONNECTIONS, 4)
    lists = [[request(*one) for one in taken[first::connections]] for first in range(connections)]
    return drive(bench, log.service, lists, warm=False)


def _leaderboard(bench: Bench, log: Grown) -> Driven:
    """The first page."""
    request = Connection(log.service.url).encode("GET", "/v1/leaderboard?game=crocodile")
    return drive(bench, log.service, [[request]] * bench.pick(CONNECTIONS, CONNECTIONS, 4), again=True)


def _per_cpu_s(driven: Driven) -> float:
    return 1e6 / driven.cpu_us
