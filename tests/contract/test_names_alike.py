"""Players are found by names that look like theirs."""

from datetime import UTC, datetime

import httpx
import structlog

from service.auth.secrets import mint_token
from service.http.operations.players import MOST_ALIKE
from service.live.name_looks import NameLooks
from service.moments import new_id
from service.observability.metrics import Metrics
from service.store.accounts import Accounts
from service.store.database import Database
from tests.contract.conftest import problem, register
from tests.support.for_each import for_each


async def named(client: httpx.AsyncClient, name: str) -> list[str]:
    answer = await client.get("/v1/players", params={"name": name})
    assert answer.status_code == 200, answer.text
    return [player["name"] for player in answer.json()["items"]]


async def test_names_that_look_alike_are_found(client: httpx.AsyncClient) -> None:
    for name in ("Ada", "ada", "Аdа", "Adam"):
        await register(client, name)
    assert sorted(await named(client, "  ADA ")) == sorted(["Ada", "ada", "Аdа"])
    assert await named(client, "Berta") == []


async def test_a_new_name_is_found_and_the_old_one_is_not(client: httpx.AsyncClient) -> None:
    ada = await register(client, "Ada")
    assert (await ada.send("PATCH", "/players/me", json={"name": "Berta"})).status_code == 200
    assert (await named(client, "Ada"), await named(client, "berta")) == ([], ["Berta"])


async def test_who_is_erased_is_not_found(client: httpx.AsyncClient) -> None:
    ada = await register(client, "Ada")
    assert (await ada.delete("/players/me")).status_code == 204
    assert await named(client, "Ada") == []


async def test_not_more_than_some_are_found(client: httpx.AsyncClient, database: Database) -> None:
    for _ in range(MOST_ALIKE + 1):
        await register(client, "Ada")
    assert len(await named(client, "Ada")) == MOST_ALIKE


async def test_a_name_that_a_program_of_before_gave_is_found_later(
    client: httpx.AsyncClient, database: Database
) -> None:
    accounts = Accounts(database)
    player = new_id()
    await accounts.register(player, "Ada", mint_token(("play",))[1], datetime.now(UTC))
    assert await named(client, "Ada") == []
    looks = NameLooks(accounts, Metrics(), structlog.get_logger())
    assert await looks.step() == 1
    assert await looks.step() == 0
    assert await named(client, "Ada") == ["Ada"]
    await database.fetch("SELECT codille.rename($1, $2)", player, "Berta")
    assert await named(client, "Ada") == []
    await looks.step()
    assert await named(client, "Berta") == ["Berta"]


async def test_a_look_is_not_noted_for_a_name_that_was_changed_meanwhile(
    client: httpx.AsyncClient, database: Database
) -> None:
    accounts = Accounts(database)
    player = new_id()
    await accounts.register(player, "Ada", mint_token(("play",))[1], datetime.now(UTC))
    names = await accounts.without_look(10)
    await database.fetch("SELECT codille.rename($1, $2)", player, "Berta")
    await accounts.note_looks(names, [bytes(32)])
    assert await accounts.without_look(10) == {player: "Berta"}


BOTH = "?name=Ada&id=019752d0-6c00-7000-8000-000000000001"


@for_each("query, parameter", [("", "id"), (BOTH, "id"), ("?name=%20", "name"), ("?name=", "name")])
async def test_either_ids_or_a_name_are_given(client: httpx.AsyncClient, query: str, parameter: str) -> None:
    answer = await client.get(f"/v1/players{query}")
    assert problem(answer, 422, "invalid-query")["errors"][0]["parameter"] == parameter
