"""Spectators of a table with `spectator_delay`: whatever they ask, they are behind the running deal (TL-6)."""

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest

from domain.seats import PUBLIC
from service.commands.erasing import erase_text
from service.http.edge import Edge
from service.live import late_feeds
from service.services import Services
from tests.contract.conftest import Caller, act, deal_over, next_of, opened, problem, register, with_scopes
from tests.contract.test_export import KEY
from tests.contract.test_table_streams import NDJSON, stream_of, told, version_of
from tests.support.exports import verified
from tests.support.for_each import for_each
from tests.support.picking import pick, repeatable
from tests.support.streams import StreamReader, reading
from tests.support.waiting import settled, until

HOUR_S = 3600
BY_TIME = {"seconds": HOUR_S}


class Clock:
    """The clock that horizons go by, which stands still."""

    def __init__(self, services: Services) -> None:
        self._now = 0
        services.tables.spectators.clock = lambda: self._now

    def reach(self, seconds: int = HOUR_S) -> None:
        """Sets it to so many seconds after what was recorded until now."""
        self._now = time.time_ns() + seconds * 10**9


@pytest.fixture
def clock(services: Services) -> Clock:
    return Clock(services)


async def begun(three: list[Caller], delay: object, opener: Caller | None = None, **own: Any) -> str:
    """A table with this delay and these options of its own, where three players sit and the first deal is dealt."""
    table = await opened(opener or three[0], table={"spectator_delay": delay, **own})
    for seat, caller in enumerate(three):
        answer = await caller.post(f"/tables/{table}/seats", {"seat": seat})
        assert answer.status_code == 201, answer.text
    return table


async def go_on(three: list[Caller], table: str) -> int:
    """The version after the next to act has bid or passed, whichever is offered."""
    _, caller = await next_of(three, table)
    offers = (await caller.get(f"/tables/{table}/offers")).json()["offers"]
    kinds = {offer["type"] for offer in offers}
    action = {"type": "pass"} if "pass" in kinds else {"type": "bid", "contract": "play"}
    return int((await act(caller, table, action)).json()["version"])


async def spectators_of(three: list[Caller], dsn: str) -> dict[str, Caller]:
    """Everybody who does not sit at the table; one of them is to open it."""
    stranger, opener, judge, admin = [await register(three[0].http, name) for name in ("Zoe", "Olga", "Judge", "Root")]
    return {
        "anonymous": Caller(three[0].http, "", ""),
        "stranger": stranger,
        "opener": opener,
        "arbiter": await with_scopes(dsn, judge, "arbiter"),
        "admin": await with_scopes(dsn, admin, "admin"),
    }


async def test_tl_6_1_what_spectators_read_is_what_the_public_knows(three: list[Caller], services: Services) -> None:
    """At the horizon nothing hidden is there that could be shown."""
    table = await begun(three, {"events": 3})
    for _ in range(3):
        await go_on(three, table)
        seen = await services.tables.spectators.seen(table, "")
        assert seen.version < (await services.tables.cache.current(table)).version
        records = await services.log.store.stream(table, 0, seen.version)
        assert seen == services.reader.history(records, None, PUBLIC)


@pytest.mark.parametrize("delay", [3, 1000])
async def test_tl_6_1_spectators_are_so_many_events_behind(three: list[Caller], delay: int) -> None:
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, {"events": delay})
    dealt = await version_of(three[0], table)
    for _ in range(3):
        head = await version_of(three[0], table)
        assert await version_of(zoe, table) == max(dealt, head - delay)
        events = (await zoe.get(f"/tables/{table}/events?limit=200")).json()
        assert [event["version"] for event in events["items"]] == list(range(1, events["version"] + 1))
        assert events["version"] == max(dealt, head - delay)
        await go_on(three, table)


