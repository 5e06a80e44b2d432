"""What spans tables: lists, statements, leaderboards, records; over real read models that follow a real log."""

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

from projections.models import Seated
from service.app import create_app
from service.config import Settings
from service.services import Services
from tests.contract.conftest import Caller, at_work, client_of, configured, deal_over, opened, problem, seated
from tests.support.for_each import for_each


@pytest.fixture
async def services(settings: Settings, dsn: str, empty_redis: str) -> AsyncIterator[Services]:
    async with at_work(settings, dsn, empty_redis) as services:
        yield services


@pytest.fixture
async def finished(three: list[Caller], table: str) -> str:
    """A table whose game of three deals is over: each deal is conceded by who spoke first."""
    for _ in range(3):
        await deal_over(three, table)
    await until_listed(three[0], table)
    return table


DOCUMENT = json.loads((Path(__file__).parents[2] / "api-spec" / "openapi.json").read_bytes())
PAGED = {
    path: next(one for one in operations["get"]["parameters"] if one.get("name") == "cursor")
    for path, operations in DOCUMENT["paths"].items()
    if any(one.get("name") == "cursor" for one in operations.get("get", {}).get("parameters", ()))
}
"""The parameter that says where a page begins, by the path of the list."""


async def test_the_documents_example_of_a_cursor_is_accepted_and_its_pattern_says_what_is_refused(
    services: Services, three: list[Caller]
) -> None:
    settings = structs.replace(services.settings, webhook_networks=("127.0.0.0/8:1-65535",))
    async with client_of(create_app(configured(settings, services))) as client:
        ada = Caller(client, three[0].player, three[0].token)
        await until_built(ada)
        webhook = (await ada.post("/webhooks", {"url": "http://127.0.0.1:9/"})).json()["id"]
        for path, parameter in PAGED.items():
            address = path.removeprefix("/v1").format(player=three[1].player, webhook=webhook)
            query = "game=crocodile&" if path.endswith("leaderboard") else ""
            listed = await ada.get(f"{address}?{query}cursor={parameter['example']}")
            assert (listed.status_code, path) == (200, path), listed.text
            for wrong in ("", "a b", "é", "x" * 513):
                assert not _fits(parameter["schema"], wrong)
                problem(await ada.get(f"{address}?{query}cursor={wrong}"), 422, "invalid-query")


def _fits(schema: dict[str, Any], text: str) -> bool:
    return bool(re.search(schema["pattern"], text)) and schema["minLength"] <= len(text) <= schema["maxLength"]


async def until_built(caller: Caller) -> None:
    """Waits until there are read models."""
    async with asyncio.timeout(20):
        while True:
            if (await caller.get("/tables")).status_code != 503:
                return
            await asyncio.sleep(0.02)


async def until_listed(caller: Caller, table: str) -> None:
    """Waits until the lists hold the table's newest version; the table's own resources need no waiting."""
    version = (await caller.get(f"/tables/{table}")).json()["version"]
    async with asyncio.timeout(20):
        while True:
            listed = await caller.get(f"/tables?player={caller.player}")
            if any(item["table"] == table and item["version"] == version for item in listed.json().get("items", [])):
                return
            await asyncio.sleep(0.02)


async def test_tables_are_listed_newest_first_and_paged(ada: Caller, services: Services) -> None:
    tables = [await opened(ada) for _ in range(5)]
    await until_built(ada)
    assert await services.models.wait(tables[-1], 1, 20.0)
    listed: list[str] = []
    query = "limit=2"
    while True:
        page = (await ada.get(f"/tables?{query}")).json()
        listed += [item["table"] for item in page["items"]]
        if page["next"] is None:
            break
        query = f"limit=2&cursor={page['next']}"
    assert listed == tables[::-1]


