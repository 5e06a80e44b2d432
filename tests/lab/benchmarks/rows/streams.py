"""Streams: how soon readers are told, what an event costs for each, and what a stream and a waiting read take."""

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from uuid import uuid4

import msgspec
import structlog
from msgspec import Struct

from domain.record.history import Reader
from domain.registry import GAMES
from projections.connection import connect
from service.cli.load_test import Connection, Latencies, latencies
from service.commands.cache import TableCache
from service.live.presence import EVERY_TABLE, Attendance
from service.observability.metrics import Metrics
from service.store.database import Database
from service.store.store import Store
from tests.lab.benchmarks.bench import Bench, environment, module, resident_bytes
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.games import Played
from tests.lab.benchmarks.interface import Floor, Service, bare, service
from tests.lab.benchmarks.reading import Reading

ROW = "streams"
PER_S = 200.0
"""Acts a second over many tables."""

HEADERS = {"Accept": "application/x-ndjson"}
SETTINGS = {
    "CODILLE_MAX_CONNECTIONS": "10000",
    "CODILLE_MAX_CONNECTIONS_PER_ADDRESS": "10000",
    "CODILLE_MAX_STREAMS_PER_PLAYER": "10000",
}
WAITED_S = 30
SETTLING_S = 0.5
"""Seconds in which reads have come to wait."""

FRAME = "x" * 300
"""With it, the bare server's frame is as long as a played card's."""


class Told(Struct, frozen=True):
    """What came of readers and acts."""

    acts: int
    frames: int
    latencies: Latencies
    """From the recorded time, before the commit, to the reader."""
    cpu_s: float
    """Of the process that serves, during the acts."""
    seconds: float
    kb: float
    """Of its memory, for each stream."""
    busy: float
    """How much of a core the client took."""

    @property
    def cpu_us(self) -> float:
        """CPU time for each event and reader, the acts' own included."""
        return 1e6 * self.cpu_s / self.frames

    @property
    def about(self) -> str:
        """What is to be known beside the figure."""
        return (
            f"p50 {self.latencies.p50_ms:.1f} ms, {self.frames:,} frames of {self.acts} acts, "
            f"{self.cpu_s / self.seconds:.0%} of a core; the client took {self.busy:.0%}"
        )


def measure(bench: Bench) -> Iterator[Figure]:
    """Everything in one process: many readers of one table, then of many tables; beside streams of the bare server."""
    many, tables = bench.pick((2_000, 500), (2_000, 500), (8, 4))
    floor = Floor(bench, per_connection=bench.pick(8, 8, 2), deals=3)
    games = [game for mine in floor.games for game in mine]
    first, others = games[0], games[1 : tables + 1]
    acts = bench.pick(20, 6, 2)
    database = floor.database()
    with service(bench, database, "one", more=SETTINGS) as running:
        if not bench.tiny:
            _read(bench, running, _watched(floor, running, games[-1:], 10, 5))
        one = _read(bench, running, _watched(floor, running, [first], many, acts))
        spread = _read(bench, running, _watched(floor, running, others, many, bench.pick(4_000, 1_000, 8)))
        waiting, looking = asyncio.run(_waiting(bench, running, floor, games[-2]))
    own = {path: _published(bench, path, many, acts) for path in ("/plain", "/stream")}
    marked = asyncio.run(_marked(bench.empty_redis(), database, many, bench.pick(20, 10, 2)))
    readers = f"{many:,} readers"
    yield Figure(
        row=ROW,
        case=f"{readers} of {tables:,} tables, {PER_S:.0f} acts a second, recorded to read, p99",
        value=spread.latencies.p99_ms,
        unit="ms",
        must=Bound(most=100, of_ratio=False),
        note=spread.about,
        details={"told": spread},
    )
    yield Figure(
        row=ROW,
        case=f"{readers} of one table, one act a second, recorded to read, p99",
        value=one.latencies.p99_ms,
        unit="ms",
        beside=Beside(name="Litestar's own stream", value=own["/stream"].latencies.p99_ms),
        note=one.about,
        details={"told": one},
    )
    yield Figure(
        row=ROW,
        case=f"{readers} of one table, an event for one of them",
        value=one.cpu_us,
        unit="µs of CPU",
        beside=Beside(name="Litestar's own stream", value=own["/stream"].cpu_us),
        note=f"without Litestar's stream {own['/plain'].cpu_us:.0f}; over {tables:,} tables {spread.cpu_us:.0f}",
    )
    yield Figure(
        row=ROW,
        case=f"memory, {many:,} streams of one table",
        value=one.kb,
        unit="KB a stream",
        beside=Beside(name="Litestar's own stream", value=own["/stream"].kb),
        must=Bound(most=20, of_ratio=False),
        note=f"without Litestar's stream {own['/plain'].kb:.1f}",
    )
    yield Figure(
        row=ROW,
        case="a read that waits for an event",
        value=waiting,
        unit="µs of CPU",
        beside=Beside(name="one that does not", value=looking),
    )
    yield Figure(
        row=ROW,
        case=f"presence, {many:,} players' marks in Redis, one made or renewed",
        value=marked,
        unit="µs of CPU",
        note="each is renewed every 20 s",
    )