async def test_tl_6_1_an_export_for_spectators_ends_with_an_action(three: list[Caller]) -> None:
    """What had to follow on the last event of the file is in it, so that a verifier finds it intact."""
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, {"events": 2})
    versions, ends = set[int](), set[int]()
    await deal_over(three, table)
    rng = repeatable(1)
    for _ in range(40):
        _, caller = await next_of(three, table)
        offers = (await caller.get(f"/tables/{table}/offers")).json()["offers"]
        await act(caller, table, pick([offer for offer in offers if offer["type"] not in ("talk", "concede")], rng))
        data = (await zoe.get(f"/tables/{table}/export")).content
        found = verified(data, KEY)
        assert (found.verdict, [check.text for check in found.checks if not check.passed]) == ("intact", [])
        events = (await three[0].get(f"/tables/{table}/events?limit=200")).json()["items"]
        versions.add(found.events)
        ends |= {one["version"] for one, after in pairwise(events) if one["action"] != after["action"]}
    assert versions <= ends
    assert len(versions) > 10


@pytest.mark.parametrize("delay", [BY_TIME, {"events": 1000}], ids=["by time", "by events"])
async def test_tl_6_2_with_the_deal_all_is_open_and_what_was_before_it(three: list[Caller], delay: object) -> None:
    zoe, table = await register(three[0].http, "Zoe"), await opened(three[0], table={"spectator_delay": delay})
    for seat, caller in enumerate(three):
        assert await version_of(zoe, table) == 1 + seat
        await caller.post(f"/tables/{table}/seats", {"seat": seat})
    for _ in range(3):
        late = await version_of(zoe, table)
        assert late == await version_of(three[0], table)
        (last,) = (await zoe.get(f"/tables/{table}/events?after={late - 1}")).json()["items"]
        assert last["type"] == "cards-dealt"
        assert (await three[1].post(f"/tables/{table}/end", {"agree": True})).status_code == 200
        assert (await three[1].post(f"/tables/{table}/end", {"agree": False})).status_code == 200
        assert await version_of(zoe, table) == late
        await deal_over(three, table)
    head = await version_of(three[0], table)
    assert await version_of(zoe, table) == head
    export = (await zoe.get(f"/tables/{table}/export")).text.splitlines()
    assert len(export) == head + 2
    for deal in (1, 2, 3):
        assert (await zoe.get(f"/tables/{table}/deals/{deal}/audit")).json()["verdict"] == "intact"
    ledger = (await zoe.get(f"/tables/{table}/ledger")).json()
    assert ledger == (await three[0].get(f"/tables/{table}/ledger")).json()


async def test_a_game_that_ends_within_a_deal_is_open(three: list[Caller]) -> None:
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, BY_TIME)
    await go_on(three, table)
    for caller in three:
        await caller.post(f"/tables/{table}/end", {"agree": True})
    view = (await zoe.get(f"/tables/{table}")).json()
    assert (view["status"], view["version"]) == ("finished", await version_of(three[0], table))


async def test_an_answer_is_held_until_spectators_see_more(
    three: list[Caller], services: Services, clock: Clock
) -> None:
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, {"events": 2})
    version = await version_of(zoe, table)
    feeds = services.edge.streams.feeds
    waiting = asyncio.create_task(zoe.get(f"/tables/{table}?after={version}&wait=60"))
    await until(lambda: feeds.subscriptions.get(table))
    for _ in range(2):
        await go_on(three, table)
        await settled()
        assert not waiting.done()
    await go_on(three, table)
    # The third pass makes the Casco follow, so that two events have followed on the second.
    assert (await waiting).json()["version"] == version + 2
    problem(await zoe.get(f"/tables/{table}?after={version + 3}&wait=60"), 422, "version-beyond-head")
    assert not feeds.subscriptions
    same = await zoe.get(f"/tables/{table}/offers?after={version + 2}&wait=1")
    assert (same.status_code, same.json()["version"]) == (200, version + 2)


async def test_by_time_an_answer_comes_when_it_is_due(three: list[Caller]) -> None:
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, {"seconds": 1})
    head = await version_of(three[0], table)
    answer = (await zoe.get(f"/tables/{table}/events?after={head - 1}&wait=60")).json()
    if not answer["items"]:
        # The cards were dealt less than a second ago when it was asked.
        answer = (await zoe.get(f"/tables/{table}/events?after={answer['version']}&wait=60")).json()
    assert answer["version"] == head


