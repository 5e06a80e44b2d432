"""Leaving a running game, ending it together, and tables with a clock, over HTTP."""

import asyncio
from typing import Any

from domain.table.actions import ActFor
from domain.table.deadlines import deadline_of
from service.services import Services
from tests.contract.conftest import Caller, next_of, opened, problem, register, seated
from tests.support.for_each import for_each

KEY = {"Idempotency-Key": "once"}
CLOCK = {"seconds": 30, "reserve": 60, "increment": 2, "absent_after": 1}


async def test_the_game_ends_when_all_agree(three: list[Caller], table: str) -> None:
    end = f"/tables/{table}/end"
    first = await three[1].post(end, {"agree": True})
    view = first.json()
    assert (first.status_code, view["leaving"], view["status"], view["you"]) == (
        200,
        {"agreed": [1], "abandoned": [], "bots": []},
        "playing",
        1,
    )
    assert first.headers["etag"] == f'"{view["version"]}"'
    again = problem(await three[1].post(end, {"agree": True}), 422, "rule-violation")
    assert again["rule"] == "TL-4.1"
    assert (await three[0].post(end, {"agree": True})).json()["leaving"]["agreed"] == [1, 0]
    assert (await three[2].post(end, {"agree": False})).json()["leaving"]["agreed"] == []
    for caller in three:
        last = await caller.post(end, {"agree": True})
    assert (last.json()["status"], last.json()["phase"], last.json()["winners"]) == ("finished", "broken-off", [])
    problem(await three[0].post(end, {"agree": True}), 409, "table-finished")
    events = (await three[0].get(f"/tables/{table}/events")).json()["items"]
    assert (events[-1]["type"], events[-1]["public"]["reason"]) == ("game-finished", "ended by agreement")
    dealt = next(event for event in events if event["type"] == "cards-dealt")
    assert set(dealt["sealed"]) == {"house", "seat:0", "seat:1", "seat:2"}
    audit = await three[0].get(f"/tables/{table}/deals/1/audit")
    assert (audit.status_code, audit.json()["verdict"]) == (200, "intact")
    assert (await three[0].get(f"/tables/{table}/replay/6", params={"as": "all"})).status_code == 200


@for_each("body", [{}, {"agree": "yes"}, {"agree": 1}, {"agree": None}, {"agree": True, "more": 1}])
async def test_bodies_that_agree_to_nothing(three: list[Caller], table: str, body: dict[str, Any]) -> None:
    problem(await three[0].post(f"/tables/{table}/end", body), 422, "invalid-body")


async def test_an_abandoned_seat_is_played_on(three: list[Caller], table: str) -> None:
    seat, caller = await next_of(three, table)
    answer = await caller.post(f"/tables/{table}/seats/me/abandon", None)
    view = answer.json()
    assert (answer.status_code, view["you"]) == (200, seat)
    assert view["leaving"] == {"agreed": [], "abandoned": [seat], "bots": [seat]}
    assert seat not in view["to_act"]
    problem(await caller.post(f"/tables/{table}/seats/me/abandon", None), 409, "abandoned")
    problem(await caller.post(f"/tables/{table}/actions", {"type": "pass"}), 409, "abandoned")
    problem(await caller.post(f"/tables/{table}/end", {"agree": True}), 409, "abandoned")
    refused = problem(await caller.post(f"/tables/{table}/seats", {}), 409, "abandoned")
    assert refused["rule"] == "TL-3.3"
    events = (await caller.get(f"/tables/{table}/events")).json()["items"]
    assert [event["actor"] for event in events if event["type"] == "bid-passed"] == [f"bot:{seat}"]


async def test_a_game_ends_when_somebody_leaves_where_the_table_has_it_so(three: list[Caller]) -> None:
    table = await seated(three, table={"on_abandon": "end"})
    problem(await (await register(three[0].http)).post(f"/tables/{table}/seats/me/abandon", None), 403, "not-seated")
    view = (await three[1].post(f"/tables/{table}/seats/me/abandon", None)).json()
    assert (view["status"], view["winners"], view["table_options"]) == ("finished", [0, 2], {"on_abandon": "end"})