def _watched(floor: Floor, running: Service, games: Sequence[Played], streams: int, acts: int) -> Reading:
    """Each table is read by its players and by the public in turn; acts go round the tables."""
    connection = Connection(running.url)
    requests: list[tuple[int, bytes]] = []
    for number in range(streams):
        table, who = number % len(games), number // len(games) % 4
        game = games[table]
        token = floor.token(game.players[who]) if who < len(game.players) else None
        path = f"/v1/tables/{game.records[0].table}/events/stream"
        requests.append((table, connection.encode("GET", path, token=token, headers=HEADERS)))
    playing = [floor.actions_of(connection, game) for game in games]
    going = [(number % len(games), next(playing[number % len(games)])) for number in range(acts)]
    return Reading(requests, going, PER_S if len(games) > 1 else 1.0)


def _published(bench: Bench, path: str, streams: int, acts: int) -> Told:
    """The bare server's streams of what is published."""
    with bare(bench) as running:
        connection = Connection(running.url)
        body = msgspec.json.encode({"text": FRAME})
        stream = (0, connection.encode("GET", path))
        act = (0, connection.encode("POST", "/published", body=body))
        if not bench.tiny:
            _read(bench, running, Reading([stream] * 10, [act] * 5, PER_S))
        return _read(bench, running, Reading([stream] * streams, [act] * acts, 1.0))


def _read(bench: Bench, running: Service, reading: Reading) -> Told:
    """Opens the streams, and acts. Raises RuntimeError if any reader is not told of all."""
    file = bench.work / f"reading-{uuid4().hex[:8]}"
    file.write_bytes(msgspec.msgpack.encode(reading))
    (process,) = running.processes
    before = resident_bytes(process)
    client = subprocess.Popen(
        module("reading", running.url, file),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert client.stdin is not None
    assert client.stdout is not None
    if not client.stdout.readline():
        raise RuntimeError("the streams do not open")
    taken = resident_bytes(process) - before
    cpu = running.cpu_s()
    client.stdin.write("go\n")
    client.stdin.flush()
    line = client.stdout.readline()
    cpu_s = running.cpu_s() - cpu
    client.communicate()
    told = json.loads(line or '{"never": "all"}')
    if told["never"] or not told["frames"]:
        raise RuntimeError(f"readers were not told: {told['never']}")
    return Told(
        acts=told["acts"],
        frames=told["frames"],
        latencies=latencies(told["delays_s"]),
        cpu_s=cpu_s,
        seconds=told["seconds"],
        kb=taken / len(reading.streams) / 1000,
        busy=told["busy"],
    )


async def _marked(redis_url: str, database: str, players: int, rounds: int) -> float:
    """Microseconds of CPU for a player's mark, made or renewed together with the others'."""
    redis, log = connect(redis_url), structlog.get_logger()
    async with Database(database, owner=True) as opened:
        tables = TableCache(Store(opened), Reader(GAMES))
        presence = Attendance(tables, log, Metrics(), redis, beat_s=WAITED_S)
        held = [(str(uuid4()), EVERY_TABLE) for _ in range(players)]
        for player, table in held:
            presence.enter(player, table)
        began = time.process_time()
        for _ in range(rounds):
            await presence._mark(held)
        cpu_s = time.process_time() - began
        await presence.close()
    await redis.aclose()
    return 1e6 * cpu_s / (rounds * players)


async def _waiting(bench: Bench, running: Service, floor: Floor, game: Played) -> tuple[float, float]:
    """Microseconds of CPU: of a read that waits for an act, with its part of that, and of one that does not wait."""
    path = f"/v1/tables/{game.records[0].table}"
    connections = [Connection(running.url, timeout_s=2 * WAITED_S) for _ in range(bench.pick(100, 100, 4))]
    acts = floor.actions_of(connections[0], game)
    acting, rounds = Connection(running.url), bench.pick(20, 10, 2)
    version, cost = game.started, {"waits": 0.0, "looks": 0.0}
    token = floor.token(game.players[0])
    for _ in range(rounds):
        asked = {
            "waits": f"{path}?after={version}&wait={WAITED_S}",
            "looks": path,
        }
        for kind, asked_path in asked.items():
            request = connections[0].encode("GET", asked_path, token=token)
            cpu = running.cpu_s()
            reads = [asyncio.ensure_future(connection.send(request)) for connection in connections]
            if kind == "waits":
                await asyncio.sleep(SETTLING_S)
                answered = await acting.send(next(acts))
                version = msgspec.json.decode(answered.body)["version"]
            if any(answer.status != 200 for answer in await asyncio.gather(*reads)):
                raise RuntimeError("a read was not answered")
            cost[kind] += running.cpu_s() - cpu
    for connection in (*connections, acting):
        connection.close()
    reads_made = rounds * len(connections)
    return 1e6 * cost["waits"] / reads_made, 1e6 * cost["looks"] / reads_made
