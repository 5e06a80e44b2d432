"""A table keeps the rules that it was opened with, in the bodies of its acts too, whatever rules came after."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from domain.games.boston import BOSTON
from domain.games.crocodile import CROCODILE
from domain.kernel.game import Game
from service.app import create_app
from service.store.database import Database
from tests.contract.conftest import Caller, act, client_of, next_of, problem, register, seated, services_over
from tests.support.versions import CROCODILE_LEVELS

OLD, NEW = CROCODILE.rulebook.version, CROCODILE_LEVELS.rulebook.version
FIELD = {OLD: "contract", NEW: "level"}
"""The field of a bid, by the version of the rules."""


@asynccontextmanager
async def process_under(rules: Game, database: Database) -> AsyncIterator[httpx.AsyncClient]:
    """The interface of a process whose newest rules of the game are these."""
    app = create_app(services_over(database, {rules.name: rules}))
    async with client_of(app) as client:
        yield client


@pytest.mark.parametrize("first", [OLD, NEW], ids=lambda version: f"version-{version}-first")
async def test_an_act_is_decoded_with_the_types_of_its_tables_own_rules(database: Database, first: int) -> None:
    async with process_under(CROCODILE, database) as client:
        three = [await register(client, name) for name in ("Ada", "Berta", "Carl")]
        tables = {OLD: await seated(three)}
    async with process_under(CROCODILE_LEVELS, database) as client:
        three = [Caller(client, caller.player, caller.token) for caller in three]
        tables[NEW] = await seated(three)
        for version in (first, OLD + NEW - first):
            table, own, other = tables[version], FIELD[version], FIELD[OLD + NEW - version]
            assert (await client.get(f"/v1/tables/{table}")).json()["rules_version"] == version
            _, bidder = await next_of(three, table)
            offers = (await bidder.get(f"/tables/{table}/offers")).json()["offers"]
            assert {tuple(offer["fields"]) for offer in offers if offer["type"] == "bid"} == {(own,)}
            refused = await bidder.post(f"/tables/{table}/actions", {"type": "bid", other: "play"})
            faults = problem(refused, 422, "invalid-body")["errors"]
            assert {fault["pointer"] for fault in faults} <= {f"/{own}", f"/{other}"}
            answer = (await act(bidder, table, {"type": "bid", own: "play"})).json()
            assert answer["events"][0]["public"]["contract"] == "play"


async def test_the_first_rules_of_boston_are_served_beside_the_newest(client: httpx.AsyncClient) -> None:
    newest = (await client.get("/v1/games/boston")).json()
    assert newest["rules_version"] == BOSTON.rulebook.version == 2
    assert newest == (await client.get("/v1/games/boston?rules_version=2")).json()
    first = (await client.get("/v1/games/boston?rules_version=1")).json()
    assert first["rules_version"] == 1
    # What every table under them has pinned.
    assert first["rules_digest"] == "71f66190795415b502e3344e1d67ad5e64614bd3adee67cf6fdd85e42230f137"
    changed = {old["id"]: (old, new) for old, new in zip(first["rules"], newest["rules"], strict=True) if old != new}
    assert list(changed) == ["BO-9.2"]
    old, new = changed["BO-9.2"]
    assert (old["reading"], new["reading"]) == (False, True)
    assert "honours" not in old["text"]
    assert "tricks over and honours apart" in new["text"]
