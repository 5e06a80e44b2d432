"""What operators look at: probes, and at an address of its own metrics of what was requested since the start."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from service.app import create_operations_app
from service.config import Settings
from service.queries.readiness import KEPT_S
from service.services import Services
from service.store.database import Database
from tests.contract.conftest import client_of, problem, services_over
from tests.support.postgres import as_service


@pytest.fixture
async def operator(settings: Settings, services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """A client at the operator's address."""
    async with client_of(create_operations_app(services)) as client:
        yield client


async def test_operations(client: httpx.AsyncClient, operator: httpx.AsyncClient) -> None:
    for one in (client, operator):
        assert (await one.get("/health/live")).json() == {"status": "ok"}
        ready = await one.get("/health/ready")
        # The Redis of these services is away.
        assert (ready.status_code, ready.json()) == (200, {
            "status": "ok", "postgres": "ok", "redis": "unavailable", "tables_set_aside": None, "halted": [],
        })  # fmt: skip
    await client.get("/v1/games/crocodile")
    await client.get("/v1/made-up")
    metrics = await operator.get("/metrics?_=1")
    assert metrics.headers["content-type"].startswith("text/plain")
    assert metrics.headers["content-type"].count("charset=utf-8") == 1
    assert 'codille_requests_total{method="GET",route="/v1/games/{game}",status="200"} 1.0' in metrics.text
    assert 'codille_requests_total{method="GET",route="unrouted",status="404"} 1.0' in metrics.text


async def test_a_new_log_has_a_key_when_readiness_says_ok(
    client: httpx.AsyncClient, settings: Settings, services: Services, database: Database
) -> None:
    keyless = services_over(database)
    keyless.log.transparency._keyring = None
    async with client_of(create_operations_app(keyless)) as operator:
        answer = problem(await operator.get("/health/ready"), 503, "unavailable")
        assert "the log has no key that signs it yet" in answer["detail"]
        assert (await client.get("/v1/log/keys")).json()["items"] == []
        assert (await client.get("/health/ready")).status_code == 200
        assert [one["since"] for one in (await client.get("/v1/log/keys")).json()["items"]] == [0]
        await asyncio.sleep(KEPT_S)
        assert (await operator.get("/health/ready")).status_code == 200


async def test_neither_address_serves_the_others_paths(client: httpx.AsyncClient, operator: httpx.AsyncClient) -> None:
    problem(await client.get("/metrics"), 404, "no-such-route")
    for path in ("/v1/games", "/docs", "/v1/openapi.json"):
        problem(await operator.get(path), 404, "no-such-route")


async def test_without_postgres_metrics_are_answered_and_readiness_says_why_not() -> None:
    async with (
        Database("postgresql://nobody@127.0.0.1:1/nothing") as away,
        client_of(create_operations_app(services_over(away))) as operator,
    ):
        assert (await operator.get("/metrics")).status_code == 200
        answer = await operator.get("/health/ready")
        assert "Postgres cannot be reached" in problem(answer, 503, "unavailable")["detail"]


async def test_a_replica_is_not_ready(dsn: str, settings: Settings) -> None:
    async with (
        Database(f"{as_service(dsn)}&default_transaction_read_only=on") as reading,
        client_of(create_operations_app(services_over(reading))) as operator,
    ):
        answer = problem(await operator.get("/health/ready"), 503, "unavailable")
        assert answer["detail"] == (
            "Postgres takes no writes: it is a replica, or was made read-only (Redis: unavailable)"
        )
