"""A stream or a waiting read begins, and something happens between two of its awaits: it is told of, and once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeAlias

import pytest
from msgspec import Struct

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.http.parameters import LONGEST_WAIT_S
from service.live import lobby_stream, player_stream
from service.live.log_positions import caught_up
from service.services import Services
from service.wiring import open_services
from tests.contract.conftest import Caller, act, client_of, next_of, opened, register, seated
from tests.contract.test_lists import services, until_built
from tests.contract.test_log_streams import LOBBY, MINE
from tests.contract.test_table_streams import stream_of, version_of
from tests.support.postgres import as_service
from tests.support.stepping import Interruption
from tests.support.streams import Frame, reading
from tests.support.waiting import until

__all__ = ["services"]

Doing: TypeAlias = Callable[[], Coroutine[Any, Any, object]]
PASS = {"type": "pass"}


class Scene(Struct):
    """Something that happens while a reader's stream begins, and what the reader is to be told by it."""

    reader: Caller | None
    path: str
    happen: Doing
    told: Callable[[Sequence[Frame]], object]
    """What frames tell."""
    due: Callable[[], Awaitable[object]]
    """What they are to tell, once it has happened."""


@pytest.fixture(params=["here", "elsewhere"])
async def those(
    request: pytest.FixtureRequest, three: list[Caller], settings: Settings, dsn: str, empty_redis: str
) -> AsyncIterator[list[Caller]]:
    """The three, as they act through the process that streams, or through another one."""
    await until_built(three[0])
    if request.param == "here":
        yield three
        return
    async with open_services(settings, as_service(dsn), empty_redis) as services:
        services.edge.heavy.pool = None
        async with client_of(create_app(services)) as other:
            yield [Caller(other, one.player, one.token) for one in three]


def waiting(services: Services) -> bool:
    """Whether somebody waits for events here, and has nothing else to wait for."""
    return any(one._waiting is not None and not one._waiting.done() for one in services.edge.live._open)


async def at_each_wait(app: Edge, services: Services, scene: Callable[[], Awaitable[Scene]]) -> None:
    """Has a scene happen at each wait of a stream that begins, and in the end once it has begun."""
    at = 1
    while await at_wait(app, services, await scene(), at):
        at += 1
    assert at > 4


async def at_wait(app: Edge, services: Services, scene: Scene, at: int) -> bool:
    """Has it happen at one wait; whether the stream had not begun by then."""
    # A stream that waits for read models would have ever so many waits.
    await caught_up(services.models, await services.log.store.end())
    interruption = Interruption(app, scene.happen, at)
    async with reading(interruption.app, scene.path, scene.reader) as stream:
        await until(lambda: interruption.done or waiting(services))
        amid = interruption.done
        await interruption.act()
        due, end = await scene.due(), await services.log.store.end()
        await until(lambda: services.edge.live.position == end and waiting(services))
        assert scene.told(stream.frames) == due, f"at wait {at}"
    return amid


def notices(frames: Sequence[Frame]) -> list[object]:
    """The tables and notices of a player's stream, without turns that come with the first deal."""
    snapshots = [frame.data for frame in frames if frame.kind == "reset"]
    turns = [(one["table"], "your-turn") for data in snapshots for one in data["tables"] if one["your_turn"]]
    events = [frame.data for frame in frames if frame.kind == "event"]
    return [*turns, *((event["table"], kind) for event in events for kind in event["notices"])]


async def to_pass(those: list[Caller]) -> tuple[str, Caller, Doing]:
    """A new table, a player, and the pass by which it becomes that player's turn there."""
    table = await seated(those)
    seat, before = await next_of(those, table)
    return table, those[(seat + 1) % 3], lambda: act(before, table, PASS)


async def test_a_player_whose_stream_goes_on_is_told_whose_turn_it_is(
    those: list[Caller], app: Edge, services: Services
) -> None:
    async def scene() -> Scene:
        table, player, happen = await to_pass(those)

        async def due() -> object:
            return [(table, "your-turn")]

        return Scene(player, f"{MINE}?after={await services.log.store.end()}", happen, notices, due)

    await at_each_wait(app, services, scene)


@pytest.mark.parametrize("those", ["here"], indirect=True)
async def test_a_player_whose_stream_begins_anew_is_told_whose_turn_it_is(
    those: list[Caller], app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_stream, "WINDOW", 0)

    async def scene() -> Scene:
        # Each table of the player's would be another wait.
        new = [await register(those[0].http, "Zoe") for _ in those]
        table, player, happen = await to_pass(new)

        async def due() -> object:
            return [(table, "your-turn")]

        return Scene(player, f"{MINE}?after={await services.log.store.end() - 1}", happen, notices, due)

    await at_each_wait(app, services, scene)


