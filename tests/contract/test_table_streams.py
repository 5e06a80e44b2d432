"""A table's stream: a snapshot, then every event of the caller's audience once, in order, as it happens."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from msgspec import structs

from domain.record.recorded import Recorded
from domain.seats import Audience
from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.limits.slots import Slots
from service.live import folds as live_folds
from service.live import live_event, table_stream
from service.live import stream as live_stream
from service.live.late_feeds import Feeds
from service.live.subscription import Subscription
from service.queries.table_queries import TableQueries
from service.services import Services
from service.store.database import StoreUnavailable
from service.store.store import Store
from service.wiring import open_services
from tests.contract.conftest import Caller, configured, deal_over, next_of, opened, problem, register, with_scopes
from tests.support.for_each import for_each
from tests.support.postgres import as_service
from tests.support.streams import Frame, reading
from tests.support.timekeeping import until_it
from tests.support.waiting import settled, until

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
MANY = 2000


@pytest.fixture
async def elsewhere(settings: Settings, dsn: str, empty_redis: str) -> AsyncIterator[Services]:
    """Another process of the service, as it is wired."""
    async with open_services(settings, as_service(dsn), empty_redis) as services:
        services.edge.heavy.pool = None
        yield services


def stream_of(table: str, query: str = "") -> str:
    return f"/tables/{table}/events/stream{query}"


async def version_of(caller: Caller, table: str) -> int:
    return int((await caller.get(f"/tables/{table}")).json()["version"])


async def passed(three: list[Caller], table: str) -> int:
    """The version after whoever is on turn has passed."""
    answer = await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["version"])


async def told(caller: Caller, table: str, after: int = 0) -> list[Any]:
    """The table's events while no deal is over: what the caller was told."""
    return list((await caller.get(f"/tables/{table}/events?after={after}&limit=200")).json()["items"])


@pytest.mark.parametrize("form", [SSE, NDJSON])
async def test_a_snapshot_comes_first_and_then_what_happens(
    three: list[Caller], table: str, app: Edge, form: str
) -> None:
    version = await version_of(three[1], table)
    async with reading(app, stream_of(table), three[1], accept=form) as stream:
        first = await stream.next()
        assert (stream.status, stream.headers["content-type"]) == (200, form)
        assert (stream.headers["cache-control"], stream.headers["x-accel-buffering"]) == ("no-store", "no")
        view = (await three[1].get(f"/tables/{table}")).json()
        assert first == Frame("snapshot", version, {"version": version, "view": view})
        last = await deal_over(three, table)
        events = await stream.upto(await version_of(three[0], table))
        assert [event.id for event in events] == list(range(version + 1, events[-1].id + 1))  # type: ignore[operator]
        assert last is not None
        assert {event.kind for event in events} == {"event"}


