"""Following a table through what goes wrong: each event once and in order, or an error that says why."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from codille_client import Altered, Client, Moment, Problem, Unreachable, http, streams, sync
from codille_client.streams import Buffered

from tests.support.for_each import for_each
from tests.support.misbehaving import Answer, Asked, Misbehaving, cut_off, hung_up, misbehaving, problem, status, stream

Json = dict[str, Any]
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds takes hundredths of them."""
    monkeypatch.setattr(http, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(streams, "SNAPSHOT_S", 0.3)
    monkeypatch.setattr(streams, "SILENCE_S", 0.3)


def view(version: int, *, status: str = "playing", you: int | None = 0, to_act: list[int] | None = None) -> Json:
    return {"version": version, "status": status, "you": you, "to_act": [0] if to_act is None else to_act}


def offers(*cards: str) -> list[Json]:
    return [{"type": "play", "fields": {"card": {"one_of": [*cards]}}}]


def snapshot(version: int, **seen: Any) -> Json:
    data = {"version": version, "view": view(version, **seen), "offers": offers("Ks")}
    return {"frame": "snapshot", "id": version, "data": data}


def event(version: int, *, more: bool = False, cards: tuple[str, ...] = ("Ks",), **seen: Any) -> Json:
    data = {"version": version, "type": "card-played", "more": more, "view": view(version, **seen)}
    return {"frame": "event", "id": version, "data": data | ({} if more else {"offers": offers(*cards)})}


async def followed(client: Client, last: int, **given: Any) -> list[Moment]:
    """The moments up to this version."""
    moments = []
    async with aclosing(client.table("t").follow(**given)) as following, asyncio.timeout(20):
        async for moment in following:
            moments.append(moment)
            if moment.version >= last:
                break
    return moments


TEXT = "one line\u2028with a sign at which some end it"


async def test_events_come_once_and_in_order_over_as_many_connections_as_it_takes() -> None:
    dropped = {"frame": "dropped", "data": {"reason": "stopping", "detail": "", "retry_ms": 1}}
    presence = {"frame": "presence", "data": {"table": "t", "seats": []}}
    novel = {"frame": "weather", "data": {"wind": 3}}
    answers = [
        hung_up,
        stream(snapshot(3), "\n", event(4, more=True), presence),
        problem(503, "unavailable", retry_after=0),
        status(502, "<html>", "text/html"),
        stream(event(4), event(5), novel, '{"frame":"event","id":6,"da'),
        cut_off({}),
        stream(dropped),
        stream(event(6), dropped, event(99)),
        stream(event(7)),
    ]
    async with misbehaving(*answers) as server, Client(server.url, "token") as client:
        moments = await followed(client, 7)
    kinds = [(moment.kind, moment.version) for moment in moments]
    known = [("snapshot", 3), ("event", 4), ("presence", 4), ("event", 5), ("weather", 5), ("event", 6), ("event", 7)]
    assert kinds == known
    assert [moment.event["version"] for moment in moments if moment.event is not None] == [4, 5, 6, 7]
    assert [len(moment.offers) for moment in moments] == [1, 0, 0, 1, 0, 1, 1]
    assert moments[4].data == {"wind": 3}
    assert [moment.view["version"] for moment in moments] == [3, 4, 4, 5, 5, 6, 7]
    cursors = [asked.headers.get("last-event-id") for asked in server.asked]
    assert cursors == [None, None, "4", "4", "4", "5", "5", "5", "6"]
    assert {asked.path for asked in server.asked} == {"/v1/tables/t/events/stream?view=true&offers=true"}
    assert {asked.headers["accept"] for asked in server.asked} == {"application/x-ndjson"}


async def test_who_goes_on_where_nothing_has_happened_since_is_told_who_is_connected() -> None:
    presence = {"frame": "presence", "data": {"table": "t", "seats": []}}
    answers = [stream(presence), status(200, view(4)), stream(event(5))]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        moments = await followed(client, 5, after=4)
    assert [(moment.kind, moment.version, moment.view["version"]) for moment in moments] == [
        ("presence", 4, 4),
        ("event", 5, 5),
    ]
    assert [asked.path.partition("?")[0] for asked in server.asked][1] == "/v1/tables/t/replay/4"


async def test_lines_end_at_line_feeds_alone() -> None:
    told = event(4)
    told["data"]["text"] = TEXT
    async with misbehaving(stream(snapshot(3), told)) as server, Client(server.url) as client:
        assert (await followed(client, 4))[-1].data == told["data"]


async def test_a_silent_stream_is_a_lost_connection() -> None:
    answers = [stream(snapshot(3), event(4), silent_s=60), stream(event(5), silent_s=60), stream(event(6), silent_s=60)]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        assert [moment.version for moment in await followed(client, 6)] == [3, 4, 5, 6]
    assert [asked.headers.get("last-event-id") for asked in server.asked] == [None, "4", "5"]


class Table:
    """A table behind a proxy that holds back streams, of so many events; more are there at each look."""

    def __init__(self, *, streams: int = 0) -> None:
        self.version = 3
        self.streams = streams
        self.waited: list[str] = []

    async def answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        path, _, query = asked.path.partition("?")
        given = dict(part.split("=") for part in query.split("&") if part)
        if path.endswith("/stream"):
            self.streams -= 1
            frames = [snapshot(3)] if self.streams >= 0 else []
            await stream(*frames, silent_s=0 if frames else 60)(asked, writer)
            return
        if path.endswith("/offers"):
            found: Json = {"version": self.version, "you": 0, "to_act": [0], "offers": offers("Ks")}
        elif path.endswith("/replay"):
            first, last = int(given["from"]), min(int(given["to"]), int(given["from"]) + 1)
            found = {"steps": [self.step(version) for version in range(first, last + 1)], "version": self.version}
        else:
            if "after" in given:
                self.waited.append(given["wait"])
                self.version += 3
            found = view(self.version)
        await status(200, found)(asked, writer)

    def step(self, version: int) -> Json:
        told = {"version": version, "type": "card-played", "action": f"a{version // 2}"}
        return {"version": version, "event": told, "changed": [], "view": view(version)}


async def test_where_a_proxy_buffers_it_waits_by_reading() -> None:
    table = Table()
    async with misbehaving(table.answer) as server, Client(server.url) as client:
        moments = await followed(client, 9)
    assert [(moment.kind, moment.version) for moment in moments] == [
        ("snapshot", 3),
        *(("event", at) for at in range(4, 10)),
    ]
    assert [moment.view["version"] for moment in moments] == [3, 4, 5, 6, 7, 8, 9]
    assert [len(moment.offers) for moment in moments] == [1, 0, 0, 1, 0, 0, 1]
    # An act's events that one answer holds are marked as a stream marks them.
    assert [moment.data["more"] for moment in moments[1:] if moment.data] == [True, False, False, False, False, False]
    assert table.waited == ["25", "25"]


async def test_where_a_stream_begins_and_then_nothing_comes_it_waits_by_reading() -> None:
    table = Table(streams=1)
    async with misbehaving(table.answer) as server, Client(server.url) as client:
        assert [moment.version for moment in await followed(client, 6)] == [3, 4, 5, 6]
    assert [asked.headers.get("last-event-id") for asked in server.asked[:3]] == [None, "3", "3"]


async def test_a_token_that_ends_in_the_middle_is_a_problem() -> None:
    ended = {"frame": "dropped", "data": {"reason": "token", "detail": "", "retry_ms": 1}}
    answers = [stream(snapshot(3), event(4), ended), problem(401, "invalid-token")]
    async with misbehaving(*answers) as server, Client(server.url, "token") as client:
        following = client.table("t").follow()
        assert [(await anext(following)).version for _ in range(2)] == [3, 4]
        with pytest.raises(Problem, match="401 invalid-token"):
            await anext(following)


async def test_a_service_that_stays_away_is_given_up() -> None:
    for answer, kind in ((hung_up, Unreachable), (stream(), Unreachable), (problem(503, "unavailable"), Problem)):
        async with misbehaving(answer) as server, Client(server.url, deadline_s=0.2) as client:
            with pytest.raises(kind):
                await followed(client, 9)
            assert len(server.asked) > 1


async def test_an_event_that_was_left_out_is_noticed() -> None:
    async with misbehaving(stream(snapshot(3), event(5))) as server, Client(server.url) as client:
        with pytest.raises(Altered, match="event 5 of tables/t/events/stream came after event 3"):
            await followed(client, 9)


async def test_it_goes_on_after_a_version() -> None:
    async with misbehaving(stream(event(1), event(2))) as server, Client(server.url) as client:
        assert [moment.version for moment in await followed(client, 2, after=0)] == [1, 2]
    assert server.asked[0].headers["last-event-id"] == "0"


async def turns(server: Misbehaving, number: int) -> list[tuple[int, list[str]]]:
    found = []
    async with Client(server.url) as client, asyncio.timeout(20):
        table = client.table("t")
        for _ in range(number):
            if (moment := await table.my_turn()) is None:
                break
            found.append((moment.version, [card for offer in moment.offers for card in offer.fields["card"]["one_of"]]))
    return found


async def test_a_turn_is_when_the_game_waits_for_the_player_and_has_offers() -> None:
    frames = [
        snapshot(3, to_act=[1]),
        event(4, more=True),
        event(5, cards=("Qs", "Js")),
        event(6, to_act=[1]),
        event(7, status="open"),
        event(8, you=1, to_act=[1]),
        event(9, status="finished"),
    ]
    async with misbehaving(stream(*frames)) as server:
        assert await turns(server, 9) == [(5, ["Qs", "Js"]), (8, ["Ks"])]


async def test_without_turns_it_is_when_offers_have_changed() -> None:
    frames = [
        snapshot(3, to_act=[]),
        event(4, to_act=[]),
        event(5, to_act=[], cards=("Qs",)),
        event(6, to_act=[], cards=("Qs",)),
        event(7, status="finished"),
    ]
    async with misbehaving(stream(*frames)) as server:
        assert await turns(server, 9) == [(3, ["Ks"]), (5, ["Qs"])]


async def test_after_an_act_the_next_turn_is_not_before_it() -> None:
    """The stream is behind the answer. Offers that are the same as before the act are offered again."""
    acted = status(201, {"version": 5, "events": [], "to_act": []})
    frames = [snapshot(3, to_act=[]), event(4, to_act=[], cards=("Qs",)), event(5, to_act=[])]
    async with misbehaving(stream(*frames, silent_s=5), acted) as server, Client(server.url) as client:
        table = client.table("t")
        first = await table.my_turn()
        assert first is not None
        assert first.version == 3
        assert await first.act(first.offers[0].act()) == {"version": 5, "events": [], "to_act": []}
        second = await table.my_turn()
        assert second is not None
        assert (second.version, second.offers) == (5, first.offers)
    assert "if-match" not in server.asked[1].headers


@pytest.mark.parametrize("refused", [problem(412, "precondition-failed"), problem(409, "not-your-turn", version=4)])
async def test_an_act_that_comes_too_late_is_none_and_the_next_turn_follows(refused: Answer) -> None:
    frames = [snapshot(3), event(4)]
    async with misbehaving(stream(*frames, silent_s=5), refused) as server, Client(server.url) as client:
        table = client.table("t")
        first = await table.my_turn()
        assert first is not None
        assert await first.act(first.offers[0].act()) is None
        second = await table.my_turn()
        assert second is not None
        assert second.version == 4
    assert server.asked[1].headers["if-match"] == '"3"'


async def test_an_act_that_is_wrong_at_its_own_moment_is_an_error() -> None:
    refused = problem(422, "rule-violation", version=3)
    async with misbehaving(stream(snapshot(3), silent_s=5), refused) as server, Client(server.url) as client:
        moment = await client.table("t").my_turn()
        assert moment is not None
        with pytest.raises(Problem, match="422 rule-violation"):
            await moment.act({"type": "play", "card": "As"})


async def test_a_turn_is_none_only_when_nothing_can_be_played_any_more_and_then_each_time() -> None:
    async with misbehaving(stream(snapshot(3, status="closed"))) as server, Client(server.url) as client:
        table = client.table("t")
        assert [await table.my_turn() for _ in range(2)] == [None, None]


async def test_a_wait_that_is_cancelled_or_timed_out_changes_nothing() -> None:
    waiting, turn = snapshot(3, to_act=[1]), event(4)
    answers = [stream(waiting, silent_s=60), stream(waiting, silent_s=60), stream(waiting, turn, silent_s=60)]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        table = client.table("t")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await table.my_turn()
        cancelled = asyncio.create_task(table.my_turn())
        await asyncio.sleep(0.1)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        moment = await table.my_turn()
    assert moment is not None
    assert moment.version == 4


async def test_an_outage_is_an_error_each_time_and_a_turn_follows_once_the_service_is_back() -> None:
    async with misbehaving(hung_up) as server, Client(server.url, deadline_s=0.1) as client:
        table = client.table("t")
        for _ in range(2):
            with pytest.raises(Unreachable):
                await table.my_turn()
        server.answers = [stream(snapshot(3), silent_s=60)]
        moment = await table.my_turn()
    assert moment is not None
    assert moment.version == 3


@for_each("to_act", [[0], []])
async def test_two_who_wait_at_once_are_each_given_the_turn(to_act: list[int]) -> None:
    frames = [snapshot(3, to_act=[1]), event(4, to_act=to_act)]
    async with misbehaving(stream(*frames, silent_s=60)) as server, Client(server.url) as client:
        table = client.table("t")
        turns = await asyncio.gather(table.my_turn(), table.my_turn())
    assert [moment and moment.version for moment in turns] == [4, 4]


async def test_who_waits_while_the_client_is_closed_is_not_told_that_the_game_is_over() -> None:
    async with misbehaving(stream(snapshot(3, to_act=[1]), silent_s=60)) as server, Client(server.url) as client:
        waiting = asyncio.create_task(client.table("t").my_turn())
        await asyncio.sleep(0.1)
        await client.close()
        with pytest.raises(RuntimeError, match="closed"):
            await waiting


@for_each("number, code", [(404, "no-such-table"), (409, "record-unreadable"), (410, "of-later")])
async def test_a_table_that_is_erased_hidden_or_set_aside_is_a_problem_each_time(number: int, code: str) -> None:
    answers = [stream(snapshot(3, to_act=[1])), problem(number, code)]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        table = client.table("t")
        for _ in range(2):
            with pytest.raises(Problem, match=code):
                await table.my_turn()


ENDINGS = [
    ("game-finished", "finished", {"reason": "all deals are played"}, "all deals are played"),
    ("table-closed", "closed", {"reason": "closed by its opener"}, "closed by its opener"),
    ("table-expired", "closed", {}, "expired"),
]


@for_each("type, status, public, why", ENDINGS)
async def test_what_is_followed_ends_with_the_game_and_says_why(type: str, status: str, public: Json, why: str) -> None:
    last = event(4, status=status)
    last["data"] |= {"type": type, "public": public}
    frames = [snapshot(3), last, event(5, status=status)]
    async with misbehaving(stream(*frames, silent_s=60)) as server, Client(server.url) as client:
        table = client.table("t")
        assert [moment.ended async for moment in table.follow()] == [None, why]
        assert [moment.version for moment in await followed(client, 5, beyond=True)] == [3, 4, 5]
        server.answers = [stream(snapshot(4, status=status))]
        assert [moment.ended async for moment in table.follow()] == [status]


async def test_what_one_may_say_is_no_offer_and_no_turn() -> None:
    talk = {"type": "talk", "fields": {"text": {"text": {"min": 1, "max": 200}}}}
    frames = [snapshot(3, to_act=[]), event(4, to_act=[])]
    frames[0]["data"]["offers"] = [talk]
    frames[1]["data"]["offers"] += [talk]
    async with misbehaving(stream(*frames)) as server, Client(server.url) as client:
        moment = await client.table("t").my_turn()
    assert moment is not None
    assert (moment.version, [offer.type for offer in moment.offers]) == (4, ["play"])
    assert moment.talk is not None
    assert moment.talk.act(text="Good luck") == {"type": "talk", "text": "Good luck"}


async def test_what_is_read_is_not_older_than_what_was_seen() -> None:
    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        refused = problem(409, "not-your-turn", version=11)
        acted = refused if asked.headers.get("if-match") else status(201, {"version": 9, "events": [], "to_act": []})
        found = status(200, {**view(4), "table": "t", "offers": [], "items": [], "why": {}})
        reply = acted if asked.method == "POST" else found
        await (stream(snapshot(3, status="finished")) if "/stream" in asked.path else reply)(asked, writer)

    async with misbehaving(answer) as server, Client(server.url) as client:
        table = client.table("t")
        await followed(client, 3)
        assert [moment.version async for moment in table.follow()] == [3]
        await table.view()
        await table.ledger()
        await table.act({"type": "pass"})
        for read in (table.offers(), table.view(min_version=4), table.get_deal_facts(1), table.why("pass")):
            await read
        with pytest.raises(Problem):
            await table.act({"type": "pass"}, 9)
        assert [event async for event in table.events()] == []
        await table.export()
        await table.view(min_version=12)
    reads = [asked.path for asked in server.asked if asked.method == "GET" and "/stream" not in asked.path]
    versions = [path.partition("min_version=")[2].partition("&")[0] for path in reads]
    assert versions == ["3", "4", "9", "9", "9", "9", "11", "11", "12"]


async def test_lines_are_disputed_as_the_ledger_has_them() -> None:
    line = {"account": "seat:0", "amount": 2, "version": 58, "line": 2, "deal": 1}
    async with misbehaving(status(201, {"dispute": 1})) as server, Client(server.url) as client:
        await client.table("t").dispute("the last trick was mine", lines=[line])
    assert server.asked[0].body == {"reason": "the last trick was mine", "lines": [{"version": 58, "line": 2}]}


async def test_a_seat_is_taken_once() -> None:
    answers = [problem(409, "already-seated"), status(200, view(3, you=1))]
    async with misbehaving(*answers) as server, Client(server.url) as client:
        assert (await client.table("t").sit())["you"] == 1
        server.answers = [*answers]
        with pytest.raises(Problem, match="409 already-seated"):
            await client.table("t").sit(2)
        server.answers = [problem(409, "table-full"), status(200, view(3, you=None))]
        with pytest.raises(Problem, match="409 table-full"):
            await client.table("t").sit()


async def test_other_streams_begin_anew_where_they_are_reset() -> None:
    frames = [{"frame": kind, "id": number, "data": {}} for kind, number in (("snapshot", 7), ("event", 9))]
    reset = {"frame": "reset", "id": 20_000, "data": {}}
    async with misbehaving(stream(*frames), stream(reset, frames[1])) as server, Client(server.url) as client:
        seen = [frame async for frame in first(client.notices(), 3)]
    assert seen == [*frames, reset]
    assert [asked.headers.get("last-event-id") for asked in server.asked] == [None, "9"]
    async with misbehaving(stream(silent_s=60)) as server, Client(server.url) as client:
        with pytest.raises(Buffered, match="nothing comes over tables/stream"):
            await anext(client.lobby())


async def first(frames: AsyncIterator[Json], number: int) -> AsyncIterator[Json]:
    for _ in range(number):
        yield await anext(frames)


async def test_the_face_without_async_follows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync.http, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(sync.streams, "SNAPSHOT_S", 0.3)
    monkeypatch.setattr(sync.streams, "SILENCE_S", 0.3)

    def versions(url: str) -> list[int]:
        found = []
        with sync.Client(url) as client:
            for moment in client.table("t").follow():
                found.append(moment.version)
                if moment.version == 6:
                    return found
        return found

    answers = [stream(snapshot(3), event(4)), hung_up, stream(event(5), silent_s=60), stream(event(6))]
    async with misbehaving(*answers) as server:
        assert await asyncio.to_thread(versions, server.url) == [3, 4, 5, 6]
    table = Table()
    async with misbehaving(table.answer) as server:
        assert await asyncio.to_thread(versions, server.url) == [3, 4, 5, 6]


async def test_a_hundred_tables_that_need_an_answer_are_each_had_once_but_for_one_that_is_gone() -> None:
    """A moment that was answered, and is followed by another turn of the player, comes with the next."""
    versions = dict.fromkeys(map(str, range(100)), 3)

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        path = asked.path.partition("?")[0].split("/")
        if path[-1] == "stream":
            tables = [{"table": table, "version": 3, "your_turn": table != "9"} for table in versions]
            told = {"table": "9", "version": 3, "notices": ["your-turn"]}
            late = {"table": "8", "version": 3, "notices": ["your-turn", "deal-scored"]}
            frames = [{"frame": "event", "id": at, "data": data} for at, data in ((2, told), (3, late))]
            first = {"frame": "snapshot", "id": 1, "data": {"tables": tables}}
            await stream(first, *frames, silent_s=60)(asked, writer)
        elif path[3] == "7":
            await problem(404, "no-such-table")(asked, writer)
        elif path[-1] == "actions":
            versions[path[3]] += 1
            await status(201, {"version": versions[path[3]], "events": [], "to_act": []})(asked, writer)
        else:
            version = versions[path[3]]
            found = view(version, to_act=[0] if version < 4 or (path[3] == "5" and version < 6) else [1])
            await status(200, {**found, "table": path[3], "offers": offers("Ks")})(asked, writer)

    had = []
    async with misbehaving(answer) as server, Client(server.url) as client, asyncio.timeout(60):
        async for moment in client.turns():
            had.append(moment.table.id)
            if moment.table.id != "6":
                await moment.act(moment.offers[0].act())
            if moment.table.id == "9":
                break
    assert had == [
        *(str(table) for table in range(100) for _ in range(3 if table == 5 else 1) if table not in (7, 9)),
        "9",
    ]


RECORD = ROOT / "api-spec" / "examples" / "records" / "finished.ndjson"


def frame_of(told: Json) -> Json:
    data = {**told, "more": False, "view": view(told["version"]), "offers": []}
    return {"frame": "event", "id": told["version"], "data": data}


async def test_what_is_followed_is_checked_against_what_was_published_before() -> None:
    record = [json.loads(line) for line in RECORD.read_bytes().split(b"\n")[1:-2]]
    frames = [snapshot(10), *map(frame_of, record[10:14])]
    page = status(200, {"items": record[:12], "version": 12})
    async with misbehaving(stream(*frames), page) as server, Client(server.url) as client:
        moments = await followed(client, 14, check=True)
    assert [moment.version for moment in moments] == [10, 11, 12, 13, 14]
    assert [asked.path for asked in server.asked][1:] == ["/v1/tables/t/events?after=0"]
    for place, member in ((12, "actor"), (3, "at")):
        altered = json.loads(json.dumps(record))
        altered[place][member] = "bot:1"
        answers = (
            stream(snapshot(10), *map(frame_of, altered[10:14])),
            status(200, {"items": altered[:10], "version": 12}),
        )
        async with misbehaving(*answers) as server, Client(server.url) as client:
            with pytest.raises(Altered, match=f"event {place + 1}: its hash is another's"):
                await followed(client, 14, check=True)
        async with misbehaving(*answers) as server, Client(server.url) as client:
            assert len(await followed(client, 14)) == 5


LEAVING = """
import asyncio, sys
from codille_client import Client

async def main():
    async with Client(sys.argv[1]) as one, Client(sys.argv[1]) as other, Client(sys.argv[1]) as third:
        for client in (one, other, third):
            await client.register("Ada")
        table = await one.open_table("crocodile")
        for client in (one, other, third):
            await client.table(table.id).sit()
        async for moment in table.follow():
            break
        async for frame in one.lobby():
            break
        tables = [client.table(table.id) for client in (one, other, third)]
        turns = [asyncio.ensure_future(each.my_turn()) for each in tables]
        done, waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
        for turn in waiting:
            turn.cancel()

asyncio.run(main())
"""


def test_what_is_left_in_the_middle_ends_with_the_client(service_url: str) -> None:
    """Without a word about generators that nobody has closed."""
    left = subprocess.run(
        [sys.executable, "-c", LEAVING, service_url],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (left.returncode, left.stderr) == (0, "")
