"""Streams that follow the whole log: what calls for a player, and the lobby."""

import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from projections.connection import connect
from projections.models import ReadModels
from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.live import lobby_stream, log_positions, player_stream
from service.live import stream as live_stream
from service.services import Services
from service.store.database import StoreUnavailable
from tests.contract.conftest import (
    NOWHERE,
    Caller,
    deal_over,
    next_of,
    opened,
    problem,
    register,
    seated,
    with_scopes,
)
from tests.contract.test_lists import services, until_built
from tests.support.streams import Frame, reading
from tests.support.waiting import until

__all__ = ["services"]

MINE, LOBBY = "/players/me/stream", "/tables/stream"
LOBBY_TYPES = ("table-opened", "seat-taken", "seat-left", "game-started", "game-finished", "table-closed")
NOTICES = {"game-started": "game-started", "deal-scored": "deal-scored", "game-finished": "game-over"}


async def events_of(caller: Caller, table: str) -> list[Any]:
    version = (await caller.get(f"/tables/{table}")).json()["version"]
    items: list[Any] = []
    while len(items) < version:
        items += (await caller.get(f"/tables/{table}/events?after={len(items)}&limit=200")).json()["items"]
    return items


async def public_of(caller: Caller, tables: Sequence[str]) -> list[Any]:
    """The lobby's events of these tables, in the order of the log, as they were told."""
    stranger = Caller(caller.http, "", caller.token)
    events = [event for table in tables for event in await events_of(stranger, table) if event["type"] in LOBBY_TYPES]
    return sorted(events, key=lambda event: int(event["position"]))


async def notices_of(caller: Caller, tables: Sequence[str]) -> list[Any]:
    """What calls for the player at these tables by their replays, in the order of the log."""
    found: list[Any] = []
    for table in tables:
        seat, before = None, set[int]()
        for event in await events_of(caller, table):
            view = (await caller.get(f"/tables/{table}/replay/{event['version']}?as=public")).json()
            seat = next((one["seat"] for one in view["seats"] if one["player"] == caller.player), None)
            kinds = [NOTICES[event["type"]]] if event["type"] in NOTICES else []
            kinds += ["your-turn"] if seat in set(view["to_act"]) - before else []
            before = set(view["to_act"])
            if kinds and seat is not None:
                told = {name: event[name] for name in ("position", "table", "game", "version", "at")}
                found.append(told | {"seat": seat, "notices": kinds})
    return sorted(found, key=lambda one: int(one["position"]))


def data_of(frames: Sequence[Frame]) -> list[Any]:
    assert all((frame.kind, frame.id) == ("event", frame.data["position"]) for frame in frames)
    return [frame.data for frame in frames]


