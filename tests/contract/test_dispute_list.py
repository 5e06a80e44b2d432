"""The list of the disputes of all tables: who may read which, by state, game and rule, page by page."""

from typing import Any

import asyncpg
import httpx
import pytest

from service.http.charges import Taken
from service.queries import dispute_list
from service.store.database import Database
from tests.contract.conftest import Caller, deal_over, opened, problem, register
from tests.contract.test_disputes import REASON, arbiter, first_line
from tests.contract.test_limits import TARIFF
from tests.support.for_each import for_each

__all__ = ["arbiter"]

ENTRY = {"kind": "contract", "with": "bank", "amount": 3, "text": "as it should have been"}


async def scored(three: list[Caller], deals: int = 1, **options: object) -> str:
    """A table of three deals, after so many of them."""
    table = await opened(three[0], **options)
    for seat, caller in enumerate(three):
        # The opener of a private table needs no invitation, and others are invited.
        invitation = (await three[0].post(f"/tables/{table}/invitations", {})).json()["invitation"]
        answer = await caller.post(f"/tables/{table}/seats?invite={invitation}", {"seat": seat})
        assert answer.status_code == 201, answer.text
    for _ in range(deals):
        await deal_over(three, table)
    return table


async def disputed(caller: Caller, table: str, line: int = 0) -> dict[str, Any]:
    booked = await first_line(caller, table)
    body = REASON | {"lines": [{"version": booked["version"], "line": line}]}
    answer = await caller.post(f"/tables/{table}/disputes", body)
    assert answer.status_code == 201, answer.text
    dispute: dict[str, Any] = answer.json()
    return dispute


async def listed(caller: Caller | httpx.AsyncClient, **query: object) -> list[tuple[str, int]]:
    path = "/disputes" if isinstance(caller, Caller) else "/v1/disputes"
    answer = await caller.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return [(item["table"], item["dispute"]) for item in answer.json()["items"]]


async def test_disputes_of_all_tables_are_listed_newest_first_as_their_tables_list_them(
    three: list[Caller], arbiter: Caller, client: httpx.AsyncClient
) -> None:
    tables = [await scored(three) for _ in range(2)]
    for table in tables:
        await disputed(three[0], table)
    ruling = {"ruling": "rejected", "text": "No."}
    await arbiter.post(f"/tables/{tables[0]}/disputes/1/ruling", ruling)
    items = (await client.get("/v1/disputes")).json()["items"]
    own = [(await client.get(f"/v1/tables/{table}/disputes")).json()["items"] for table in reversed(tables)]
    assert items == [dispute for disputes in own for dispute in disputes]
    assert [(item["status"], item["reason"]) for item in items] == [
        ("open", REASON["reason"]),
        ("rejected", REASON["reason"]),
    ]
    rules = [(await first_line(three[0], table))["rule"] for table in reversed(tables)]
    assert [(item["game"], item["rules"]) for item in items] == [("crocodile", [rule]) for rule in rules]
    assert items[1]["ruling"]["text"] == "No."


async def test_disputes_are_found_by_state_game_and_rule(
    three: list[Caller], arbiter: Caller, client: httpx.AsyncClient
) -> None:
    tables = [await scored(three) for _ in range(3)]
    for table in tables:
        await disputed(three[0], table)
    rule = (await first_line(three[0], tables[0]))["rule"]
    upheld = {"ruling": "upheld", "text": "So it was.", "lines": [ENTRY | {"account": 0, "rule": rule}]}
    await arbiter.post(f"/tables/{tables[0]}/disputes/1/ruling", upheld)
    await arbiter.post(f"/tables/{tables[1]}/disputes/1/ruling", {"ruling": "rejected", "text": "No."})
    first, second, third = [(table, 1) for table in tables]
    assert await listed(client, status="open") == [third]
    assert await listed(client, status="upheld") == [first]
    assert await listed(client, status="rejected") == [second]
    assert await listed(client, status="ruled") == [second, first]
    assert await listed(client, game="crocodile", rule=rule) == [third, second, first]
    assert await listed(client, game="ombre") == []
    assert await listed(client, rule="CR-1.1") == []