async def test_neither_is_possible_before_the_start(three: list[Caller]) -> None:
    table = await opened(three[0])
    await three[0].post(f"/tables/{table}/seats", {})
    problem(await three[0].post(f"/tables/{table}/seats/me/abandon", None), 409, "not-started")
    problem(await three[0].post(f"/tables/{table}/end", {"agree": True}), 409, "not-started")


async def test_both_are_done_once_with_a_key_and_under_a_condition(three: list[Caller], table: str) -> None:
    path = f"/tables/{table}/seats/me/abandon"
    problem(await three[0].post(path, None, headers={"If-Match": '"1"'}), 412, "precondition-failed")
    answers = await asyncio.gather(*(three[0].post(path, None, headers=KEY) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.content for answer in answers}) == 1
    assert sorted("idempotency-replayed" in answer.headers for answer in answers) == [False, True, True]
    end = f"/tables/{table}/end"
    first = await three[1].post(end, {"agree": True}, headers=KEY)
    again = await three[1].post(end, {"agree": True}, headers=KEY)
    assert (first.content, again.headers.get("idempotency-replayed")) == (again.content, "true")
    problem(await three[1].post(end, {"agree": False}, headers=KEY), 422, "key-reused")


@for_each(
    "table",
    [
        {"clock": {}},
        {"clock": {"seconds": 0}},
        {"clock": {"seconds": 30, "reserve": -1}},
        {"clock": {"seconds": 30, "absent_after": 0}},
        {"clock": {"seconds": 1.5}},
        {"clock": {"seconds": 30, "minutes": 1}},
        {"clock": 30},
        {"on_abandon": "stop"},
        {"pace": "fast"},
        [],
    ],
)
async def test_options_that_a_table_does_not_have(ada: Caller, table: object) -> None:
    refused = problem(await ada.post("/tables", {"game": "crocodile", "table": table}), 422, "invalid-body")
    assert refused["errors"][0]["pointer"].startswith("/table")


async def test_options_as_by_default_are_left_out(ada: Caller) -> None:
    for table in (None, {}, {"on_abandon": "play-on"}, {"clock": None}):
        view = (await ada.post("/tables", {"game": "crocodile", "table": table})).json()
        assert view.keys().isdisjoint({"table_options", "clocks", "deadlines", "leaving"})
        (event,) = (await ada.get(f"/tables/{view['table']}/events")).json()["items"]
        assert "table" not in event["public"]


async def test_a_clock_is_seen_by_all_and_acts_for_who_does_not(three: list[Caller], services: Services) -> None:
    table = await seated(three, table={"clock": CLOCK})
    seat, caller = await next_of(three, table)
    view = (await caller.get(f"/tables/{table}")).json()
    assert view["table_options"] == {"clock": CLOCK}
    assert view["clocks"] == [{"seat": each, "reserve_ms": 60_000, "run_out": 0} for each in range(3)]
    (deadline,) = view["deadlines"]
    assert (deadline["seat"], deadline["rule"]) == (seat, "TL-2.3")
    public = (await caller.http.get(f"/v1/tables/{table}")).json()
    assert (public["deadlines"], public["clocks"]) == (view["deadlines"], view["clocks"])
    history = await services.tables.cache.current(table)
    due = deadline_of(services.reader.of(history.table), history.table)
    assert due is not None
    assert (due.at, due.command) == (deadline["at"], ActFor(seat))


async def test_the_rules_of_a_table_are_served_with_every_game(ada: Caller) -> None:
    game = (await ada.get("/games/crocodile")).json()
    assert "TL-4.2" in {rule["id"] for rule in game["table_rules"]}
    assert game["words"]["events"]["seat-abandoned"]["sentences"]


async def test_a_table_is_found_by_who_abandoned_it(three: list[Caller]) -> None:
    table = await seated(three)
    await three[0].post(f"/tables/{table}/seats/me/abandon", None)
    assert (await three[0].get(f"/tables/{table}")).json()["you"] == 0