@pytest.fixture
async def late(three: list[Caller], app: Edge) -> AsyncIterator[tuple[str, StreamReader, StreamReader]]:
    """A table whose spectators are three events behind, and the streams of a player and of a spectator."""
    table = await begun(three, {"events": 3})
    async with (
        reading(app, stream_of(table), three[0]) as player,
        reading(app, stream_of(table, "?view=true"), accept=NDJSON) as spectator,
    ):
        await player.next()
        await spectator.next()
        yield table, player, spectator


async def test_a_stream_tells_spectators_of_each_event_when_they_see_it(
    three: list[Caller], late: tuple[str, StreamReader, StreamReader], app: Edge
) -> None:
    table, player, spectator = late
    seen = spectator.frames[0].id or 0
    assert spectator.frames[0].data == {"version": seen, "view": (await three[0].get(f"/tables/{table}/replay/{seen}?as=public")).json()}  # fmt: skip  # noqa: E501
    for _ in range(3):
        head = await go_on(three, table)
        await player.upto(head)
        if head - 3 > seen:
            frames = await spectator.upto(head - 3)
            assert [frame.id for frame in frames] == list(range(seen + 1, head - 2))
            for frame in frames:
                replay = await three[0].get(f"/tables/{table}/replay/{frame.id}?as=public")
                assert frame.data["view"] == replay.json()
            seen = head - 3
        await settled()
        assert spectator.frames[-1].id == seen
    # From any place a reader goes on, and sees no more than the others.
    for after in range(seen + 1):
        async with reading(app, stream_of(table), last_event_id=str(after)) as again:
            if after < seen:
                assert [frame.id for frame in await again.upto(seen)] == list(range(after + 1, seen + 1))
            await until(lambda again=again: again.presence)  # type: ignore[misc]
            assert again.presence == [[True, False, False]]
            assert all((frame.id or 0) <= seen for frame in again.frames)
    async with reading(app, stream_of(table), last_event_id=str(seen + 1)) as refused:
        assert refused.status == 422


