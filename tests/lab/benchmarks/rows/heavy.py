"""Heavy reads: what they cost, and what other readers notice of a client that asks for nothing else."""

import asyncio
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import cycle
from uuid import uuid4

import msgspec
import psutil

from service.cli.load_test import Connection
from service.cli.load_test.play import percentile
from tests.lab.benchmarks import games
from tests.lab.benchmarks.bench import Bench, cpu_seconds, environment, module
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.interface import Floor, Service, service
from tests.support.filling import fixed_id

ROW = "heavy reads"
LIMITED = {"CODILLE_RATE_LIMIT": "60000", "CODILLE_TRUSTED_PROXIES": "127.0.0.1"}
"""Limits as they are by default. Clients name their addresses, as behind a proxy."""

CONNECTIONS = 8
JSON = b"application/json"
EVERY_S = 0.01
"""How often the other reader looks at a table."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Reads of long games that are over, each for the first time and again; then another reader's views meanwhile."""
    deals = bench.pick(99, 99, 3)
    people = [[fixed_id(f"{table} {seat}") for seat in range(3)] for table in range(bench.pick(6, 2, 1))]
    long_games = games.many(people, deals)
    floor = Floor(bench, per_connection=1)
    database = floor.database(halfway=True)
    asyncio.run(games.lay(database, long_games, [len(game.records) for game in long_games]))
    paths = [reads(game.records[0].table, game.records[-1].version, deals) for game in long_games]
    with service(bench, database, "apart", more=LIMITED | {"CODILLE_RATE_LIMIT": "off"}) as running:
        # What starts with the first of them is not counted.
        _cost(running, paths[-1]["a replay"])
        for name, path in paths[0].items():
            made = _cost(running, path)
            kept = _cost(running, path, bench.pick(50, 20, 1))
            yield Figure(row=ROW, case=name, value=kept, unit="CPU ms, kept", beside=Beside(name="made", value=made))
    with service(bench, database, "apart", more=LIMITED) as running:
        looks = [request for mine in floor.views(running.url) for request in mine]
        alone = asyncio.run(_p95(running.url, looks, bench.seconds))
        wanted = [
            path for game in long_games for path in everything(game.records[0].table, game.records[-1].version, deals)
        ]
        with _greedy(bench, running, wanted):
            beside = asyncio.run(_p95(running.url, looks, bench.seconds))
    yield Figure(
        row=ROW,
        case=f"p95 of a view, while {CONNECTIONS} connections want heavy reads",
        value=beside,
        unit="ms",
        beside=Beside(name="without them", value=alone),
        must=Bound(most=2),
    )


def reads(table: str, version: int, deals: int) -> dict[str, str]:
    """The paths of a table's heavy reads."""
    return {
        "an export": f"/v1/tables/{table}/export",
        "an audit": f"/v1/tables/{table}/deals/{deals}/audit",
        "a replay": f"/v1/tables/{table}/replay/{version}",
        "a range of a replay": f"/v1/tables/{table}/replay?from={max(1, version - 99)}&to={version}",
    }


def everything(table: str, version: int, deals: int) -> list[str]:
    """The paths of all heavy reads of a table, nearly each of which has to be made."""
    ranges = [
        f"/v1/tables/{table}/replay?from={first}&to={min(first + 99, version)}" for first in range(1, version, 10)
    ]
    audits = [f"/v1/tables/{table}/deals/{deal}/audit" for deal in range(1, deals + 1)]
    # Much beside little, in an order that is the same each time.
    return sorted([f"/v1/tables/{table}/export", *audits, *ranges], key=lambda path: sha256(path.encode()).digest())


def _cost(running: Service, path: str, times: int = 1) -> float:
    """The CPU time in ms that a read takes, of several the mean, of the processes that serve it."""

    async def read() -> None:
        async with Connection(running.url, timeout_s=60) as connection:
            answered = await connection.send(connection.encode("GET", path).replace(JSON, b"*/*"))
            if answered.status != 200:
                raise RuntimeError(f"{path} was answered with {answered.status}")

    before = _cpu_s(running)
    for _ in range(times):
        asyncio.run(read())
    return 1000 * (_cpu_s(running) - before) / times


def _cpu_s(running: Service) -> float:
    """Of the processes that serve the interface, and of those that compute for them."""
    children = (child for process in running.processes for child in psutil.Process(process).children())
    return running.cpu_s() + sum(cpu_seconds(child.pid) for child in children)


async def _p95(url: str, looks: Sequence[bytes], seconds: float) -> float:
    """The 95th percentile in ms of views that one client looks at in even steps."""
    times: list[float] = []
    async with Connection(url, timeout_s=60) as connection:
        ends = time.perf_counter() + seconds
        for look in cycle(_from("198.51.100.1", looks)):
            began = time.perf_counter()
            if began >= ends and times:
                break
            answered = await connection.send(look)
            if answered.status != 200:
                raise RuntimeError(f"a view was answered with {answered.status}")
            taken = time.perf_counter() - began
            times.append(taken)
            await asyncio.sleep(max(0.0, EVERY_S - taken))
    return 1000 * percentile(sorted(times), 95)


def _from(address: str, requests: Sequence[bytes]) -> list[bytes]:
    """The requests as a proxy passes them on for a client of this address."""
    return [request.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: %b\r\n\r\n" % address.encode()) for request in requests]


@contextmanager
def _greedy(bench: Bench, running: Service, paths: Sequence[str]) -> Iterator[None]:
    """Meanwhile a client of one address asks for these paths over several connections, as fast as they are answered."""
    wanted = _from("203.0.113.9", [Connection(running.url).encode("GET", path) for path in paths])
    # Each connection begins at another place.
    lists = [wanted[number:] + wanted[:number] for number in range(CONNECTIONS)]
    file = bench.work / f"requests-{uuid4().hex[:8]}"
    file.write_bytes(msgspec.msgpack.encode([[request.replace(JSON, b"*/*") for request in mine] for mine in lists]))
    command = module("driving", running.url, file, 0, 3600, "again")
    client = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE)
    try:
        assert client.stdout is not None
        client.stdout.readline()
        yield
    finally:
        client.kill()
        client.wait()
        client.stdout.close()
        file.unlink()
