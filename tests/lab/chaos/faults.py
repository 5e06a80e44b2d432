"""What can go wrong: each fault strikes, and is healed some acts later.

A fault is an asynchronous context manager over the world: it has struck when it is entered, and is healed when it is
left. What heals of itself, as a process that the service starts again, has nothing to do then. Where there is nothing
to strike, entering raises Missed.
"""

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import asyncpg
from redis.asyncio import Redis

from tests.lab.chaos.links import Link
from tests.lab.chaos.world import Fault, World
from tests.lab.chaos.wrapped import POINTS
from tests.support.service import computing, of_role

APART_S = 2.0
"""The most seconds by which a clock is wrong."""
ROLES = ("api", "projector", "webhooks", "bots")
"""The roles of processes that a service starts."""


POOL = "pool"
"""Processes that compute what takes long, started by others."""


class Missed(Exception):
    """There was nothing to strike, as when a process is to be killed and its service does not run."""


def one_of(world: World, rng: random.Random, role: str) -> int:
    """A process of this role of one service. Raises Missed."""
    door = rng.choice(world.doors)
    found = () if not door.runs else computing(door.service) if role == POOL else of_role(door.service, role)
    if not found:
        raise Missed
    return rng.choice(found)


def sent(process: int, number: signal.Signals) -> None:
    """Sends a signal. Raises Missed if the process has ended."""
    try:
        os.kill(process, number)
    except ProcessLookupError as error:
        raise Missed from error


def killed(role: str) -> Fault:
    """A process of this role is killed; the service starts another."""

    @asynccontextmanager
    async def strike(world: World, rng: random.Random) -> AsyncIterator[None]:
        sent(one_of(world, rng, role), signal.SIGKILL)
        yield

    return strike


def stopped(role: str) -> Fault:
    """A process of this role stands still, and goes on."""

    @asynccontextmanager
    async def strike(world: World, rng: random.Random) -> AsyncIterator[None]:
        process = one_of(world, rng, role)
        sent(process, signal.SIGSTOP)
        try:
            yield
        finally:
            with suppress(Missed):
                sent(process, signal.SIGCONT)

    return strike


@asynccontextmanager
async def service_killed(world: World, rng: random.Random) -> AsyncIterator[None]:
    """A whole service is killed and started again."""
    door = rng.choice(world.doors)
    await asyncio.to_thread(door.kill)
    try:
        yield
    finally:
        await asyncio.to_thread(door.start)


