"""The service under load over HTTP, and the bare server it is measured beside."""

import asyncio
import itertools
import json
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias
from uuid import uuid4

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from service.auth.scopes import REGISTERED
from service.auth.secrets import mint_token
from service.cli.load_test import Connection, Latencies, latencies
from service.store.accounts import Accounts, HashedToken
from service.store.database import Database
from service.store.store import Store
from tests.lab.benchmarks import games
from tests.lab.benchmarks.bench import Bench, cpu_seconds, environment, median, module
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.games import Played
from tests.lab.benchmarks.lagging import projected
from tests.support.filling import fixed_id
from tests.support.service import CODILLE, of_role, running

CONNECTIONS = 64
GOOD = ("200", "201")
PATIENCE_S = 3600.0
"""How long building read models may take, of the largest log."""

Shape: TypeAlias = Literal["one", "apart"] | int
"""Everything in one process; one process for the interface and one for the projections; or several and one."""


_people = itertools.count()


class Person(Struct, frozen=True):
    """A player and its token."""

    player: str
    secret: str
    token: HashedToken


class Driven(Struct, frozen=True):
    """What came of a load over HTTP."""

    per_s: float
    requests: int
    latencies: Latencies
    cpu_us: float
    """CPU time of the processes that serve the interface, by request."""
    client_busy: float
    """How much of a core the client took; near 1, it is the client that was measured."""