async def test_a_page_begins_where_the_one_before_ended_also_where_the_search_pauses(
    three: list[Caller], client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await scored(three, deals=3)
    versions = dict.fromkeys(
        line["version"] for line in (await three[0].get(f"/tables/{table}/ledger")).json()["lines"]
    )
    for version in versions:
        body = REASON | {"lines": [{"version": version, "line": 0}]}
        assert (await three[0].post(f"/tables/{table}/disputes", body)).status_code == 201
    assert len(versions) == 3
    monkeypatch.setattr(dispute_list, "SCANNED", 2)
    for query in ({}, {"rule": "CR-1.1"}):
        cursor, found, pages = None, [], 0
        while True:
            page = (
                await client.get("/v1/disputes", params={"limit": 1, **query} | ({"cursor": cursor} if cursor else {}))
            ).json()
            found += [item["dispute"] for item in page["items"]]
            pages, cursor = pages + 1, page["next"]
            if cursor is None:
                break
        assert found == ([] if query else [3, 2, 1])
        assert pages > 1


async def test_a_page_costs_by_what_it_loads_and_loads_what_it_shows(
    three: list[Caller], arbiter: Caller, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await scored(three, deals=3)
    lines = (await three[0].get(f"/tables/{table}/ledger")).json()["lines"]
    versions = dict.fromkeys(line["version"] for line in lines)
    for number, version in enumerate(versions, 1):
        body = REASON | {"lines": [{"version": version, "line": 0}]}
        assert (await three[0].post(f"/tables/{table}/disputes", body)).status_code == 201
        ruled = await arbiter.post(f"/tables/{table}/disputes/{number}/ruling", {"ruling": "rejected", "text": "No."})
        assert ruled.status_code == 201, ruled.text
    await disputed(three[0], await scored(three))
    rows: list[int] = []
    fetch = Database.fetch

    async def counted(database: Database, query: str, *arguments: object) -> Any:
        found = await fetch(database, query, *arguments)
        rows.append(len(found))
        return found

    monkeypatch.setattr(Database, "fetch", counted)

    async def loaded(**query: object) -> tuple[int, int, int]:
        """How many rows were loaded, what they cost, and how many disputes are listed."""
        rows.clear()
        items = (await client.get("/v1/disputes", params=query)).json()["items"]
        return sum(rows), costs[-1], len(items)

    costs: list[int] = []
    charge = TARIFF.charge("GET", "/v1/disputes")
    monkeypatch.setattr(Taken, "settle", lambda _, cpu_s: costs.append(charge.cost + charge.excess(cpu_s)))
    one, all_ = await loaded(limit=1), await loaded()
    # Its opening and that of the next, the table's first event, three seats, the line.
    assert one[0] == 7
    assert one[2] == 1
    assert all_[2] == 1 + len(versions)
    assert all_[0] > one[0]
    assert all_[1] > one[1]
    searched = await loaded(status="open", limit=1, game="crocodile")
    assert searched[:1] == one[:1]
    none = await loaded(status="upheld")
    assert none[2] == 0
    assert none[0] < all_[0], "the lines of what is not shown are not loaded"


async def test_a_dispute_about_a_correction_is_listed_without_the_one_that_led_to_it(
    three: list[Caller], arbiter: Caller, client: httpx.AsyncClient
) -> None:
    table = await scored(three)
    await disputed(three[0], table)
    rule = (await first_line(three[0], table))["rule"]
    upheld = {"ruling": "upheld", "text": "So it was.", "lines": [ENTRY | {"account": 0, "rule": rule}]}
    ruled = (await arbiter.post(f"/tables/{table}/disputes/1/ruling", upheld)).json()
    body = REASON | {"lines": [{"version": ruled["ruling"]["correction"], "line": ruled["ruling"]["taken_back"]}]}
    answer = await three[1].post(f"/tables/{table}/disputes", body)
    assert answer.status_code == 201, answer.text
    for query in ({"limit": 1}, {"status": "open"}):
        assert await listed(client, **query) == [(table, 2)]
    assert await listed(client) == [(table, 2), (table, 1)]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
async def test_disputes_at_hidden_tables_are_for_their_players_and_arbiters(
    three: list[Caller], arbiter: Caller, client: httpx.AsyncClient, visibility: str
) -> None:
    table = await scored(three, table={"visibility": visibility})
    await disputed(three[0], table)
    stranger = await register(client, "Dora")
    for caller in (client, stranger):
        assert await listed(caller) == []
    for caller in (*three, arbiter):
        assert await listed(caller) == [(table, 1)]


async def test_a_dispute_in_a_running_deal_of_a_late_table_is_listed_when_spectators_see_it(
    three: list[Caller], client: httpx.AsyncClient, arbiter: Caller
) -> None:
    table = await scored(three, table={"spectator_delay": {"seconds": 3600}})
    await disputed(three[0], table)
    assert await listed(three[1]) == [(table, 1)]
    for late in (client, arbiter):
        assert await listed(late) == []
        assert (await client.get(f"/v1/tables/{table}/disputes")).json()["items"] == []
    await deal_over(three, table)
    await deal_over(three, table)
    assert await listed(client) == await listed(arbiter) == [(table, 1)]


async def test_an_unreadable_table_hides_no_other_ones_disputes(
    three: list[Caller], client: httpx.AsyncClient, dsn: str
) -> None:
    good, bad = await scored(three), await scored(three)
    for table in (good, bad):
        await disputed(three[0], table)
    connection = await asyncpg.connect(dsn)
    await connection.execute("SET session_replication_role = replica")
    await connection.execute(
        "UPDATE codille.event SET schema = 99 WHERE table_id = $1 AND type = 'dispute-opened'", bad
    )
    await connection.close()
    assert await listed(client) == [(good, 1)]


@for_each("query", ["status=closed", "rule=9", "cursor=x", "game="])
async def test_invalid_queries_are_refused(client: httpx.AsyncClient, query: str) -> None:
    problem(await client.get(f"/v1/disputes?{query}"), 422, "invalid-query")