async def whole_life(three: list[Caller]) -> str:
    """A table that is played to its end, after a player has left and come again."""
    table = await opened(three[0])
    for caller in three[:2]:
        await caller.post(f"/tables/{table}/seats", {})
    assert (await three[0].delete(f"/tables/{table}/seats/me")).status_code == 200
    for caller in (three[0], three[2]):
        await caller.post(f"/tables/{table}/seats", {})
    by_seat = {one["seat"]: one["player"] for one in (await three[0].get(f"/tables/{table}")).json()["seats"]}
    in_order = [next(one for one in three if one.player == by_seat[seat]) for seat in range(3)]
    for _ in range(3):
        await deal_over(in_order, table)
    return table


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
async def test_the_lobby_is_told_of_tables_that_come_fill_begin_and_end(
    three: list[Caller], app: Edge, form: str
) -> None:
    await until_built(three[0])
    waiting, playing = await opened(three[0]), await seated(three)
    async with reading(app, LOBBY, accept=form) as stream:
        snapshot = await stream.next()
        assert (stream.headers["content-type"], snapshot.kind) == (form, "snapshot")
        assert snapshot.id == snapshot.data["position"]
        listed = (await three[0].get("/tables")).json()["items"]
        assert snapshot.data["tables"] == sorted(listed, key=lambda one: ["open", "playing"].index(one["status"]))
        assert {one["table"] for one in listed} == {waiting, playing}
        played = await whole_life(three)
        assert (await three[0].delete(f"/tables/{waiting}")).status_code == 200
        due = [one for one in await public_of(three[0], (waiting, playing, played)) if one["position"] > snapshot.id]
        told = data_of([await stream.next() for _ in due])
        assert [(one["table"], one["version"], one["type"]) for one in told] == [
            (one["table"], one["version"], one["type"]) for one in due
        ]
        assert all(one["sealed"] == {} for one in told)


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
async def test_a_player_is_told_what_calls_for_the_player(three: list[Caller], app: Edge, form: str) -> None:
    await until_built(three[0])
    first = await seated(three)
    async with reading(app, MINE, three[1], accept=form) as stream:
        snapshot = await stream.next()
        assert (snapshot.kind, snapshot.id) == ("snapshot", snapshot.data["position"])
        view = (await three[1].get(f"/tables/{first}")).json()
        turn = {"seat": 1, "your_turn": 1 in view["to_act"]}
        table = {"table": first, "game": "crocodile", "status": "playing", "version": view["version"]}
        assert snapshot.data["tables"] == [table | turn]
        assert snapshot.data["player"] == three[1].player
        second = await whole_life(three)
        await deal_over(three, first)
        others = [await register(three[0].http, name) for name in ("Xaver", "Yara", "Zoe")]
        await deal_over(others, await seated(others))
        due = [one for one in await notices_of(three[1], (first, second)) if one["position"] > snapshot.id]
        assert data_of([await stream.next() for _ in due]) == due
        kinds = {kind for one in due for kind in one["notices"]}
        assert kinds == {"your-turn", "game-started", "deal-scored", "game-over"}


async def test_views_come_with_notices(three: list[Caller], app: Edge) -> None:
    await until_built(three[0])
    async with reading(app, f"{MINE}?view=true", three[0]) as stream:
        assert (await stream.next()).data["tables"] == []
        table = await seated(three)
        await deal_over(three, table)
        due = await notices_of(three[0], [table])
        for _ in due:
            told = (await stream.next()).data
            assert told["view"] == (await three[0].get(f"/tables/{table}/replay/{told['version']}?as=seat:0")).json()


async def test_streams_of_the_log_go_on_after_any_position(three: list[Caller], app: Edge) -> None:
    await until_built(three[0])
    tables = [await whole_life(three), await seated(three)]
    own, public = await notices_of(three[0], tables), await public_of(three[0], tables)
    end = max(one["position"] for one in public)
    for path, due in ((MINE, own), (LOBBY, public)):
        for after in range(1, end + 1, 7):
            left = [one["version"] for one in due if one["position"] > after]
            async with reading(app, path, three[0], last_event_id=str(after)) as stream:
                assert [one["version"] for one in data_of([await stream.next() for _ in left])] == left
                assert len(stream.frames) == len(left)