class Floor:
    """Players, and whole games between them: laid into any new database, they can be played on there."""

    def __init__(self, bench: Bench, *, per_connection: int, deals: int | None = None) -> None:
        self._bench = bench
        connections = bench.pick(CONNECTIONS, CONNECTIONS, 4)
        seats = games.GAME.course.seats(games.GAME.options())
        self._people = [[self._person() for _ in range(seats)] for _ in range(connections)]
        self._secrets = {person.player: person.secret for group in self._people for person in group}
        groups = [[person.player for person in group] for group in self._people]
        self.games: list[list[Played]] = [[] for _ in groups]
        for number, game in enumerate(games.many(groups * per_connection, deals)):
            self.games[number % connections].append(game)

    @staticmethod
    def _person() -> Person:
        secret, token = mint_token(REGISTERED)
        return Person(fixed_id(f"person {next(_people)}"), secret, token)

    def database(self, *, halfway: bool = False) -> str:
        """The owner's URL of a new database with all the games, begun, or half played."""
        url = self._bench.database("floor", migrated=True)
        self.lay(url, halfway=halfway)
        return url

    def lay(self, url: str, *, halfway: bool = False) -> None:
        """Adds the players and the games to a database."""
        laid = [game for mine in self.games for game in mine]
        upto = [game.actions[len(game.actions) // 2][2] if halfway else game.started for game in laid]

        async def work() -> None:
            async with Database(url, owner=True) as database:
                accounts = Accounts(database)
                for person in (person for group in self._people for person in group):
                    await accounts.register(person.player, "bench", person.token, datetime.now(UTC))
            await games.lay(url, laid, upto)

        asyncio.run(work())

    def actions(self, url: str) -> list[list[bytes]]:
        """All actions of all games, as requests, by connection."""
        return [[request for game in mine for request in self.actions_of(Connection(url), game)] for mine in self.games]

    def token(self, player: str) -> str:
        """The player's."""
        return self._secrets[player]

    def actions_of(self, connection: Connection, game: Played) -> Iterator[bytes]:
        """All actions of a game, as requests."""
        path = f"/v1/tables/{game.records[0].table}/actions"
        for seat, action, _ in game.actions:
            token = self._secrets[game.players[seat]]
            yield connection.encode("POST", path, token=token, body=msgspec.json.encode(action))

    def views(self, url: str) -> list[list[bytes]]:
        """For each connection, a look at each of its tables by each of its players."""
        return [
            [
                Connection(url).encode(
                    "GET", f"/v1/tables/{game.records[0].table}", token=self._secrets[game.players[seat]]
                )
                for game in mine
                for seat in range(len(game.players))
            ]
            for mine in self.games
        ]


class Service(Struct, frozen=True):
    """A running service, and the processes that serve its interface."""

    url: str
    processes: Sequence[int]

    def cpu_s(self) -> float:
        """The CPU time that they have used."""
        return sum(map(cpu_seconds, self.processes))


@contextmanager
def service(
    bench: Bench,
    database: str,
    shape: Shape,
    *,
    redis_url: str | None = None,
    more: Mapping[str, str] | None = None,
) -> Iterator[Service]:
    """The service over this database, and this Redis or one that is emptied; `more` are settings beside these."""
    settings = {
        "CODILLE_DATABASE_URL": bench.as_service(database),
        "CODILLE_DATABASE_OWNER_URL": database,
        "CODILLE_REDIS_URL": redis_url or bench.empty_redis(),
        "CODILLE_RATE_LIMIT": "off",
        "CODILLE_SIGNING_KEY": "5a" * 32,
        **(more or {}),
    }
    redis = settings["CODILLE_REDIS_URL"]
    with ExitStack() as stack:
        directory = stack.enter_context(bench.directory("service")) / "data"
        needed: list[subprocess.Popen[bytes]] = []
        if shape in ("one", 1):
            started = stack.enter_context(running(directory, settings=settings))
            processes: Sequence[int] = (started.process.pid,)
        elif shape == "apart":
            started = stack.enter_context(running(directory, settings=settings | {"CODILLE_ROLE": "api"}))
            needed.append(stack.enter_context(_projector(directory, settings)))
            processes = (started.process.pid,)
        else:
            started = stack.enter_context(running(directory, "--workers", str(shape), settings=settings))
            processes = of_role(started, "api")
        asyncio.run(_caught_up(database, redis, [started.process, *needed]))
        yield Service(started.url, processes)


async def _caught_up(database: str, redis_url: str, needed: Sequence[subprocess.Popen[bytes]]) -> None:
    """Returns when the read models have the whole log. Raises RuntimeError if a process ends that is needed for it."""
    async with Database(database, owner=True) as opened, Redis.from_url(redis_url) as redis:
        end = await Store(opened).end()
        deadline = time.monotonic() + PATIENCE_S
        while await projected(redis) < end:
            if time.monotonic() > deadline or any(process.poll() is not None for process in needed):
                raise RuntimeError("the read models do not catch up")
            await asyncio.sleep(0.1)


@contextmanager
def _projector(directory: Path, settings: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with (directory / "projector.log").open("wb") as log:
        process = subprocess.Popen(
            [CODILLE, "serve", "--role", "projector"],
            env=environment({**settings, "CODILLE_DATA_DIR": str(directory), "CODILLE_PORT": "0"}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def bare(bench: Bench, body: bytes = b"{}") -> Iterator[Service]:
    """The bare server, which answers a GET with this body."""
    file = bench.work / f"body-{uuid4().hex[:8]}"
    file.write_bytes(body)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            module("bare", listener.fileno(), file), env=environment(), pass_fds=(listener.fileno(),)
        )
        url = f"http://127.0.0.1:{port}"
        try:
            # It listens before it is there to answer.
            asyncio.run(_answers(url))
            yield Service(url, (process.pid,))
        finally:
            process.terminate()
            process.wait(30)


async def _answers(url: str) -> None:
    async with Connection(url, timeout_s=60) as connection:
        await connection.request("GET", "/")


def measured_by(command: Sequence[str], target: Service) -> tuple[Any, float]:
    """What a client says that this command runs, and the processes' CPU time since it had warmed up.

    Raises RuntimeError if it says nothing.
    """
    client = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True)
    assert client.stdout is not None
    client.stdout.readline()
    before = target.cpu_s()
    line = client.stdout.readline()
    cpu_s = target.cpu_s() - before
    client.wait()
    if not line:
        raise RuntimeError("the client failed")
    return json.loads(line), cpu_s


def drive(
    bench: Bench, target: Service, lists: Sequence[Sequence[bytes]], *, again: bool = False, warm: bool = True
) -> Driven:
    """Sends these requests, and takes the processes' CPU time meanwhile, after a while if `warm`.

    Raises RuntimeError if any is not answered.
    """
    file = bench.work / f"requests-{uuid4().hex[:8]}"
    file.write_bytes(msgspec.msgpack.encode(lists))
    warm_s = bench.pick(2.0, 0.7, 0.0) if warm else 0.0
    command = module("driving", target.url, file, warm_s, bench.seconds, *(["again"] if again else []))
    measured, cpu_s = measured_by(command, target)
    file.unlink()
    wrong = {status: count for status, count in measured["statuses"].items() if status not in GOOD}
    if wrong or not measured["requests"]:
        raise RuntimeError(f"requests were answered with {wrong}")
    return Driven(
        per_s=measured["requests"] / measured["seconds"],
        requests=measured["requests"],
        latencies=latencies(measured["latencies_s"]),
        cpu_us=1e6 * cpu_s / measured["requests"],
        client_busy=measured["busy"],
    )


def beside_bare(
    row: str, case: str, what: str, measured: Sequence[Driven], limit: Sequence[Driven], *, must: Bound, aim: Bound
) -> Iterator[Figure]:
    """Two lines: by the clock, and by the CPU time of the processes, which others on the machine do not change."""
    fastest = max(limit, key=lambda one: one.per_s)
    client = max(one.client_busy for one in (*measured, *limit))
    name = "bare Litestar"
    yield Figure(
        row=row,
        case=case,
        value=median([one.per_s for one in measured]),
        unit=f"{what}/s",
        beside=Beside(name=name, value=median([one.per_s for one in limit])),
        must=must,
        aim=aim,
        note=f"p99 {median([one.latencies.p99_ms for one in measured]):.1f} ms, there "
        f"{fastest.latencies.p99_ms:.1f} ms; the client took {client:.0%} of a core",
        details={"rounds": measured, "beside": limit},
    )
    yield Figure(
        row=row,
        case=f"{case}, by CPU time",
        value=median([1e6 / one.cpu_us for one in measured]),
        unit=f"{what}/CPU s",
        beside=Beside(name=name, value=median([1e6 / one.cpu_us for one in limit])),
    )