@asynccontextmanager
async def rolling_restart(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Every service ends in order and is started again, one after the other."""
    for door in world.doors:
        await asyncio.to_thread(door.stop)
        await asyncio.to_thread(door.start)
    yield


@asynccontextmanager
async def postgres_killed(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Postgres crashes with all its processes, and recovers when it is started."""
    await asyncio.to_thread(world.postgres.kill)
    try:
        yield
    finally:
        await asyncio.to_thread(world.postgres.start)


@asynccontextmanager
async def postgres_read_only(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Postgres refuses to write, and drops whoever is connected, as it does when it becomes a standby."""
    await _struck(world, "ALTER SYSTEM SET default_transaction_read_only = on", _RELOAD, _DISCONNECT)
    try:
        yield
    finally:
        writable = ("SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only")
        await _healed(world, *writable, _RELOAD, _DISCONNECT)


@asynccontextmanager
async def postgres_full(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Postgres has no connection left for the service."""
    await _struck(world, "ALTER ROLE codille_service CONNECTION LIMIT 0", _DISCONNECT)
    try:
        yield
    finally:
        await _healed(world, "ALTER ROLE codille_service CONNECTION LIMIT -1")


@asynccontextmanager
async def postgres_disk_full(world: World, rng: random.Random) -> AsyncIterator[None]:
    """No page of the disk is free. Postgres refuses to write, and crashes when its log cannot grow."""
    assert world.disk is not None
    await asyncio.to_thread(world.disk.fill)
    try:
        yield
    finally:
        world.disk.empty()
        if not await _as_owner(world, "SELECT"):
            # It has crashed, and could not recover.
            await asyncio.to_thread(world.postgres.kill)
            await asyncio.to_thread(world.postgres.start)


@asynccontextmanager
async def postgres_disconnects(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Postgres ends every connection of the service."""
    await _struck(world, _DISCONNECT)
    yield


@asynccontextmanager
async def counter_held(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Another session holds the row of the log's counter, so nothing can be appended."""
    try:
        connection = await asyncpg.connect(world.dsn)
        await connection.execute("BEGIN; SELECT FROM codille.log FOR UPDATE")
    except (OSError, asyncpg.PostgresError) as error:
        raise Missed from error
    try:
        yield
    finally:
        connection.terminate()


@asynccontextmanager
async def redis_killed(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Redis dies with all that it knows."""
    await asyncio.to_thread(world.valkey.kill)
    try:
        yield
    finally:
        await asyncio.to_thread(world.valkey.start)


@asynccontextmanager
async def redis_frozen(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Redis takes requests and answers nothing."""
    world.valkey.freeze()
    try:
        yield
    finally:
        world.valkey.thaw()


@asynccontextmanager
async def redis_wiped(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Somebody empties Redis."""
    async with Redis.from_url(world.valkey.url) as client:
        await client.flushall()
    yield


@asynccontextmanager
async def redis_older(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Redis is restored from a snapshot, and has forgotten what came after it."""
    await asyncio.to_thread(world.valkey.snapshot)
    try:
        yield
    finally:
        await asyncio.to_thread(world.valkey.kill)
        await asyncio.to_thread(world.valkey.start)
        world.valkey.drop_snapshot()


@asynccontextmanager
async def redis_out_of_memory(world: World, rng: random.Random) -> AsyncIterator[None]:
    """Redis refuses to write."""
    async with Redis.from_url(world.valkey.url) as client:
        await client.config_set("maxmemory", "1")
    try:
        yield
    finally:
        async with Redis.from_url(world.valkey.url) as client:
            await client.config_set("maxmemory", "0")


@asynccontextmanager
async def clocks_apart(world: World, rng: random.Random) -> AsyncIterator[None]:
    """The clock of one machine goes ahead or back, and returns."""
    clock = rng.choice(world.clocks)
    clock.set(rng.uniform(-APART_S, APART_S))
    try:
        yield
    finally:
        clock.set(0.0)


def on_link(which: str, hurt: Callable[[Link, random.Random], None]) -> Fault:
    """Something is the matter with all connections to a server."""

    @asynccontextmanager
    async def strike(world: World, rng: random.Random) -> AsyncIterator[None]:
        link: Link = getattr(world, which)
        hurt(link, rng)
        try:
            yield
        finally:
            link.heal()

    return strike


def cut(link: Link, _: random.Random) -> None:
    """All connections break, and no new ones are made."""
    link.refusing = True
    link.cut()


def cut_in_answers(link: Link, rng: random.Random) -> None:
    """Some connections break in the middle of an answer, so nobody knows whether what was asked is done."""
    link.cutting = rng.randint(1, 6)


def half_open(link: Link, _: random.Random) -> None:
    """Nothing comes over any connection, which stay open."""
    link.passing.clear()


def slow(link: Link, rng: random.Random) -> None:
    """Every piece takes long to come over."""
    link.delay_s = rng.uniform(0.01, 0.2)


def dies(point: str, when: str) -> Fault:
    """The next process that comes to this point dies before or after it."""

    @asynccontextmanager
    async def strike(world: World, rng: random.Random) -> AsyncIterator[None]:
        file = world.points / f"{point}.{when}"
        file.touch()
        try:
            yield
            # Some points are seldom come to.
            while file.exists() and not world.ending.is_set():  # noqa: ASYNC110 (another process removes it)
                await asyncio.sleep(0.01)
        finally:
            file.unlink(missing_ok=True)

    return strike


DEATHS: Mapping[str, Fault] = {
    f"death {when} {point}": dies(point, when) for point in POINTS for when in ("before", "after")
}
"""A death before and after each point."""

FAULTS: Mapping[str, Fault] = DEATHS | {
    **{f"{role} killed": killed(role) for role in (*ROLES, POOL)},
    **{f"{role} stands still": stopped(role) for role in (*ROLES, POOL)},
    "service killed": service_killed,
    "rolling restart": rolling_restart,
    "postgres killed": postgres_killed,
    "postgres read-only": postgres_read_only,
    "postgres out of connections": postgres_full,
    "postgres disconnects": postgres_disconnects,
    "postgres disk full": postgres_disk_full,
    "counter held": counter_held,
    "redis killed": redis_killed,
    "redis frozen": redis_frozen,
    "redis wiped": redis_wiped,
    "redis out of memory": redis_out_of_memory,
    "redis restored": redis_older,
    "clocks apart": clocks_apart,
    **{
        f"{server}: link {name}": on_link(which, hurt)
        for server, which in (("postgres", "to_postgres"), ("redis", "to_redis"))
        for name, hurt in (("cut", cut), ("cut in answers", cut_in_answers), ("half open", half_open), ("slow", slow))
    },
}
"""All faults, by name."""


def possible(world: World) -> set[str]:
    """The faults that can strike here."""
    lacking = {"postgres disk full": world.disk is None, "clocks apart": not world.clocks}
    return {name for name in FAULTS if not lacking.get(name)}


_RELOAD = "SELECT pg_reload_conf()"
_DISCONNECT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'codille_service'"


async def _as_owner(world: World, *statements: str) -> bool:
    """Runs statements as the database's owner. Answers no if Postgres is away or too busy."""
    with suppress(OSError, asyncpg.PostgresError):
        connection = await asyncpg.connect(world.dsn)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            connection.terminate()
        return True
    return False


async def _struck(world: World, *statements: str) -> None:
    """Runs statements as the database's owner. Raises Missed if it could not."""
    if not await _as_owner(world, *statements):
        raise Missed


async def _healed(world: World, *statements: str) -> None:
    """Runs statements as the database's owner, again and again until it could."""
    while not await _as_owner(world, *statements):  # noqa: ASYNC110 (nothing says when it can be reached)
        await asyncio.sleep(0.1)