@pytest.mark.parametrize("those", ["here"], indirect=True)
async def test_a_player_whose_stream_goes_on_is_told_of_games_that_begin_and_end(
    those: list[Caller], app: Edge, services: Services
) -> None:
    async def beginning() -> Scene:
        table = await opened(those[0])
        for one in those[:2]:
            await one.post(f"/tables/{table}/seats", {})

        async def due() -> object:
            to_act = (await those[0].get(f"/tables/{table}")).json()["to_act"]
            return [(table, kind) for kind in ("game-started", *(("your-turn",) if to_act == [0] else ()))]

        path = f"{MINE}?after={await services.log.store.end()}"
        return Scene(those[0], path, lambda: those[2].post(f"/tables/{table}/seats", {}), notices, due)

    async def ending() -> Scene:
        table = await seated(those)
        for one in those[1:]:
            await one.post(f"/tables/{table}/end", {"agree": True})

        async def due() -> object:
            return [(table, "game-over")]

        path = f"{MINE}?after={await services.log.store.end()}"
        return Scene(those[1], path, lambda: those[0].post(f"/tables/{table}/end", {"agree": True}), notices, due)

    await at_each_wait(app, services, beginning)
    await at_each_wait(app, services, ending)


@pytest.mark.parametrize("those", ["here"], indirect=True)
@pytest.mark.parametrize("anew", [False, True])
async def test_the_lobby_is_told_of_a_table_that_begins(
    those: list[Caller], app: Edge, services: Services, anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if anew:
        monkeypatch.setattr(lobby_stream, "WINDOW", 0)

    async def scene() -> Scene:
        table = await opened(those[0])
        for one in those[:2]:
            await one.post(f"/tables/{table}/seats", {})

        def told(frames: Sequence[Frame]) -> object:
            listed = [one for frame in frames if frame.kind == "reset" for one in frame.data["tables"]]
            (was,) = [one["status"] for one in listed if one["table"] == table] or ["open"]
            types = [frame.data["type"] for frame in frames if frame.kind == "event" and frame.data["table"] == table]
            return [*(["seat-taken", "game-started"] if was == "playing" else []), *types]

        async def due() -> object:
            return ["seat-taken", "game-started"]

        path = f"{LOBBY}?after={await services.log.store.end() - anew}"
        return Scene(None, path, lambda: those[2].post(f"/tables/{table}/seats", {}), told, due)

    await at_each_wait(app, services, scene)


def versions(frames: Sequence[Frame]) -> object:
    """All versions that a table's stream tells of; those before a snapshot stand in it."""
    told: list[int] = []
    for frame in frames:
        told += [frame.id or 0] if frame.kind == "event" else range(1, frame.data["version"] + 1)
    return told


@pytest.mark.parametrize("those", ["here"], indirect=True)
@pytest.mark.parametrize("query", ["", "?after=0"])
@pytest.mark.parametrize("delay", [None, {"events": 1}])
async def test_who_follows_a_table_is_told_of_each_event(
    those: list[Caller], app: Edge, services: Services, query: str, delay: object
) -> None:
    """With a delay the reader is a spectator who follows late."""
    stranger = await register(those[0].http, "Zoe")

    async def scene() -> Scene:
        table = await seated(those, **({"table": {"spectator_delay": delay}} if delay else {}))
        _, first = await next_of(those, table)

        async def due() -> object:
            return list(range(1, await version_of(stranger, table) + 1))

        return Scene(stranger, stream_of(table, query), lambda: act(first, table, PASS), versions, due)

    await at_each_wait(app, services, scene)


async def test_a_read_that_waits_is_answered(those: list[Caller], app: Edge, services: Services) -> None:
    async def at_wait(at: int) -> bool:
        table, player, happen = await to_pass(those)
        version = await version_of(player, table)
        interruption = Interruption(app, happen, at)
        async with client_of(interruption.app) as client:
            reader = Caller(client, player.player, player.token)
            reading = asyncio.create_task(reader.get(f"/tables/{table}?after={version}&wait={LONGEST_WAIT_S}"))
            await until(lambda: interruption.done or waiting(services) or reading.done())
            amid = interruption.done
            await interruption.act()
            async with asyncio.timeout(LONGEST_WAIT_S / 2):
                assert (await reading).json()["version"] == version + 1, f"at wait {at}"
        return amid

    at = 1
    while await at_wait(at):
        at += 1
    assert at > 4


async def test_a_page_of_the_log_that_ends_amid_an_act_is_handed_on_without_it(
    three: list[Caller], app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.merged_log.BATCH", 2)
    table = await opened(three[0])
    async with reading(app, stream_of(table), three[0]) as stream:
        await stream.next()
        # Nothing is brought: all of it is read from the log.
        monkeypatch.setattr(services.edge.live, "appended", lambda _: None)
        for caller in three:
            await caller.post(f"/tables/{table}/seats", {})
        frames = await stream.upto(6)
    assert [frame.more for frame in frames] == [False, False, True, True, False]
