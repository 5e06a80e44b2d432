"""Who is connected to a table: in this process, in others, and as the table's stream tells of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from projections.connection import connect
from service.app import create_app
from service.http.edge import Edge
from service.live.presence import Attendance
from service.services import Services
from service.store.database import Database
from tests.contract.conftest import Caller, client_of, opened, services_over
from tests.support.streams import reading
from tests.support.timekeeping import until_it
from tests.support.waiting import until

QUICK = {"beat_s": 0.005, "linger_s": 0.02, "look_s": 0.01}


@pytest.fixture
def services(database: Database) -> Services:
    """A process that knows of no other, and tells of presence at once."""
    return paced(services_over(database))


def paced(services: Services, **pace: float) -> Services:
    """These services, which tell of presence at once."""
    for name, seconds in (QUICK | pace).items():
        setattr(services.edge.presence, f"_{name}", seconds)
    return services


async def connected(caller: Caller, table: str) -> list[bool]:
    answer = await caller.get(f"/tables/{table}/presence")
    assert answer.status_code == 200, answer.text
    assert answer.json()["table"] == table
    assert [seat["seat"] for seat in answer.json()["seats"]] == [0, 1, 2]
    return [seat["connected"] for seat in answer.json()["seats"]]


async def until_connected(caller: Caller, table: str, *wanted: bool) -> None:
    """Waits until these are connected, by seat."""

    async def holds() -> bool:
        return await connected(caller, table) == [*wanted]

    await until_it(holds)


def stream_of(table: str) -> str:
    return f"/tables/{table}/events/stream"


async def test_who_holds_a_stream_is_connected(three: list[Caller], table: str, app: Edge) -> None:
    other = await opened(three[2])
    assert await connected(three[0], table) == [False, False, False]
    async with (
        reading(app, stream_of(table), three[1]),
        reading(app, stream_of(other), three[2]),
        reading(app, "/tables/stream", three[2]),
        reading(app, stream_of(table)),
    ):
        assert await connected(three[0], table) == [False, True, False]
        async with reading(app, stream_of(table), three[1]):
            pass
        assert await connected(three[0], table) == [False, True, False]
    await until_connected(three[0], table, False, False, False)


async def test_who_waits_is_connected(three: list[Caller], table: str, client: httpx.AsyncClient) -> None:
    version = (await three[0].get(f"/tables/{table}")).json()["version"]
    waiting = asyncio.create_task(three[2].get(f"/tables/{table}/offers?after={version}&wait=60"))
    await until_connected(three[0], table, False, False, True)
    await three[1].post(f"/tables/{table}/end", {"agree": True})
    assert (await waiting).json()["version"] == version + 1
    await until_connected(three[0], table, False, False, False)


async def test_a_free_seat_is_not_connected(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0])
    async with reading(app, stream_of(table), three[0]) as stream:
        await stream.next()
        assert await connected(three[1], table) == [False, False, False]
        await three[0].post(f"/tables/{table}/seats", {"seat": 2})
        assert await connected(three[1], table) == [False, False, True]
        await until(lambda: stream.presence[-1:] == [[False, False, True]])
        await three[0].delete(f"/tables/{table}/seats/me")
        await until(lambda: stream.presence[-1:] == [[False, False, False]])


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
async def test_a_stream_tells_who_comes_and_goes(three: list[Caller], table: str, app: Edge, form: str) -> None:
    async with reading(app, stream_of(table), accept=form) as stream:
        await until(lambda: stream.presence)
        async with reading(app, stream_of(table), three[0]) as own:
            await until(lambda: stream.presence[-1:] == [[True, False, False]])
            frame = stream.all_frames[-1]
            assert (frame.kind, frame.id) == ("presence", None)
            assert frame.data == {
                "table": table,
                "seats": [{"seat": seat, "connected": seat == 0} for seat in range(3)],
            }
            async with reading(app, stream_of(table), three[2]):
                await until(lambda: own.presence[-1:] == [[True, False, True]])
        await until(lambda: stream.presence[-1] == [False, False, False])
        assert stream.presence[:2] == [[False, False, False], [True, False, False]]


@pytest.mark.parametrize("missed", [0, 1])
async def test_a_stream_that_begins_or_resumes_tells_who_is_connected_now(
    three: list[Caller], table: str, app: Edge, missed: int
) -> None:
    """Somebody has come and somebody has gone while the reader was away, and nothing follows."""
    async with reading(app, stream_of(table), three[0]) as stream, reading(app, stream_of(table), three[1]):
        place = (await stream.next()).id or 0
        await until(lambda: stream.presence[-1:] == [[True, True, False]])
    await until_connected(three[0], table, False, False, False)
    for caller in three[:missed]:
        await caller.post(f"/tables/{table}/end", {"agree": True})
    async with (
        reading(app, stream_of(table), three[2]),
        reading(app, stream_of(table)) as begun,
        reading(app, f"{stream_of(table)}?after={place}") as query,
        reading(app, stream_of(table), accept="application/x-ndjson", last_event_id=str(place)) as header,
    ):
        for reader, first in ((begun, ["snapshot"]), (query, ["event"] * missed), (header, ["event"] * missed)):
            await until(lambda reader=reader: reader.presence)  # type: ignore[misc]
            assert [frame.kind for frame in reader.all_frames] == [*first, "presence"]
            assert reader.presence == [[False, False, True]]


async def test_who_comes_again_at_once_has_not_gone(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.presence._linger_s = 60.0
    async with reading(app, stream_of(table)) as stream:
        await until(lambda: stream.presence)
        for _ in range(3):
            async with reading(app, stream_of(table), three[0]) as own:
                await own.next()
        async with reading(app, stream_of(table), three[1]):
            await until(lambda: stream.presence[-1:] == [[True, True, False]])
        assert [seats[0] for seats in stream.presence[1:]].count(False) == 0


@asynccontextmanager
async def processes(database: Database, redis: str, number: int = 2, **pace: float) -> AsyncIterator[list[Edge]]:
    """So many processes of the service, which know of each other through this Redis."""
    async with AsyncExitStack() as stack:
        apps = []
        for _ in range(number):
            services = paced(services_over(database), **pace)
            services.edge.presence._redis = connect(redis)
            stack.push_async_callback(services.edge.presence.close)
            apps.append(create_app(services))
        yield apps


async def elsewhere(app: Edge, table: str) -> tuple[list[bool], bool]:
    """Who is connected, as another process answers, and whether it knows all."""
    async with client_of(app) as client:
        answer = (await client.get(f"/v1/tables/{table}/presence")).json()
    return [seat["connected"] for seat in answer["seats"]], answer["complete"]


async def until_elsewhere(app: Edge, table: str, *wanted: bool) -> None:
    """Waits until another process answers so, and that it knows all."""

    async def holds() -> bool:
        return await elsewhere(app, table) == ([*wanted], True)

    await until_it(holds)


async def test_processes_know_of_each_other(
    three: list[Caller], table: str, database: Database, empty_redis: str
) -> None:
    async with (
        processes(database, empty_redis, 3) as (one, other, third),
        reading(other, stream_of(table)) as stream,
    ):
        await stream.next()
        assert await elsewhere(other, table) == ([False, False, False], True)
        async with reading(one, stream_of(table), three[0]):
            await until_elsewhere(other, table, True, False, False)
            await until(lambda: stream.presence[-1:] == [[True, False, False]])
            async with reading(other, stream_of(table), three[0]):
                await until(lambda: stream.presence[-1] == [True, False, False])
            async with reading(third, stream_of(table)) as first:
                await until(lambda: first.presence)
                assert first.presence == [[True, False, False]]
        await until_elsewhere(other, table, False, False, False)
        await until(lambda: stream.presence[-1] == [False, False, False])


async def test_the_players_of_a_killed_process_go(
    three: list[Caller], table: str, database: Database, empty_redis: str
) -> None:
    async with processes(database, empty_redis, ttl_s=1.0) as (one, other), reading(other, stream_of(table)) as stream:
        killed: Attendance = one._services.edge.presence
        redis = connect(empty_redis)

        async def marked() -> object:
            return await redis.zscore(f"codille:here:{{{three[0].player}}}", f"{killed._process}/{table}")

        async with reading(one, stream_of(table), three[0]):
            await until(lambda: stream.presence[-1:] == [[True, False, False]])
            first = await marked()

            async def anew() -> bool:
                return await marked() != first

            await until_it(anew)
            assert killed._task is not None
            killed._task.cancel()
            await until(lambda: stream.presence[-1] == [False, False, False])
        await redis.aclose()


async def test_a_process_that_stops_takes_its_marks_with_it(
    three: list[Caller], table: str, database: Database, empty_redis: str
) -> None:
    async with processes(database, empty_redis, linger_s=60.0) as (one, other):
        async with reading(one, stream_of(table), three[0]):
            await until_elsewhere(other, table, True, False, False)
        assert await elsewhere(other, table) == ([True, False, False], True)
        await one._services.edge.presence.close()
        assert await elsewhere(other, table) == ([False, False, False], True)


async def test_while_redis_is_away_the_players_of_other_processes_go_when_their_marks_would_expire(
    three: list[Caller], table: str, database: Database, empty_redis: str
) -> None:
    async with processes(database, empty_redis, ttl_s=1.0) as (one, other), reading(one, stream_of(table), three[0]):
        await until_elsewhere(other, table, True, False, False)
        async with reading(other, stream_of(table)) as stream:
            await until(lambda: stream.presence[-1:] == [[True, False, False]])
            other._services.edge.presence._redis = connect("redis://127.0.0.1:1/0")
            await until(lambda: stream.presence[-1] == [False, False, False])


async def test_without_redis_a_process_says_that_it_knows_itself_alone(
    three: list[Caller], table: str, database: Database
) -> None:
    async with (
        processes(database, "redis://127.0.0.1:1/0", number=1) as (one,),
        reading(one, stream_of(table)) as stream,
        reading(one, stream_of(table), three[2]),
    ):
        assert await elsewhere(one, table) == ([False, False, True], False)
        await until(lambda: stream.presence[-1:] == [[False, False, True]])