async def test_who_sits_down_while_the_snapshot_is_read_gets_what_is_dealt(
    ada: Caller, app: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await opened(ada)
    others = [await register(ada.http, name) for name in ("Berta", "Carl")]
    read = TableQueries.view

    async def late(queries: TableQueries, *asked: Any) -> Any:
        await ada.post(f"/tables/{table}/seats", {"seat": 0})
        return await read(queries, *asked)

    monkeypatch.setattr(TableQueries, "view", late)
    async with reading(app, stream_of(table, "?view=true"), ada) as stream:
        assert (await stream.next()).data["view"]["you"] == 0
        for other in others:
            assert (await other.post(f"/tables/{table}/seats", {})).status_code == 201
        *_, dealt = await stream.upto(6)
        assert len(dealt.data["view"]["seats"][0]["hand"]["known"]) == 9


async def test_server_sent_events_are_what_is_sent_unless_lines_are_asked_for(table: str, app: Edge) -> None:
    for accept, form in (("*/*", SSE), ("text/event-stream", SSE), (f"{NDJSON}, {SSE};q=0.5", NDJSON)):
        async with reading(app, stream_of(table), accept=accept) as stream:
            assert stream.headers["content-type"] == form
    async with reading(app, stream_of(table), accept="application/json") as stream:
        assert stream.status == 406


async def test_each_audience_is_told_what_it_may_know(three: list[Caller], table: str, app: Edge) -> None:
    stranger = await register(three[0].http, "Zoe")
    for caller in (None, stranger, *three):
        async with reading(app, stream_of(table, "?after=0"), caller) as stream:
            events = (
                await told(caller or Caller(three[0].http, "", ""), table) if caller else await told(stranger, table)
            )
            assert [frame.data for frame in await stream.upto(len(events))] == events
    assert any(event["sealed"] for event in await told(three[0], table))
    assert not any("seat:0" in event["sealed"] for event in await told(stranger, table))


@pytest.mark.parametrize("by_header", [True, False])
async def test_a_stream_goes_on_after_any_version(three: list[Caller], table: str, app: Edge, by_header: bool) -> None:
    events = await told(three[0], table)
    for after in range(len(events) + 1):
        query, headers = ("?after=0", {"last_event_id": str(after)}) if by_header else (f"?after={after}", {})
        async with reading(app, stream_of(table, query), three[0], **headers) as stream:
            frames = await stream.upto(len(events)) if after < len(events) else []
            assert [frame.data for frame in frames] == events[after:]


async def test_views_come_with_events_and_are_the_replays(three: list[Caller], table: str, app: Edge) -> None:
    begun = await version_of(three[0], table)
    stranger = await register(three[0].http, "Zoe")
    async with (
        reading(app, stream_of(table, "?view=true"), three[0]) as live,
        reading(app, stream_of(table, "?view=true"), stranger) as public,
        reading(app, stream_of(table, "?view=true&after=0"), three[0]) as whole,
    ):
        await until(lambda: live.frames and public.frames and len(whole.frames) == begun)
        await deal_over(three, table)
        version = await version_of(three[0], table)
        for caller, stream in ((three[0], live), (stranger, public), (three[0], whole)):
            frames = await stream.upto(version)
            for frame in frames:
                replay = await caller.get(f"/tables/{table}/replay/{frame.id}")
                assert frame.data["view"] == replay.json(), frame.id
            if stream is whole:
                assert [frame.id for frame in frames] == list(range(1, version + 1))


async def test_views_of_many_readers_are_made_once(
    three: list[Caller], table: str, app: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    encoded = live_folds.LiveFolds.encoded

    def counted(self: Any, state: Any, audience: str) -> bytes:
        made.append(audience)
        return encoded(self, state, audience)

    monkeypatch.setattr(live_folds.LiveFolds, "encoded", counted)
    async with (
        reading(app, stream_of(table, "?view=true"), three[0]) as one,
        reading(app, stream_of(table, "?view=true"), three[0]) as two,
        reading(app, stream_of(table, "?view=true"), three[1]) as three_,
    ):
        await until(lambda: one.frames and two.frames and three_.frames)
        version = await passed(three, table)
        for stream in (one, two, three_):
            await stream.upto(version)
    new = version - (one.frames[0].id or 0)
    assert sorted(made) == ["seat:0"] * new + ["seat:1"] * new


async def test_who_takes_a_seat_is_told_as_that_seat_from_then_on(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0])
    async with reading(app, stream_of(table, "?view=true"), three[2]) as stream:
        assert (await stream.next()).data["view"]["you"] is None
        for caller in (three[2], three[0]):
            await caller.post(f"/tables/{table}/seats", {})
        assert [(await stream.next()).data["view"]["you"] for _ in range(2)] == [0, 0]
        assert (await three[2].delete(f"/tables/{table}/seats/me")).status_code == 200
        assert (await stream.next()).data["view"]["you"] is None
        for caller in (three[1], three[2]):
            await caller.post(f"/tables/{table}/seats", {})
        version = await version_of(three[0], table)
        frames = await stream.upto(version)
        dealt = next(frame for frame in frames if frame.data["type"] == "cards-dealt")
        assert list(dealt.data["sealed"]) == ["seat:2"]
        assert dealt.data["view"]["seats"][2]["hand"]["hidden"] == 0


@for_each("text", ["-1", "x", "1.0", "01", "+1", "1 2"])
async def test_what_is_no_place_is_refused(table: str, app: Edge, text: str) -> None:
    async with reading(app, stream_of(table), last_event_id=text) as stream:
        assert (stream.status, json.loads(stream.text)["code"]) == (400, "malformed-header")


@for_each("query", ["after=-1", "after=x", "view=1", "view=yes", "from=1", "wait=1"])
async def test_other_queries_are_refused(client: httpx.AsyncClient, table: str, query: str) -> None:
    problem(await client.get(f"/v1{stream_of(table)}?{query}"), 422, "invalid-query")


async def test_a_place_from_the_future_is_refused(three: list[Caller], table: str, client: httpx.AsyncClient) -> None:
    version = await version_of(three[0], table)
    refusal = problem(await client.get(f"/v1{stream_of(table)}?after={version + 1}"), 422, "version-beyond-head")
    assert (refusal["version"], refusal["errors"][0]["parameter"]) == (version, "after")
    headers = {"Last-Event-ID": "999999999999999999"}
    refusal = problem(await client.get(f"/v1{stream_of(table)}", headers=headers), 422, "version-beyond-head")
    assert refusal["errors"][0]["parameter"] == "Last-Event-ID"


async def test_a_place_of_another_table_is_one_of_this_table(three: list[Caller], table: str, app: Edge) -> None:
    version, other = await version_of(three[0], table), await opened(three[0])
    async with reading(app, stream_of(other), three[0], last_event_id=str(version)) as refused:
        assert (refused.status, json.loads(refused.text)["code"]) == (422, "version-beyond-head")
        assert json.loads(refused.text)["version"] == 1
    async with reading(app, stream_of(table), three[0], last_event_id="1") as stream:
        assert [frame.data for frame in await stream.upto(version)] == await told(three[0], table, 1)


async def test_thousands_of_streams_on_one_table_are_told_the_same(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.live.slots = Slots(most=2 * MANY, per_address=MANY, per_player=MANY)
    callers = (*three, Caller(three[0].http, "", ""))
    async with AsyncExitStack() as opened_ones:
        streams = [
            await opened_ones.enter_async_context(reading(app, stream_of(table), callers[number % len(callers)]))
            for number in range(MANY)
        ]
        version = await passed(three, table)
        await until(lambda: all(b"id: %d\n" % version in stream.text for stream in streams))
        events = {number: {frame_text(stream.text, version) for stream in streams[number::4]} for number in range(4)}
        assert all(len(told) == 1 for told in events.values())
    assert services.edge.live.waiting_at(table) == 0


def frame_text(text: bytes, place: int) -> bytes:
    """The frame at this place as it was sent, without pings before it."""
    return next(block for block in text.replace(b": ping\n", b"").split(b"\n\n") if block.endswith(b"\nid: %d" % place))


async def test_of_no_table_there_is_no_stream(client: httpx.AsyncClient, ada: Caller) -> None:
    problem(await client.get(f"/v1{stream_of(ada.player)}"), 404, "no-such-table")


async def test_a_token_that_is_not_valid_has_no_stream(client: httpx.AsyncClient, table: str, ada: Caller) -> None:
    await ada.delete("/players/me")
    problem(await ada.get(stream_of(table)), 401, "invalid-token")


async def test_head_has_the_headers_alone(table: str, app: Edge, services: Services) -> None:
    async with reading(app, stream_of(table), method="HEAD") as stream:
        await until(lambda: stream.ended)
        assert (stream.status, stream.headers["content-type"], stream.text) == (200, SSE, b"")
    assert services.edge.live.waiting_at(table) == 0


async def test_a_token_revoked_meanwhile_is_told_nothing_more(
    three: list[Caller], table: str, app: Edge, dsn: str
) -> None:
    second = await with_scopes(dsn, three[0], "play")
    (token,) = [one for one in (await second.get("/tokens")).json()["items"] if one["current"]]
    async with reading(app, stream_of(table), second) as stream:
        await stream.next()
        assert (await three[0].delete(f"/tokens/{token['id']}")).status_code == 204
        await passed(three, table)
        last = await stream.end()
        assert last is not None
        assert (last.data["reason"], len(stream.frames)) == ("token", 2)


async def test_a_token_that_expires_meanwhile_is_told_nothing_more(three: list[Caller], table: str, app: Edge) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=5)
    answer = await three[0].post("/tokens", {"expires_at": soon.isoformat()})
    assert answer.status_code == 201, answer.text
    second = Caller(three[0].http, three[0].player, answer.json()["token"])
    async with reading(app, stream_of(table), second) as stream:
        await stream.next()

        async def expired() -> bool:
            return (await second.get("/players/me")).status_code == httpx.codes.UNAUTHORIZED

        await asyncio.sleep((soon - datetime.now(UTC)).total_seconds())
        await until_it(expired)
        await passed(three, table)
        last = await stream.end()
        assert last is not None
        assert (last.data["reason"], len(stream.frames)) == ("token", 2)


async def test_an_idle_stream_is_pinged_and_its_token_looked_at(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.live.pings.tick_s = 0.001
    async with (
        reading(app, stream_of(table), three[0]) as stream,
        reading(app, stream_of(table), three[1], accept=NDJSON) as lines,
    ):
        await until(lambda: b"\n\n: ping\n: ping\n" in stream.text and lines.text.endswith(b"\n\n\n"))
        assert len(stream.frames) == len(lines.frames) == 1
        assert (await three[0].delete("/players/me")).status_code == 204
        last = await stream.end()
        assert last is not None
        assert last.data["reason"] == "token"


async def test_while_tokens_cannot_be_looked_up_nothing_is_told_and_nothing_lost(
    three: list[Caller], table: str, app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_stream, "AGAIN_S", 0.001)
    stranger = await register(three[0].http, "Zoe")
    version = await version_of(three[0], table)
    tries = 0

    async def unavailable(_digest: bytes) -> None:
        nonlocal tries
        tries += 1
        raise StoreUnavailable("away")

    async with reading(app, stream_of(table), stranger) as stream:
        await stream.next()
        with monkeypatch.context() as away:
            away.setattr(services.edge.bearers, "of", unavailable)
            services.edge.bearers.forget_player(stranger.player)
            await passed(three, table)
            await until(lambda: tries > 3)
            assert len(stream.frames) == 1
        await passed(three, table)
        last = await version_of(three[0], table)
        assert [frame.id for frame in await stream.upto(last)] == list(range(version + 1, last + 1))


@pytest.fixture
def failing(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads of events for streams bring three each, and the second and the fourth fail."""
    monkeypatch.setattr(live_stream, "AGAIN_S", 0.001)
    monkeypatch.setattr(table_stream, "AGAIN_S", 0.001)
    monkeypatch.setattr(table_stream, "PAGE", 3)
    monkeypatch.setattr(services.edge.streams.feeds, "store", _Failing(services.log.store))


class _Failing:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._reads = 0

    async def stream(self, table: str, after: int, upto: int | None, limit: int) -> list[Recorded]:
        self._reads += 1
        if self._reads in {2, 4}:
            raise StoreUnavailable("away")
        return await self._store.stream(table, after, upto, limit)


@pytest.mark.parametrize("view", ["", "&view=true"])
async def test_a_stream_that_is_to_catch_up_goes_on_after_an_outage(
    three: list[Caller], table: str, app: Edge, failing: None, view: str
) -> None:
    version = await version_of(three[0], table)
    async with reading(app, stream_of(table, f"?after=0{view}"), three[0]) as stream:
        assert [frame.id for frame in await stream.upto(version)] == list(range(1, version + 1))


async def test_no_event_is_left_out_after_an_outage_between_two_of_a_piece(
    three: list[Caller], table: str, app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, late, asked = await version_of(three[1], table), services.tables.spectators.late, []

    async def unavailable_once(of: str) -> bool:
        asked.append(of)
        if len(asked) == 1:
            raise StoreUnavailable("away")
        return await late(of)

    # It is asked when the stream comes to where its reader has sat down.
    monkeypatch.setattr(services.tables.spectators, "late", unavailable_once)
    async with reading(app, stream_of(table, "?after=0"), three[1]) as stream:
        assert [frame.id for frame in await stream.upto(version)] == list(range(1, version + 1))
    assert len(asked) > 1


async def test_a_stream_that_cannot_begin_is_refused(
    three: list[Caller], table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(Feeds, "open", unavailable)
    problem(await three[0].get(stream_of(table)), 503, "unavailable")


async def test_a_stream_whose_snapshot_cannot_be_made_is_refused(
    three: list[Caller], table: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(services.edge.streams.tables.folds, "begin", unavailable)
    problem(await three[0].get(stream_of(table, "?offers=true")), 503, "unavailable")


async def test_a_reader_that_leaves_during_an_outage_holds_nothing(
    three: list[Caller], table: str, app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_stream, "AGAIN_S", 0.001)
    tries = 0

    async def unavailable(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise StoreUnavailable("away")

    monkeypatch.setattr(services.edge.streams.feeds.store, "stream", unavailable)
    async with reading(app, stream_of(table, "?after=0"), three[0]) as stream:
        await until(lambda: tries > 3)
        assert stream.frames == []
        # Pings say that the stream is alive.
        assert stream.text.count(b": ping") > 1
    assert services.edge.live.waiting_at(table) == 0


async def test_what_a_stream_has_missed_comes_once_after_an_outage(
    three: list[Caller], table: str, app: Edge, monkeypatch: pytest.MonkeyPatch, failing: None
) -> None:
    version = await version_of(three[0], table)
    async with reading(app, stream_of(table, "?view=true"), three[0]) as stream:
        await stream.next()
        with monkeypatch.context() as missing:
            missing.setattr(Subscription, "push", lambda *_: None)
            await deal_over(three, table)
            await settled()
        await passed(three, table)
        last = await version_of(three[0], table)
        assert [frame.id for frame in await stream.upto(last)] == list(range(version + 1, last + 1))


async def test_a_reader_that_does_not_read_is_dropped_and_can_go_on(
    three: list[Caller], table: str, app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.subscription.MOST_PENDING", 4)
    async with reading(app, stream_of(table), three[0]) as stream:
        await stream.next()
        stream.reading.clear()
        await deal_over(three, table)
        await settled()
        (waiting,) = services.edge.live._tables[table]
        assert (waiting.ended, len(waiting.pending)) == ("slow", 0)
        stream.reading.set()
        last = await stream.end()
        assert last is not None
        assert (last.kind, last.id, last.data["reason"]) == ("dropped", None, "slow")
        got = [frame.id for frame in stream.frames if frame.id is not None]
    async with reading(app, stream_of(table), three[0], last_event_id=str(got[-1])) as stream:
        version = await version_of(three[0], table)
        got += [frame.id for frame in await stream.upto(version) if frame.id is not None]
    assert got == list(range(got[0], version + 1))


async def test_at_the_end_of_the_service_streams_end_at_once_with_a_hint(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    async with (
        reading(app, stream_of(table), three[0]) as stream,
        reading(app, stream_of(table), accept=NDJSON) as lines,
    ):
        await until(lambda: stream.frames and lines.frames)
        services.edge.live.stop()
        for one in (stream, lines):
            last = await one.end()
            assert last is not None
            assert (last.data["reason"], last.data["retry_ms"]) == ("stopping", 1000)
        assert b"\n\nretry: 1000\nevent: dropped\n" in stream.text
    problem(await three[0].get(stream_of(table)), 503, "unavailable")


async def test_a_stream_that_goes_on_while_the_process_stops_ends_with_that_and_no_error(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.live.stop()
    async with reading(app, stream_of(table, "?after=0"), three[0]) as stream:
        last = await stream.end()
        assert last is not None
        assert last.data["reason"] == "stopping"
        assert [frame.id for frame in stream.frames[:-1]] == list(range(1, await version_of(three[0], table) + 1))


async def test_a_player_and_an_address_have_so_many_streams(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.live.slots = Slots(most=100, per_address=3, per_player=1)
    async with (
        reading(app, stream_of(table), three[0]) as one,
        reading(app, stream_of(table), three[1]) as two,
        reading(app, stream_of(table)) as public,
    ):
        await until(lambda: one.frames and two.frames and public.frames)
        for caller in (three[0], three[2], Caller(three[0].http, "", "")):
            async with reading(app, stream_of(table), caller) as refused:
                assert (refused.status, json.loads(refused.text)["code"]) == (429, "too-many-streams")
                assert int(refused.headers["retry-after"]) > 0
    async with reading(app, stream_of(table), three[0]) as again:
        assert again.status == 200


async def test_where_all_are_taken_an_anonymous_stream_gives_way_and_goes_on_later(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    services.edge.live.slots = Slots(most=2, per_address=10, per_player=10)
    version = await version_of(three[0], table)
    async with reading(app, stream_of(table)) as first, reading(app, stream_of(table)) as last:
        await until(lambda: first.frames and last.frames)
        async with reading(app, stream_of(table)) as refused:
            assert (refused.status, json.loads(refused.text)["code"]) == (503, "unavailable")
            assert int(refused.headers["retry-after"]) > 0
        async with reading(app, stream_of(table), three[0]) as player:
            frame = await last.end()
            assert frame is not None
            assert (frame.data["reason"], frame.id) == ("room", None)
            assert f"retry: {frame.data['retry_ms']}\n".encode() in last.text
            acted = await passed(three, table)
            for one in (first, player):
                assert [frame.id for frame in await one.upto(acted)][-1] == acted
            async with reading(app, stream_of(table), three[1]):
                frame = await first.end()
                assert frame is not None
                assert frame.data["reason"] == "room"
                async with reading(app, stream_of(table)) as refused:
                    assert refused.status == 503
            async with reading(app, stream_of(table, f"?after={version}")) as again:
                assert [one.id for one in await again.upto(acted)] == list(range(version + 1, acted + 1))
    assert not services.edge.live.slots._taken


async def test_streams_of_a_reader_who_has_used_up_the_quota_end_and_no_others(
    three: list[Caller], table: str, app: Edge, services: Services, settings: Settings
) -> None:
    # Its clock stands still: on a busy machine a quota might fill up between two acts.
    limited = create_app(configured(structs.replace(settings, rate_limit=20), services, clock=lambda: 1.0))
    version = await version_of(three[0], table)
    async with (
        reading(app, stream_of(table), three[1]) as other,
        reading(limited, stream_of(table, f"?after={version}")) as held,
    ):
        acted, rounds = version, 0
        while not held.ended:
            acted = await passed(three, table)
            await until(lambda: held.ended or any(frame.id == acted for frame in held.all_frames))  # noqa: B023
            rounds += 1
            assert rounds < 100
        last = await held.end()
        assert last is not None
        assert last.data["reason"] == "quota"
        assert 0 < last.data["retry_ms"] <= 60_000
        assert [frame.id for frame in held.frames[:-1]] == list(range(version + 1, version + len(held.frames)))
        assert [frame.id for frame in await other.upto(acted)][-1] == acted
        async with reading(limited, stream_of(table)) as refused:
            assert refused.status == 429
            assert int(refused.headers["retry-after"]) <= 60


async def test_frames_are_encoded_once_for_all_who_read_them(
    three: list[Caller], table: str, app: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Counter[str] = Counter()

    encode = live_event.served

    def served(record: Recorded, audience: Audience, **rest: Any) -> bytes:
        made[audience] += 1
        return encode(record, audience, **rest)

    monkeypatch.setattr(live_event, "served", served)
    async with AsyncExitStack() as opened_ones:
        callers = (three[0], three[0], three[1], None, None, None)
        of_table, of_lobby = [
            [await opened_ones.enter_async_context(reading(app, path, caller)) for caller in callers]
            for path in (stream_of(table), "/tables/stream?after=0")
        ]
        await until(lambda: all(stream.frames for stream in (*of_table, *of_lobby)))
        made.clear()
        acted = await passed(three, table)
        await until(lambda: all(stream.frames[-1].id == acted for stream in of_table))
        assert made == {"seat:0": 1, "seat:1": 1, "public": 1}
        made.clear()
        before = [len(stream.frames) for stream in of_lobby]
        await opened(three[0])
        await until(lambda: [len(stream.frames) for stream in of_lobby] == [count + 1 for count in before])
        assert made == {"public": 1}


def measured_by(services: Services) -> Callable[[str], float]:
    """What the service has measured by now under names that begin so."""

    def measured(name: str) -> float:
        lines = services.metrics.exposition().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    return measured


async def test_who_is_connected_is_counted_once_for_each_table(
    three: list[Caller], table: str, app: Edge, services: Services
) -> None:
    measured = measured_by(services)
    async with reading(app, stream_of(table), three[0]), reading(app, stream_of(table), three[0]):
        async with reading(app, stream_of(table), three[1]), reading(app, stream_of(table)):
            assert measured("codille_connected ") == 2
        assert measured("codille_connected ") == 1
    assert measured("codille_connected ") == 0


async def test_streams_are_measured(three: list[Caller], table: str, app: Edge, services: Services) -> None:
    measured = measured_by(services)
    async with reading(app, stream_of(table), three[0]) as stream:
        await stream.next()
        assert measured('codille_streams{kind="table"}') == 1
        assert measured('codille_stream_bytes_total{kind="table"}') == len(stream.text)
    assert measured('codille_streams{kind="table"}') == 0
    assert measured('codille_streams_ended_total{kind="table",reason="gone"}') == 1


async def test_processes_pass_on_what_they_append_and_the_log_fills_the_gaps(
    three: list[Caller], table: str, elsewhere: Services, settings: Settings
) -> None:
    """The acts are this process's, which passes nothing on; the stream is another's."""
    app = create_app(elsewhere)
    version = await version_of(three[0], table)
    async with reading(app, stream_of(table), three[0]) as stream:
        assert (await stream.next()).id == version
        await deal_over(three, table)
        last = await version_of(three[0], table)
        assert [frame.id for frame in await stream.upto(last)] == list(range(version + 1, last + 1))


async def test_a_stream_goes_on_in_another_process(
    three: list[Caller], table: str, app: Edge, elsewhere: Services, settings: Settings
) -> None:
    async with reading(app, stream_of(table, "?after=0"), three[0]) as stream:
        before = [frame.id for frame in await stream.upto(await version_of(three[0], table))]
    await deal_over(three, table)
    last = await version_of(three[0], table)
    async with reading(create_app(elsewhere), stream_of(table), three[0], last_event_id=str(before[-1])) as on:
        after = [frame.id for frame in await on.upto(last)]
    assert before + after == list(range(1, last + 1))
