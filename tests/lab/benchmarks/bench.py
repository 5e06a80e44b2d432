"""What all rows work with: how long to measure, real servers with everything on disk, and games played beforehand."""

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import asyncpg
from redis.asyncio import Redis

import deploy
from deploy.embedded import PostgresUrls, postgres, valkey
from deploy.embedded.account import server_account
from deploy.embedded.binaries import postgres_programs
from service.store.migrate import migrate
from tests.lab.benchmarks.peers.installed import Peers

T = TypeVar("T")

ROOT = Path(deploy.__file__).parents[1]
"""The checkout whose code is measured. These files may be those of another (`pairs`)."""


class Bench:
    """One run of the benchmarks, with its servers, which start when they are first needed."""

    def __init__(self, work: Path, *, quick: bool, tiny: bool = False, events: int = 1_000_000) -> None:
        self.work = work
        """A directory of the run's own."""
        self.quick = quick
        self.tiny = tiny
        """As little as shows that everything works: for the tests."""
        self.events = events
        """Up to how many events the log is grown."""
        self.peers = Peers(ROOT / ".bench", use=not tiny)
        self._stack = ExitStack()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def pick(self, normal: T, quick: T, tiny: T) -> T:
        """The one for how this run measures."""
        return tiny if self.tiny else quick if self.quick else normal

    @property
    def seconds(self) -> float:
        """How long to measure one thing once."""
        return self.pick(6.0, 2.0, 0.2)

    @property
    def rounds(self) -> int:
        """How often to measure each thing."""
        return self.pick(3, 1, 1)

    @cached_property
    def postgres(self) -> PostgresUrls:
        """A Postgres that syncs what it commits."""
        return self._stack.enter_context(postgres(self.work / "servers"))

    @cached_property
    def redis(self) -> str:
        """The URL of a Valkey that keeps its append-only file."""
        return self._stack.enter_context(valkey(self.work / "servers"))

    def database(self, name: str, *, migrated: bool = False, template: str = "template0") -> str:
        """The owner's URL of a new database, a copy of the template."""
        named = f"{name}_{uuid4().hex[:8]}"
        url = urlsplit(self.postgres.owner)._replace(path=f"/{named}").geturl()
        self.execute(self.postgres.owner, f'CREATE DATABASE "{named}" TEMPLATE "{template}"')
        if migrated:
            asyncio.run(migrate(url))
        return url

    def as_service(self, url: str) -> str:
        """The URL of the same database for the service's role."""
        return urlsplit(url)._replace(netloc=urlsplit(self.postgres.service).netloc).geturl()

    def execute(self, url: str, *statements: str) -> None:
        """Runs statements as the owner, each by itself."""

        async def work() -> None:
            connection = await asyncpg.connect(url)
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        asyncio.run(work())

    def checkpoint(self) -> None:
        """Lets Postgres write out what is due, so that one measurement does not pay for the one before."""
        self.execute(self.postgres.owner, "CHECKPOINT")

    def empty_redis(self) -> str:
        """The URL of the Valkey, with no keys."""

        async def work() -> None:
            async with Redis.from_url(self.redis) as client:
                await client.flushall()

        asyncio.run(work())
        return self.redis

    @cached_property
    def postgres_program(self) -> Path:
        """The directory of Postgres' own programs."""
        return postgres_programs(server_account(self.work))

    @contextmanager
    def directory(self, name: str) -> Iterator[Path]:
        """A new directory of this name."""
        made = self.work / f"{name}-{uuid4().hex[:8]}"
        made.mkdir()
        yield made


def libpq(url: str) -> dict[str, str]:
    """The environment by which Postgres' own programs, and most drivers, connect to this database."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    return {
        "PGHOST": query["host"][0],
        "PGPORT": query["port"][0],
        "PGUSER": parts.username or "postgres",
        "PGPASSWORD": parts.password or "",
        "PGDATABASE": parts.path.removeprefix("/"),
    }


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's, without settings of the service."""
    given = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    return {"PYTHONPATH": str(ROOT)} | given | dict(more or {})


def module(name: str, *arguments: object) -> list[str]:
    """The command that runs a module of the benchmarks in a process of its own."""
    return [sys.executable, "-m", f"tests.lab.benchmarks.{name}", *map(str, arguments)]


def alternating(rounds: int, contestants: Mapping[str, Callable[[], T]]) -> dict[str, list[T]]:
    """What each contestant measured in each round. They take turns, so other load on the machine affects all alike."""
    measured: dict[str, list[T]] = {name: [] for name in contestants}
    for number in range(rounds):
        order = list(contestants)
        for name in order if number % 2 == 0 else reversed(order):
            measured[name].append(contestants[name]())
    return measured


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def rate_of_core(work: Callable[[], int], seconds: float) -> float:
    """How many things the work does in a second of CPU time; warmed up first. Others at work here do not change it."""
    work()
    began, done = time.process_time(), 0
    while (taken := time.process_time() - began) < seconds:
        done += work()
    return done / taken


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    """The memory that a process has in use."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
