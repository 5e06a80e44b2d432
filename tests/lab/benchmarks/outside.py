"""Another checkout's service, known by its command and its interface alone: every commit since 70ad555 has both.

The files of this checkout measure it, with this checkout's Python, whatever the other one's code looks like inside.
"""

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from service.cli.load_test import Connection, ConnectionLost
from tests.lab.benchmarks.bench import Bench, environment
from tests.lab.benchmarks.interface import CONNECTIONS, Driven, Service, drive
from tests.lab.benchmarks.rows.start import started
from tests.support.picking import Temper, pick, repeatable

TEMPER = Temper({"concede": 0.02, "talk": 0.0, "pass": 3.0, "offer-priority": 0.2})
SEATS = 3
PATIENCE_S = 120.0

ALONE: Mapping[str, str] = {"PYTHONPATH": "", "PYTHONHASHSEED": "0"}
"""The other checkout's Python finds its own code alone, and does the same in every run."""

Request: TypeAlias = tuple[str, str, str, Any]
"""A method, a path, a token, and a body or None."""


class Checkout:
    """A checkout that is set up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.codille = str(self.folder / ".venv" / "bin" / "codille")

    def run(self, *arguments: str, wrapper: Sequence[str] = (), more: Mapping[str, str] = ALONE) -> str:
        """What a command prints. Raises CalledProcessError."""
        command = [*wrapper, *self._command, *arguments]
        environ = environment({**ALONE, **more})
        done = subprocess.run(command, cwd=self.folder, env=environ, capture_output=True, text=True, check=True)
        return done.stdout + done.stderr

    @contextmanager
    def service(self, bench: Bench, database: str, wrapper: Sequence[str] = ()) -> Iterator[Service]:
        """One process for the interface, which a wrapper may run, and another for the projections."""
        with bench.directory("outside") as data, ExitStack() as stack:
            settings = {
                **ALONE,
                **_of(bench, database),
                "CODILLE_REDIS_URL": bench.empty_redis(),
                "CODILLE_RATE_LIMIT": "off",
                "CODILLE_SIGNING_KEY": "5a" * 32,
                "CODILLE_DATA_DIR": str(data),
                "CODILLE_PORT": "0",
            }
            for role, before in (("projector", ()), ("api", wrapper)):
                log = stack.enter_context((data / f"{role}.log").open("wb"))
                process = subprocess.Popen(
                    [*before, *self._command, "serve", "--role", role],
                    cwd=self.folder,
                    env=environment(settings),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
                stack.callback(process.wait, PATIENCE_S)
                stack.callback(process.terminate)
            # The interface is started last.
            yield Service(asyncio.run(_ready(data, process)), (process.pid,))

    @property
    def _command(self) -> Sequence[str]:
        """The command, run by the environment's Python itself, so that a wrapper sees no shell."""
        return (str(self.folder / ".venv" / "bin" / "python"), self.codille)


def _of(bench: Bench, database: str) -> dict[str, str]:
    """The settings by which a service uses a database."""
    return {"CODILLE_DATABASE_URL": bench.as_service(database), "CODILLE_DATABASE_OWNER_URL": database}