async def test_tables_are_filtered_by_status_game_and_player(
    client: httpx.AsyncClient, three: list[Caller], finished: str
) -> None:
    for query in ("status=finished", "game=crocodile", f"player={three[1].player}", "status=finished&game=crocodile"):
        (item,) = (await client.get(f"/v1/tables?{query}")).json()["items"]
        assert (item["table"], item["status"], item["deal"]) == (finished, "finished", 3)
        assert item["players"] == [caller.player for caller in three]
    for query in ("status=open", "status=playing", "game=other", "player=0197a000-0000-7000-8000-000000000000"):
        assert (await client.get(f"/v1/tables?{query}")).json()["items"] == []


@for_each("query", ["status=null", "player=null", "status=gone", "player=ada", "cursor=x", "cursor=t.1"])
async def test_invalid_queries_are_refused(client: httpx.AsyncClient, query: str) -> None:
    problem(await client.get(f"/v1/tables?{query}"), 422, "invalid-query")


async def test_a_statement_runs_over_all_lines_and_its_balance_is_their_sum(three: list[Caller], finished: str) -> None:
    totals = (await three[0].get(f"/tables/{finished}")).json()["totals"]
    for seat, caller in enumerate(three):
        items = (await caller.get(f"/players/{caller.player}/ledger?game=crocodile")).json()["items"]
        assert sum(item["amount"] for item in items) == totals[seat]
        balance = totals[seat]
        for item in items:
            assert (item["account"], item["table"], item["balance"]) == (f"player:{caller.player}", finished, balance)
            balance -= item["amount"]
        assert balance == 0


async def test_a_statement_is_cut_by_time_and_paged(three: list[Caller], finished: str) -> None:
    (loser, items) = max(
        [(caller, (await caller.get(f"/players/{caller.player}/ledger")).json()["items"]) for caller in three],
        key=lambda pair: len(pair[1]),
    )
    newest = items[0]
    later = await loser.get(f"/players/{loser.player}/ledger", params={"since": newest["at"]})
    assert later.json()["items"] == [item for item in items if item["at"] >= newest["at"]]
    earlier = await loser.get(f"/players/{loser.player}/ledger", params={"until": newest["at"]})
    assert earlier.json()["items"] == [item for item in items if item["at"] < newest["at"]]
    first = (await loser.get(f"/players/{loser.player}/ledger?limit=1")).json()
    assert first["items"] == items[:1]
    if first["next"] is not None:
        rest = await loser.get(f"/players/{loser.player}/ledger?limit=200&cursor={first['next']}")
        assert rest.json()["items"] == items[1:]
    for text, as_of_since in ((newest["at"][:-1] + "000Z", True), (newest["at"][:-1] + "001Z", False)):
        for name, present in (("since", as_of_since), ("until", not as_of_since)):
            cut = await loser.get(f"/players/{loser.player}/ledger", params={name: text})
            assert (newest in cut.json()["items"]) is present, (name, text)
    problem(await loser.get(f"/players/{loser.player}/ledger?since=yesterday"), 422, "invalid-query")


async def test_a_statement_as_csv_says_what_the_json_says(three: list[Caller], finished: str) -> None:
    for caller in three:
        path = f"/players/{caller.player}/ledger"
        items = (await caller.get(path)).json()["items"]
        answer = await caller.get(path, headers={"Accept": "text/csv"})
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [(row["at"], int(row["amount"]), int(row["balance"]), row["rule"]) for row in rows] == [
            (item["at"], item["amount"], item["balance"], item["rule"]) for item in items
        ]
        assert [(row["text"], row["sentence"]) for row in rows] == [(item["text"], item["sentence"]) for item in items]


async def test_what_is_said_of_csv_makes_the_answer_csv(three: list[Caller], finished: str) -> None:
    ada = three[0]
    path = f"/players/{ada.player}/ledger"
    for query in ("separator=semicolon", "separator=tab", "bom=true"):
        for accept in ("*/*", "text/html, */*;q=0.8", "application/json, text/csv;q=0.5"):
            answer = await ada.get(f"{path}?{query}", headers={"Accept": accept})
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        problem(await ada.get(f"{path}?{query}", headers={"Accept": "application/json"}), 406, "not-acceptable")
    assert "items" in (await ada.get(f"{path}?separator=comma&bom=false")).json()
    for query in ("separator=;", "separator=Comma", "bom=1", "bom=true&bom=true"):
        problem(await ada.get(f"{path}?{query}", headers={"Accept": "text/csv"}), 422, "invalid-query")


