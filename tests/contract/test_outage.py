"""Without Postgres: 503 with a time to come again, in place of anything else; the process stays alive."""

from collections.abc import AsyncIterator

import httpx
import pytest
from msgspec import structs

from service.app import create_app
from service.auth.secrets import new_secret
from service.store.database import Database
from tests.contract.conftest import client_of, problem, services_over
from tests.support.for_each import for_each
from tests.support.letting_in import AskingClient

SOMEBODY = "01936d5c-0000-7000-8000-000000000000"


@pytest.fixture
async def away() -> AsyncIterator[httpx.AsyncClient]:
    async with Database("postgresql://nobody@127.0.0.1:1/nothing") as database:
        app = create_app(services_over(database))
        async with client_of(app) as client:
            yield client


@for_each(
    "path",
    ["/health/ready", f"/v1/players/{SOMEBODY}", f"/v1/players?id={SOMEBODY}", f"/v1/tables/{SOMEBODY}",
     f"/v1/tables/{SOMEBODY}/offers", f"/v1/tables/{SOMEBODY}/events"],
)  # fmt: skip
async def test_reads_are_503(away: httpx.AsyncClient, path: str) -> None:
    answer = await away.get(path)
    problem(answer, 503, "unavailable")
    assert int(answer.headers["retry-after"]) > 0


async def test_writes_are_503(away: httpx.AsyncClient) -> None:
    problem(await away.post("/v1/players", json={"name": "Ada"}), 503, "unavailable")
    answer = await away.get("/v1/games", headers={"Authorization": f"Bearer {new_secret()}"})
    problem(answer, 503, "unavailable")


async def test_clients_are_told_to_come_again(away: httpx.AsyncClient) -> None:
    one = AskingClient(away)
    for answer in (await one.exchange("codille_code_of_before"), await one.revoke(new_secret())):
        problem(answer, 503, "unavailable")
        assert int(answer.headers["retry-after"]) > 0
    assert (await away.get(f"/authorize?{one.query()}")).status_code == 200


async def test_reads_without_the_log_are_answered(away: httpx.AsyncClient) -> None:
    for path in ("/health/live", "/v1/games"):
        assert (await away.get(path)).status_code == 200


async def test_a_failure_of_the_service_is_a_problem_that_discloses_nothing(database: Database) -> None:
    services = services_over(database)
    players = structs.replace(services.players, accounts=None)
    app = create_app(structs.replace(services, players=players))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://codille.test") as client:
        refusal = problem(await client.get(f"/v1/players/{SOMEBODY}"), 500, "internal")
    assert "accounts" not in str(refusal)