async def _ready(data: Path, process: "subprocess.Popen[bytes]") -> str:
    """The service's URL, once it says that it is ready."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            url: str = json.loads((data / "service.json").read_text())["url"]
            async with Connection(url, timeout_s=PATIENCE_S) as connection:
                if (await connection.request("GET", "/health/ready")).status == 200:
                    return url
        except (OSError, ValueError, ConnectionLost):
            pass
        await asyncio.sleep(0.05)
    raise RuntimeError(f"the service does not get ready:\n{(data / 'api.log').read_text()[-2000:]}")


class Table(Struct):
    """A table whose game is played, and every act in its turn."""

    path: str
    tokens: Sequence[str]
    events: int = 0
    acts: list[Request] = []


class Floor:
    """Tables of a checkout's own service, as they stood before the first act, and how their games went on.

    What a deal comes to follows from what was recorded when its table was opened. So the acts that were taken once are
    taken again in any copy of the database.
    """

    def __init__(self, bench: Bench, checkout: Checkout, deals: Sequence[int], tables: int) -> None:
        """So many tables for each connection, whose games have so many deals."""
        self._bench = bench
        self._begun = bench.database("begun")
        checkout.run("migrate", more=_of(bench, self._begun))
        with checkout.service(bench, self._begun) as running:
            self.tables = asyncio.run(_together(_opened, running.url, deals, tables))
        self.played = self.begun()
        """A database in which every game is over."""
        with checkout.service(bench, self.played) as running:
            asyncio.run(_together(_play, running.url, self.tables))

    def begun(self) -> str:
        """A new database in which every game is about to begin."""
        return self._bench.database("floor", template=urlsplit(self._begun).path[1:])

    def acts(self) -> list[list[Request]]:
        """All acts, by connection."""
        return [[act for table in mine for act in table.acts] for mine in self.tables]

    def halfway(self, url: str) -> list[list[Request]]:
        """Plays half of each game, and waits until views show it; looks of all players at all tables, by connection."""
        asyncio.run(_together(_play_half, url, self.tables))
        return [[("GET", table.path, token, None) for table in mine for token in table.tokens] for mine in self.tables]

    def records(self, url: str) -> list[tuple[bytes, int]]:
        """The exported record of each game that is over, and the number of its events."""
        exported = asyncio.run(_together(_exported, url, self.tables))
        return [record for mine in exported for record in mine]


async def _exported(connection: Connection, tables: Sequence[Table]) -> list[tuple[bytes, int]]:
    looks = [("GET", f"{table.path}/export", table.tokens[0], None) for table in tables]
    return [(await _answered(connection, look, "*/*"), table.events) for look, table in zip(looks, tables, strict=True)]


async def _together(work: Any, url: str, groups: Sequence[Any], *more: Any) -> list[Any]:
    """What the work comes to with each group, over a connection for each."""

    async def one(group: Any) -> Any:
        async with Connection(url, timeout_s=PATIENCE_S) as connection:
            return await work(connection, group, *more)

    return await asyncio.gather(*map(one, groups))


async def _opened(connection: Connection, deals: int, tables: int) -> list[Table]:
    """New players, and so many tables at which they sit."""
    register = ("POST", "/v1/players", "", {"name": "bench"})
    tokens = [str((await _sent(connection, register))["token"]) for _ in range(SEATS)]
    made = []
    for _ in range(tables):
        opened = await _sent(connection, ("POST", "/v1/tables", tokens[0], {"game": "crocodile", "deals": deals}))
        table = Table(f"/v1/tables/{opened['table']}", tokens)
        for token in tokens:
            await _sent(connection, ("POST", f"{table.path}/seats", token, {}))
        made.append(table)
    return made


async def _play(connection: Connection, tables: Sequence[Table]) -> None:
    """Plays the games to their end, by what is offered, and keeps the acts."""
    for table in tables:
        rng, look = repeatable(1), ("GET", f"{table.path}/offers", table.tokens[0], None)
        to_act = (await _sent(connection, look))["to_act"]
        while to_act:
            token = table.tokens[to_act[0]]
            offers = (await _sent(connection, ("GET", f"{table.path}/offers", token, None)))["offers"]
            act = ("POST", f"{table.path}/actions", token, pick(offers, rng, TEMPER))
            answer = await _sent(connection, act)
            table.acts.append(act)
            table.events, to_act = answer["version"], answer["to_act"]


async def _play_half(connection: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        version = 0
        for act in table.acts[: len(table.acts) // 2]:
            version = (await _sent(connection, act))["version"]
        for token in table.tokens:
            await _sent(connection, ("GET", f"{table.path}?min_version={version}", token, None))


async def _sent(connection: Connection, request: Request) -> Any:
    return json.loads(await _answered(connection, request))


async def _answered(connection: Connection, request: Request, accept: str = "application/json") -> bytes:
    answer = await connection.send(encoded(connection, request).replace(b"application/json", accept.encode(), 1))
    if answer.status not in (200, 201):
        raise RuntimeError(f"{request[:2]} was answered with {answer.status}: {answer.body[:300]!r}")
    return answer.body


def encoded(connection: Connection, request: Request) -> bytes:
    """The bytes of the request."""
    method, path, token, body = request
    return connection.encode(
        method, path, token=token or None, body=None if body is None else json.dumps(body).encode()
    )


def lists(url: str, requests: Sequence[Sequence[Request]]) -> list[list[bytes]]:
    """The bytes of the requests to this address."""
    return [[encoded(Connection(url), request) for request in mine] for mine in requests]


def action(bench: Bench, checkout: Checkout) -> dict[str, tuple[float, str]]:
    """Acts of many games, sent as fast as they are answered: by case, the figure and its unit."""
    floor = Floor(bench, checkout, (3,) * bench.pick(CONNECTIONS, CONNECTIONS, 4), tables=2)
    with checkout.service(bench, floor.begun()) as running:
        return _shown(drive(bench, running, lists(running.url, floor.acts())))


def view(bench: Bench, checkout: Checkout) -> dict[str, tuple[float, str]]:
    """The same of looks at tables half-way through their games."""
    floor = Floor(bench, checkout, (3,) * bench.pick(CONNECTIONS, CONNECTIONS, 4), tables=1)
    with checkout.service(bench, floor.begun()) as running:
        return _shown(drive(bench, running, lists(running.url, floor.halfway(running.url)), again=True))


def _shown(driven: Driven) -> dict[str, tuple[float, str]]:
    return {"by the clock": (driven.per_s, "/s"), "by CPU time": (driven.cpu_us, "µs of CPU")}


def start(bench: Bench, checkout: Checkout) -> dict[str, tuple[float, str]]:
    """From `make run` to the first answer, without data and with."""
    with bench.directory("start") as directory:
        return {case: (started(checkout.folder, directory / "data"), "s") for case in ("cold", "warm")}
