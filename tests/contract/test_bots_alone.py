"""Tables at which only bots play are bounded at a time: those of a player, and all."""

import asyncio
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from service.services import Services
from service.store import bots_alone
from service.store.bots_alone import MOST_OF_PLAYER
from tests.contract.conftest import Caller, opened, problem, register

FULL = {"game": "crocodile", "bots": {"0": "quick", "1": "quick", "2": "quick"}}


@pytest.fixture
async def ada(client: httpx.AsyncClient) -> Caller:
    return await register(client)


def refused(answer: httpx.Response, who: str) -> None:
    """Asserts that the table does not begin, since this many have too many."""
    detail = problem(answer, 429, "too-many-bot-tables")["detail"]
    assert detail == f"{who} running tables at which only bots play"
    assert answer.headers["retry-after"] == "60"


async def test_a_player_has_so_many_at_a_time_however_they_begin(client: httpx.AsyncClient, ada: Caller) -> None:
    waiting = await opened(ada, bots={"0": "quick", "1": "quick"})
    key = {"Idempotency-Key": "once"}
    first = await ada.post("/tables", FULL, headers=key)
    answers = await asyncio.gather(*(ada.post("/tables", FULL) for _ in range(MOST_OF_PLAYER + 3)))
    begun = [answer.status_code for answer in answers]
    assert begun.count(201) == MOST_OF_PLAYER - 1
    own = f"a player may have {MOST_OF_PLAYER}"
    for answer in answers:
        if answer.status_code != 201:
            refused(answer, own)
    again = await ada.post("/tables", FULL, headers=key)
    assert (again.status_code, again.json()["table"]) == (201, first.json()["table"])
    refused(await ada.post(f"/tables/{waiting}/seats", {"bot": "quick"}), own)
    refused(await ada.post(f"/tables/{waiting}/seats", {"bot": "quick"}, headers={"If-Match": '"3", "4"'}), own)
    # Where somebody sits too nothing is refused, nor to others.
    assert (await ada.post(f"/tables/{waiting}/seats", {})).json()["status"] == "playing"
    assert (await (await register(client)).post("/tables", FULL)).status_code == 201


async def test_bots_that_are_seated_at_once_begin_no_more(services: Services, ada: Caller) -> None:
    for number in range(MOST_OF_PLAYER - 1):
        await services.players.bots_alone.begin(
            await opened(ada), ada.player, datetime.now(UTC) + timedelta(seconds=number)
        )
    tables = [await opened(ada, bots={"0": "quick"}) for _ in range(3)]
    seats = [ada.post(f"/tables/{table}/seats", {"bot": "quick"}) for table in tables for _ in range(2)]
    statuses = [answer.status_code for answer in await asyncio.gather(*seats)]
    views = [(await ada.get(f"/tables/{table}")).json()["status"] for table in tables]
    assert sorted(views) == ["open", "open", "playing"]
    assert sorted(statuses) == [201] * 4 + [429] * 2


async def test_a_table_that_is_over_or_comes_to_nothing_counts_no_more(services: Services, ada: Caller) -> None:
    now = datetime.now(UTC)
    tables = [await opened(ada) for _ in range(MOST_OF_PLAYER)]
    for table in tables:
        assert await services.players.bots_alone.begin(table, ada.player, now) == "begun"
    assert await services.players.bots_alone.begin(ada.player, ada.player, now) == "player"
    assert (await ada.delete(f"/tables/{tables[0]}")).status_code == 200
    assert (await ada.post("/tables", FULL)).status_code == 201
    assert await services.players.bots_alone.begin(ada.player, ada.player, now) == "player"
    later = now + timedelta(minutes=2)
    # The one that plays goes on.
    assert [await services.players.bots_alone.begin(table, ada.player, later) for table in tables[1:]] == ["begun"] * 7
    assert await services.players.bots_alone.begin(ada.player, ada.player, later) == "player"
    problem(
        await ada.post("/tables", FULL | {"bots": {"0": "quick", "1": "quick", "9": "quick"}}),
        429,
        "too-many-bot-tables",
    )


async def test_what_is_refused_takes_no_place(ada: Caller) -> None:
    wrong = FULL | {"bots": {"0": "quick", "1": "quick", "9": "quick"}}
    for _ in range(MOST_OF_PLAYER + 1):
        problem(await ada.post("/tables", wrong), 422, "no-such-seat")
    assert (await ada.post("/tables", FULL)).status_code == 201


async def test_all_players_together_have_so_many(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_alone, "MOST_OF_ALL", 2)
    statuses = [(await (await register(client)).post("/tables", FULL)).status_code for _ in range(2)]
    assert statuses == [201, 201]
    answer = await (await register(client)).post("/tables", FULL)
    refused(answer, "all players together may have 200")
