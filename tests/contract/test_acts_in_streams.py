"""Each frame of an event says whether more of its act follows. Where none does, a reader gets its offers if it asks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from domain.table.seat_offers import offers
from service.http.edge import Edge
from service.http.examples import plain
from service.live import folds, table_stream
from service.services import Services
from tests.contract.conftest import Caller, deal_over, next_of, opened, register
from tests.contract.test_table_streams import NDJSON, SSE, passed, stream_of, told, version_of
from tests.support.streams import Frame, reading
from tests.support.waiting import until


def follows(events: Sequence[Any]) -> list[bool]:
    """Of each event whether another one of its act comes after it."""
    return [*(one["action"] == after["action"] for one, after in pairwise(events)), False]


async def at_each_version(services: Services, table: str, seat: int) -> list[Any]:
    """The seat's offers by version, as the house's fold has them; at version 0 there are none."""
    reader, state, found = services.reader, None, list[Any]([[]])
    for record in await services.log.store.stream(table, 0):
        state = reader.fold(state, (record,))
        found.append(plain([one.describe() for one in offers(reader.of(state), state, seat)]))
    return found


@pytest.mark.parametrize("page", [1, 2, 3, 100])
@pytest.mark.parametrize("query", ["", "view=true&"])
async def test_a_stream_says_whether_more_of_an_act_follows(
    three: list[Caller], table: str, app: Edge, monkeypatch: pytest.MonkeyPatch, page: int, query: str
) -> None:
    """As events come, and wherever a page of the log ends."""
    monkeypatch.setattr(table_stream, "PAGE", page)
    async with reading(app, stream_of(table, f"?{query}after=0"), three[1]) as live:
        await until(lambda: live.frames)
        await deal_over(three, table)
        version = await version_of(three[1], table)
        frames = await live.upto(version)
    expected = follows(await told(three[1], table))
    assert [frame.more for frame in frames] == expected
    assert min(expected.count(False), expected.count(True)) > 3
    for caller in (three[0], None):
        async with reading(app, stream_of(table, f"?{query}after=0"), caller, accept=NDJSON) as again:
            assert [frame.more for frame in await again.upto(version)] == expected


@pytest.mark.parametrize("form", [SSE, NDJSON])
@pytest.mark.parametrize("view", ["", "&view=true"])
async def test_offers_come_with_the_end_of_each_act(
    three: list[Caller], table: str, app: Edge, services: Services, form: str, view: str
) -> None:
    begun, path = await version_of(three[0], table), stream_of(table, f"?offers=true{view}")
    async with reading(app, path, three[0], accept=form) as live:
        snapshot = await live.next()
        await deal_over(three, table)
        version = await version_of(three[0], table)
        frames = await live.upto(version)
    due = await at_each_version(services, table, 0)
    assert snapshot.data["offers"] == due[begun]

    def rightly_offered(frames: Sequence[Frame]) -> bool:
        for frame in frames:
            assert ("offers" in frame.data) is not frame.more, frame.id
            assert ("view" in frame.data) is bool(view)
            if not frame.more:
                assert frame.data["offers"] == due[frame.id or 0], frame.id
        return any(frame.data.get("offers") for frame in frames)

    assert rightly_offered(frames)
    for after in (0, begun, begun + 1, version - 1):
        async with reading(app, path, three[0], accept=form, last_event_id=str(after)) as again:
            assert rightly_offered(await again.upto(version)) or after > begun
    stranger = await register(three[0].http, "Zoe")
    for caller in (stranger, None):
        async with reading(app, f"{path}&after=0", caller, accept=form) as public, reading(app, path, caller) as now:
            told = [*await public.upto(version), await now.next()]
            assert all(frame.data["offers"] == [] for frame in told if not frame.more)
            assert not any("offers" in frame.data for frame in told if frame.more)


async def test_without_being_asked_for_no_offers_come(three: list[Caller], table: str, app: Edge) -> None:
    async with reading(app, stream_of(table), three[0]) as stream:
        first = await stream.next()
        version = await passed(three, table)
        assert not any("offers" in frame.data for frame in (first, *await stream.upto(version)))


async def test_offers_and_frames_of_many_readers_are_made_once(
    three: list[Caller], table: str, app: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    offered = folds.LiveFolds.offered

    def counted(self: Any, state: Any, audience: str) -> bytes:
        made.append(audience)
        return offered(self, state, audience)

    path = stream_of(table, "?offers=true")
    async with (
        reading(app, path, three[0]) as one,
        reading(app, f"{path}&view=true", three[0]) as two,
        reading(app, path, three[0]) as third,
        reading(app, path) as public,
    ):
        await until(lambda: all(stream.frames for stream in (one, two, third, public)))
        monkeypatch.setattr(folds.LiveFolds, "offered", counted)
        version = await passed(three, table)
        for stream in (one, two, third, public):
            await stream.upto(version)
    assert made == ["seat:0"]


async def test_who_sits_down_is_offered_something_from_then_on(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0])
    async with reading(app, stream_of(table, "?offers=true"), three[2]) as stream:
        assert (await stream.next()).data["offers"] == []
        for caller in three:
            await caller.post(f"/tables/{table}/seats", {})
        while three[2] != (await next_of(three, table))[1]:
            await passed(three, table)
        *_, last = await stream.upto(await version_of(three[2], table))
        offered = (await three[2].get(f"/tables/{table}/offers")).json()["offers"]
        assert offered
        assert (last.more, last.data["offers"]) == (False, offered)


async def test_late_spectators_are_told_of_what_follows_as_far_as_they_see(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0], table={"spectator_delay": {"events": 1}})
    async with reading(app, stream_of(table, "?offers=true&after=0")) as stream:
        for seat, caller in enumerate(three):
            await caller.post(f"/tables/{table}/seats", {"seat": seat})
        for _ in range(4):
            _, caller = await next_of(three, table)
            await caller.post(f"/tables/{table}/actions", {"type": "pass"})
            seen = (await three[0].http.get(f"/v1/tables/{table}/events?limit=200")).json()
            await until(lambda seen=seen: [frame.id for frame in stream.frames[-1:]] == [seen["version"]])
            last = stream.frames[-1]
            assert (last.id, last.more, last.data["offers"]) == (seen["version"], False, [])
        async with reading(app, stream_of(table, "?after=0")) as again:
            frames = await again.upto(seen["version"])
        assert [frame.more for frame in frames] == follows(seen["items"])