async def test_a_statement_has_the_players_names_of_now_beside_the_recorded_texts(
    three: list[Caller], finished: str
) -> None:
    for names in (("Ada", "Berta", "Carl"), ("Ada", "(erased)", "Dora")):
        items = [
            item
            for caller in three
            for item in (await three[0].get(f"/players/{caller.player}/ledger")).json().get("items", [])
        ]
        assert items
        for item in items:
            assert "by seat" in item["text"]
            assert item["sentence"] == re.sub(r"seat (\d)", lambda seat, names=names: names[int(seat[1])], item["text"])
        await three[1].delete("/players/me")
        await three[2].send("PATCH", "/players/me", json={"name": "Dora"})


async def test_players_are_known_of_tables_with_no_free_seat(
    three: list[Caller], finished: str, services: Services
) -> None:
    waiting = await opened(three[0])
    assert (await three[0].post(f"/tables/{waiting}/seats", {"seat": 0})).status_code == 201
    assert await services.models.wait(waiting, 2, 20.0)
    by_seat = tuple(Seated(caller.player, None) for caller in three)
    assert await services.models.seated({finished, waiting, three[0].player}) == {finished: by_seat}
    assert await services.models.seated(()) == {}


async def test_the_leaderboard_ranks_by_total_and_counts_games(three: list[Caller], finished: str) -> None:
    view = (await three[0].get(f"/tables/{finished}")).json()
    items = (await three[0].get("/leaderboard?game=crocodile")).json()["items"]
    by_player = {item["player"]: item for item in items}
    for seat, caller in enumerate(three):
        item = by_player[caller.player]
        assert (item["total"], item["games"], item["wins"]) == (
            view["totals"][seat], 1, int(seat in view["winners"])
        )  # fmt: skip
    assert [item["total"] for item in items] == sorted(view["totals"], reverse=True)
    ranks = [1 + sum(other > item["total"] for other in view["totals"]) for item in items]
    assert [item["rank"] for item in items] == ranks
    problem(await three[0].get("/leaderboard?game=other"), 422, "invalid-query")


async def test_a_profile_bears_the_record(three: list[Caller], finished: str) -> None:
    view = (await three[0].get(f"/tables/{finished}")).json()
    for seat, caller in enumerate(three):
        record = (await caller.get(f"/players/{caller.player}")).json()["record"]
        count = {"games": 1, "wins": int(seat in view["winners"])}
        assert record == count | {"by_game": [{"game": "crocodile", "total": view["totals"][seat]} | count]}


async def test_the_read_models_and_the_log_give_the_same_answers(
    three: list[Caller], finished: str, services: Services
) -> None:
    version = (await three[0].get(f"/tables/{finished}")).json()["version"]
    assert await services.models.wait(finished, version, 20.0)
    stored = await services.models.ledger(finished)
    assert stored is not None
    folded = (await three[0].get(f"/tables/{finished}/ledger?min_version={version}")).content
    replay = f'"replay":"/v1/tables/{finished}/replay/{{version}}",'.encode()
    assert folded == b"{" + replay + stored.body[1:]
    assert folded == (await three[0].get(f"/tables/{finished}/ledger")).content
    for seat, caller in enumerate(three):
        kept = await services.models.view(finished, f"seat:{seat}")
        assert kept is not None
        assert kept.body == (await caller.get(f"/tables/{finished}")).content
        assert kept.body == (await caller.get(f"/tables/{finished}/replay/{version}")).content


async def test_me_lists_the_tables_that_are_being_played(three: list[Caller], finished: str) -> None:
    playing, waiting = await seated(three), await opened(three[1])
    await three[1].post(f"/tables/{waiting}/seats", {})
    for table in (playing, waiting):
        await until_listed(three[1], table)
    (listed,) = (await three[1].get("/players/me")).json()["tables"]
    assert (listed["table"], listed["status"]) == (playing, "playing")
    assert three[1].player in listed["players"]