async def test_a_stream_opens_with_the_end_of_the_deal(
    three: list[Caller], late: tuple[str, StreamReader, StreamReader], app: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More is told at once than a feed hands on: the reader gets the rest from the log."""
    monkeypatch.setattr(late_feeds, "PAGE", 2)
    table, player, spectator = late
    first = spectator.frames[0].id or 0
    ended = (await deal_over(three, table)).json()
    (scored,) = [event for event in ended["events"] if event["type"] == "deal-scored"]
    frames = await spectator.upto(scored["version"])
    assert [frame.id for frame in frames] == list(range(first + 1, scored["version"] + 1))
    await player.upto(ended["version"])
    expected = await told(three[0], table, first)
    assert [frame.data["type"] for frame in frames] == [one["type"] for one in expected[: len(frames)]]


async def test_by_time_a_stream_tells_of_an_event_no_earlier(three: list[Caller], app: Edge) -> None:
    table = await begun(three, {"seconds": 1})
    async with reading(app, stream_of(table)) as stream:
        await stream.next()
        head = await go_on(three, table)
        events = {event["version"]: event for event in await told(three[0], table)}
        last = (await stream.upto(head))[-1] if stream.frames[0].id != head else stream.frames[0]
        assert last.id == head
        assert {frame.id for frame in stream.frames} <= events.keys()


async def test_who_sits_down_no_longer_follows_late_and_who_gets_up_does(three: list[Caller], app: Edge) -> None:
    table = await opened(three[0], table={"spectator_delay": {"events": 1000}})
    zoe = await register(three[0].http, "Zoe")
    async with reading(app, stream_of(table), zoe) as leaver, reading(app, stream_of(table), three[2]) as sitter:
        await until(lambda: leaver.frames and sitter.frames)
        await zoe.post(f"/tables/{table}/seats", {})
        await zoe.delete(f"/tables/{table}/seats/me")
        for caller in three:
            await caller.post(f"/tables/{table}/seats", {})
        head = await go_on(three, table)
        frames = [(await sitter.next()), *await sitter.upto(head)]
        assert [frame.id for frame in frames] == list(range(1, head + 1))
        (dealt,) = [frame.data for frame in frames[1:] if frame.data["type"] == "cards-dealt"]
        assert list(dealt["sealed"]) == ["seat:2"]
        await leaver.next()
        assert [frame.id for frame in await leaver.upto(dealt["version"])] == list(range(2, dealt["version"] + 1))
        async with reading(app, stream_of(table), zoe, last_event_id="0") as again:
            assert [frame.id for frame in await again.upto(dealt["version"])] == list(range(1, dealt["version"] + 1))
            await settled()
            assert (again.frames[-1].id, leaver.frames[-1].id) == (dealt["version"], dealt["version"])
            assert dealt["version"] < head


async def test_feeds_end_with_their_last_reader(three: list[Caller], app: Edge, services: Services) -> None:
    table, feeds = await begun(three, {"events": 1}), services.edge.streams.feeds
    async with reading(app, stream_of(table)) as one:
        async with reading(app, stream_of(table)) as two:
            await one.next()
            await two.next()
            assert len(feeds.subscriptions[table]) == 2
        await until(lambda: len(feeds.subscriptions[table]) == 1)
        await go_on(three, table)
        head = await go_on(three, table)
        await one.upto(head - 1)
    await until(lambda: not feeds.subscriptions)
    assert feeds.hub.waiting_at(table) == 0


async def test_an_arbiter_rules_on_what_the_arbiter_sees(
    three: list[Caller], services: Services, clock: Clock, dsn: str
) -> None:
    table, callers = await begun(three, BY_TIME), await spectators_of(three, dsn)
    await deal_over(three, table)
    clock.reach()
    judge, ruling = callers["arbiter"], {"ruling": "rejected", "text": "It stands."}
    await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": "Mine."})
    problem(await judge.post(f"/tables/{table}/disputes/1/ruling", ruling), 404, "no-such-dispute")
    assert (await judge.get(f"/tables/{table}/disputes")).json() == {"items": []}
    clock.reach()
    version = await version_of(judge, table)
    match = {"If-Match": f'"{version}"'}
    await go_on(three, table)
    ruled = await judge.post(f"/tables/{table}/disputes/1/ruling", ruling, headers=match)
    assert (ruled.status_code, ruled.json()["status"]) == (201, "open")
    assert ruled.headers["etag"] == match["If-Match"]
    problem(await judge.post(f"/tables/{table}/disputes/1/ruling", ruling), 409, "already-ruled")
    assert (await judge.get(f"/tables/{table}/disputes")).json()["items"][0]["status"] == "open"


async def test_an_opener_without_a_seat_learns_nothing_from_seating_a_substitute(
    three: list[Caller], services: Services, clock: Clock
) -> None:
    """Whether the house plays a seat, and whether a bot plays there since, the opener learns as a spectator does."""
    opener, ada, left = await register(three[0].http, "Olga"), three[0], three[2]
    table = await begun(three, BY_TIME, opener)
    seats, key = f"/tables/{table}/seats", {"Idempotency-Key": "mine"}
    clock.reach()
    asks = [({"bot": True}, {}), ({"bot": "strong", "seat": 2}, {}), ({"bot": True, "seat": 2}, key)]
    asks.append(({"bot": True, "seat": 2}, {"If-Match": f'"{await version_of(opener, table)}"'}))

    async def answered() -> list[str]:
        given = [await opener.post(seats, body, headers=headers) for body, headers in asks]
        return [
            f"{one.status_code} {one.headers['content-type']} {one.headers.get('etag')} {one.text}" for one in given
        ]

    nobody = await answered()
    assert all('"code":"table-full"' in one and '"rule":"TL-7.3"' in one for one in nobody[:3])
    assert (await left.post(f"{seats}/me/abandon", None)).status_code == 200
    assert await answered() == nobody
    clock.reach()
    refused = problem(await opener.post(seats, {"bot": "random", "seat": 2}), 422, "rule-violation")
    assert refused["rule"] == "TL-7.3"
    seen = await version_of(opener, table)
    assert (await ada.post(seats, {"bot": True}, headers={"If-Match": f'"{seen}"'})).status_code == 201
    head, asks[3] = await version_of(ada, table), (asks[3][0], {"If-Match": f'"{seen}"'})
    shown = await opener.get(f"/tables/{table}")
    assert await answered() == [f"201 application/json {shown.headers['etag']} {shown.text}"] * len(asks)
    assert (await version_of(ada, table), await version_of(opener, table)) == (head, seen)
    clock.reach()
    problem(await opener.post(seats, {"bot": True}), 409, "table-full")


async def test_an_opener_without_a_seat_seats_a_substitute_and_sees_it_later(
    three: list[Caller], services: Services, clock: Clock
) -> None:
    opener, ada, left = await register(three[0].http, "Olga"), three[0], three[2]
    table = await begun(three, BY_TIME, opener)
    assert (await left.post(f"/tables/{table}/seats/me/abandon", None)).status_code == 200
    clock.reach()
    seen = await version_of(opener, table)
    for _ in range(2):
        seated = await opener.post(f"/tables/{table}/seats", {"bot": True}, headers={"Idempotency-Key": "once"})
        assert (seated.status_code, seated.json()["version"]) == (201, seen)
        assert "idempotency-replayed" not in seated.headers
    assert await version_of(ada, table) == seen + 1
    clock.reach()
    assert (await opener.get(f"/tables/{table}")).json()["seats"][2]["bot"]["level"] == "strong"


async def test_an_arbiter_learns_of_a_private_table_when_its_dispute_is_to_be_seen(
    three: list[Caller], services: Services, clock: Clock, dsn: str
) -> None:
    judge = await with_scopes(dsn, await register(three[0].http, "Judge"), "arbiter")
    table = await opened(three[0], table={"spectator_delay": BY_TIME, "visibility": "private"})
    invited = (await three[0].post(f"/tables/{table}/invitations", {})).json()["invitation"]
    for caller in three:
        assert (await caller.post(f"/tables/{table}/seats?invite={invited}", {})).status_code == 201
    await deal_over(three, table)
    clock.reach()
    reads = [f"/tables/{table}{path}" for path in ("", "/disputes", "/deals/1/audit", "/events/stream")]
    assert (await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": "Mine."})).status_code == 201
    for path in reads:
        problem(await judge.get(path), 404, "no-such-table")
    problem(await judge.post("/reports", {"about": f"event:{table}/3"}), 404, "no-such-table")
    clock.reach()
    assert (await judge.get(reads[1])).json()["items"][0]["status"] == "open"


async def test_a_text_that_is_erased_is_gone_at_once(three: list[Caller], services: Services, dsn: str) -> None:
    """An erasure is an event like others, which spectators see late; what it erases they see no more."""
    zoe, table = await register(three[0].http, "Zoe"), await begun(three, {"events": 1})
    await deal_over(three, table)
    words = "He cheats, and lives at 5 Low Street."
    raised = (await three[0].post(f"/tables/{table}/disputes", {"deal": 1, "reason": words})).json()
    await go_on(three, table)
    reads = [f"/tables/{table}/{path}" for path in ("disputes", "disputes/1", "events?limit=200", "export")]
    for path in reads:
        assert words in (await zoe.get(path)).text, path
    version = await version_of(zoe, table)
    await erase_text(services.log.store, services.reader, dsn, table, raised["version"])
    for path in reads:
        assert words not in (await zoe.get(path)).text, path
    assert await version_of(zoe, table) == version + 1


@for_each(
    "delay", [{}, {"seconds": 0}, {"seconds": 3601}, {"events": 0}, {"events": 1001}, {"seconds": 5, "events": 5}, 5]
)
async def test_other_delays_are_refused(ada: Caller, delay: object) -> None:
    answer = await ada.post("/tables", {"game": "crocodile", "table": {"spectator_delay": delay}})
    assert problem(answer, 422, "invalid-body")["errors"][0]["pointer"].startswith("/table/spectator_delay")