@pytest.mark.parametrize("path", [MINE, LOBBY])
async def test_streams_of_the_log_that_are_to_catch_up_go_on_after_an_outage(
    three: list[Caller], app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    await until_built(three[0])
    tables = [await whole_life(three), await seated(three)]
    due = await (notices_of if path == MINE else public_of)(three[0], tables)
    for module in (lobby_stream, player_stream):
        monkeypatch.setattr(module, "PIECE", 1)
    monkeypatch.setattr(live_stream, "AGAIN_S", 0.001)
    monkeypatch.setattr(log_positions, "PAGE", 2)
    read, reads = services.log.store.selected, []

    async def failing(*asked: Any) -> Any:
        reads.append(asked)
        if len(reads) in {2, 3, 7}:
            raise StoreUnavailable("away")
        return await read(*asked)

    monkeypatch.setattr(services.log.store, "selected", failing)
    left = [one["version"] for one in due if one["position"] > 1]
    async with reading(app, path, three[0], last_event_id="1") as stream:
        assert [one["version"] for one in data_of([await stream.next() for _ in left])] == left
        assert len(stream.frames) == len(left)
    assert len(reads) > 7


@pytest.mark.parametrize("path", [MINE, LOBBY])
async def test_a_reader_that_leaves_during_an_outage_holds_nothing(
    three: list[Caller], app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    await until_built(three[0])
    await whole_life(three)
    monkeypatch.setattr(live_stream, "AGAIN_S", 0.001)
    tries = 0

    async def unavailable(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise StoreUnavailable("away")

    monkeypatch.setattr(services.log.store, "selected", unavailable)
    async with reading(app, path, three[0], last_event_id="1") as stream:
        await until(lambda: tries > 3)
        assert stream.frames == []
        assert stream.text.count(b": ping") > 1
    assert not services.edge.live._open


async def test_nothing_is_lost_between_the_snapshot_and_what_follows(three: list[Caller], app: Edge) -> None:
    """Streams are opened again and again while a game is played."""
    await until_built(three[0])
    table = await seated(three)
    async with reading(app, MINE, three[0]) as whole:
        await whole.next()
        for _ in range(6):
            async with reading(app, MINE, three[0]) as stream:
                snapshot = (await stream.next()).data
                await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
            known = {one["table"]: one["version"] for one in snapshot["tables"]}
            assert known == {table: (await three[0].get(f"/tables/{table}/replay/{known[table]}")).json()["version"]}
        due = [one for one in await notices_of(three[0], [table]) if one["position"] > (whole.frames[0].id or 0)]
        assert data_of([await whole.next() for _ in due]) == due


async def test_a_ruling_is_told_to_the_players_of_a_game_that_is_over(three: list[Caller], app: Edge, dsn: str) -> None:
    await until_built(three[0])
    table = await whole_life(three)
    arbiter = await with_scopes(dsn, await register(three[0].http, "Judge"), "arbiter")
    stranger = await register(three[0].http, "Zoe")
    line = (await three[0].get(f"/tables/{table}/ledger")).json()["lines"][0]
    async with reading(app, MINE, three[0]) as stream, reading(app, MINE, stranger) as other:
        assert (await stream.next()).data["tables"] == []
        await other.next()
        await three[0].post(
            f"/tables/{table}/disputes", {"lines": [{"version": line["version"], "line": 0}], "reason": "Mine."}
        )
        ruled = await arbiter.post(f"/tables/{table}/disputes/1/ruling", {"ruling": "rejected", "text": "It stands."})
        assert ruled.status_code == 201, ruled.text
        told = (await stream.next()).data
        assert (told["table"], told["notices"]) == (table, ["dispute-ruled"])
        await opened(stranger)
        assert len(other.frames) == 1
    async with reading(app, f"{MINE}?after={told['position'] - 1}", three[0]) as again:
        assert (await again.next()).data == told


async def test_who_has_left_the_table_is_told_nothing(three: list[Caller], app: Edge) -> None:
    await until_built(three[0])
    other = await register(three[0].http, "Zoe")
    async with reading(app, MINE, other) as stream:
        await stream.next()
        table = await opened(three[0])
        await other.post(f"/tables/{table}/seats", {})
        await other.delete(f"/tables/{table}/seats/me")
        for caller in three:
            await caller.post(f"/tables/{table}/seats", {})
        own = await opened(other, game="crocodile")
        await other.post(f"/tables/{own}/seats", {})
        for caller in three[:2]:
            await caller.post(f"/tables/{own}/seats", {})
        told = (await stream.next()).data
        assert (told["table"], told["notices"][0]) == (own, "game-started")


@pytest.mark.parametrize("path", [MINE, LOBBY])
async def test_from_too_far_back_a_stream_begins_anew(
    three: list[Caller], app: Edge, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await until_built(three[0])
    await seated(three)
    monkeypatch.setattr(lobby_stream if path == LOBBY else player_stream, "WINDOW", 3)
    async with reading(app, path, three[0]) as stream:
        snapshot = await stream.next()
    async with reading(app, f"{path}?after=1", three[0]) as stream:
        assert await stream.next() == Frame("reset", snapshot.id, snapshot.data)
        await seated(three)
        assert (await stream.next()).kind == "event"
    async with reading(app, f"{path}?after={(snapshot.id or 0) + 3}", three[0]) as stream:
        assert (await stream.next()).kind == "event"


@pytest.mark.parametrize("path", [MINE, LOBBY])
async def test_a_position_from_the_future_is_refused(ada: Caller, app: Edge, path: str) -> None:
    await until_built(ada)
    await opened(ada)
    for query, headers in (("?after=2", {}), ("", {"last_event_id": "2"})):
        async with reading(app, path + query, ada, **headers) as stream:
            assert (stream.status, json.loads(stream.text)["code"]) == (422, "position-beyond-end")
    async with reading(app, path, ada, last_event_id="-1") as stream:
        assert (stream.status, json.loads(stream.text)["code"]) == (400, "malformed-header")


@pytest.mark.parametrize("path", [MINE, LOBBY])
async def test_pings_say_how_far_the_reader_has_come(
    three: list[Caller], app: Edge, path: str, services: Services
) -> None:
    await until_built(three[0])
    services.edge.live.pings.tick_s = 0.001
    async with reading(app, path, three[0]) as stream:
        await stream.next()
        end = await services.log.store.end()
        await until(lambda: f"event: ping\nid: {end}\ndata: {{}}\n\n".encode() in stream.text)
        other = await seated([await register(three[0].http, name) for name in ("Xaver", "Yara", "Zoe")])
        end = await services.log.store.end()
        await until(lambda: f"event: ping\nid: {end}\ndata: {{}}\n\n".encode() in stream.text)
        assert other


@pytest.mark.parametrize("change", ["revoked", "rotated"])
@pytest.mark.parametrize("path", [MINE, LOBBY, "/tables/{table}/events/stream"])
async def test_whose_token_is_gone_is_told_nothing_more(
    three: list[Caller], app: Edge, services: Services, dsn: str, path: str, change: str
) -> None:
    await until_built(three[0])
    services.edge.live.pings.tick_s = 0.001
    second = await with_scopes(dsn, three[0], "play")
    (token,) = [one for one in (await second.get("/tokens")).json()["items"] if one["current"]]
    async with reading(app, path.format(table=await seated(three)), second) as stream:
        await stream.next()
        if change == "revoked":
            assert (await three[0].delete(f"/tokens/{token['id']}")).status_code == 204
        else:
            assert (await three[0].post(f"/tokens/{token['id']}/rotate", {})).status_code == 200
        last = await stream.end()
        assert last is not None
        assert (last.data["reason"], len(stream.frames)) == ("token", 2)


async def test_only_a_player_has_a_players_stream(client: httpx.AsyncClient) -> None:
    problem(await client.get(f"/v1{MINE}"), 401, "unauthenticated")


async def test_without_redis_open_streams_go_on_and_the_lobby_goes_on_after_a_position(
    three: list[Caller], app: Edge, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await until_built(three[0])
    async with reading(app, MINE, three[0]) as stream, reading(app, LOBBY) as listed:
        place = (await stream.next()).id
        await listed.next()
        away = ReadModels(connect(NOWHERE), services.log.source, services.reader.games)
        monkeypatch.setattr(services.edge.queries, "models", away)
        table = await seated(three)
        own, public = await notices_of(three[0], [table]), await public_of(three[0], [table])
        assert data_of([await stream.next() for _ in own]) == own
        assert [one["version"] for one in data_of([await listed.next() for _ in public])] == [
            one["version"] for one in public
        ]
        for path in (MINE, LOBBY):
            async with reading(app, path, three[0]) as refused:
                assert (refused.status, json.loads(refused.text)["code"]) == (503, "unavailable")
        async with reading(app, LOBBY, last_event_id=str(place)) as again:
            assert [one["version"] for one in data_of([await again.next() for _ in public])] == [
                one["version"] for one in public
            ]
        assert create_app(services) is not app


async def test_who_holds_the_own_stream_is_connected_at_every_table(three: list[Caller], table: str, app: Edge) -> None:
    async with reading(app, MINE, three[1]) as stream:
        assert (await stream.next()).kind == "snapshot"
        answer = (await three[0].get(f"/tables/{table}/presence")).json()
        assert [seat["connected"] for seat in answer["seats"]] == [False, True, False]
        assert answer["complete"]
