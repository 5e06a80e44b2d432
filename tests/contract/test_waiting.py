"""Waiting instead of a stream: the answer is held until the table is beyond a version."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.limits.slots import Slots
from service.services import Services
from service.wiring import open_services
from tests.contract.conftest import Caller, client_of, next_of, problem, register, with_scopes
from tests.contract.test_table_streams import version_of
from tests.support.for_each import for_each
from tests.support.postgres import as_service
from tests.support.sockets import CLIENT, served
from tests.support.waiting import until

READS = ("", "/offers", "/events")


@pytest.fixture
async def elsewhere(settings: Settings, dsn: str, empty_redis: str) -> AsyncIterator[Services]:
    """Another process of the service, as it is wired, which nobody has asked for anything."""
    async with open_services(settings, as_service(dsn), empty_redis) as services:
        yield services


async def held(caller: Caller, live: Any, path: str, **request: Any) -> "asyncio.Task[httpx.Response]":
    """The request under way, which is held."""
    table = path.split("/")[2].partition("?")[0]
    before = live.waiting_at(table)
    task = asyncio.create_task(caller.get(path, **request))
    await until(lambda: live.waiting_at(table) > before or task.done())
    assert not task.done(), task.result().text
    return task


async def moved(three: list[Caller], table: str) -> int:
    """The version after whoever is on turn has passed."""
    answer = await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["version"])


@pytest.mark.parametrize("read", READS)
async def test_the_answer_comes_with_what_is_new(
    three: list[Caller], table: str, services: Services, read: str
) -> None:
    version = await version_of(three[0], table)
    waiting = await held(three[0], services.edge.live, f"/tables/{table}{read}?after={version}&wait=60")
    after = await moved(three, table)
    answer = await waiting
    assert answer.status_code == 200
    assert int(answer.headers["etag"].strip('"')) == answer.json()["version"] == after
    if read == "/events":
        assert [event["version"] for event in answer.json()["items"]] == list(range(version + 1, after + 1))
    assert services.edge.live.waiting_at(table) == 0


@for_each("read", READS)
async def test_what_is_there_is_answered_at_once(
    three: list[Caller], table: str, services: Services, read: str
) -> None:
    version = await version_of(three[0], table)
    answer = await three[0].get(f"/tables/{table}{read}?after={version - 1}&wait=60")
    assert (answer.status_code, answer.json()["version"]) == (200, version)
    same = await three[0].get(f"/tables/{table}{read}?after={version}&wait=0")
    assert (same.status_code, same.json()["version"]) == (200, version)
    assert (await three[0].get(f"/tables/{table}{read}?after={version}")).status_code == 200


async def test_many_wait_and_each_gets_what_it_may_know(three: list[Caller], table: str, services: Services) -> None:
    version = await version_of(three[0], table)
    path = f"/tables/{table}?after={version}&wait=60"
    waiting = [await held(one, services.edge.live, path) for one in three]
    after = await moved(three, table)
    for caller, one in zip(three, waiting, strict=True):
        assert (await one).content == (await caller.get(f"/tables/{table}?min_version={after}")).content


async def test_when_the_time_is_over_the_answer_is_the_current_one(three: list[Caller], table: str) -> None:
    version = await version_of(three[0], table)
    path = f"/tables/{table}?after={version}&wait=1"
    known = {"If-None-Match": f'"{version}"'}
    over, same = await asyncio.gather(three[0].get(path), three[0].get(path, headers=known))
    assert (over.status_code, over.json()["version"]) == (200, version)
    assert (same.status_code, same.content) == (304, b"")


async def test_what_another_process_appends_ends_the_wait(
    three: list[Caller], table: str, elsewhere: Services, settings: Settings
) -> None:
    version = await version_of(three[0], table)
    async with client_of(create_app(elsewhere)) as client:
        there = Caller(client, three[0].player, three[0].token)
        waiting = await held(there, elsewhere.edge.live, f"/tables/{table}?after={version}&wait=60")
        after = await moved(three, table)
        assert (await waiting).json()["version"] == after


@for_each("read", READS)
@for_each(
    "query, parameter",
    [
        ("after=1&wait=61", "wait"),
        ("after=-1&wait=1", "after"),
        ("after=1&wait=-1", "wait"),
        ("after=1&wait=x", "wait"),
    ],
)
async def test_other_times_and_versions_are_refused(
    ada: Caller, table: str, read: str, query: str, parameter: str
) -> None:
    refusal = problem(await ada.get(f"/tables/{table}{read}?{query}"), 422, "invalid-query")
    assert [error["parameter"] for error in refusal["errors"]] == [parameter]


@for_each("read", READS)
async def test_a_version_from_the_future_is_refused_at_once(three: list[Caller], table: str, read: str) -> None:
    version = await version_of(three[0], table)
    answer = await three[0].get(f"/tables/{table}{read}?after={version + 1}&wait=60")
    refusal = problem(answer, 422, "version-beyond-head")
    assert (refusal["version"], refusal["errors"][0]["parameter"]) == (version, "after")


@for_each("read", ["", "/offers"])
async def test_who_waits_says_for_what(ada: Caller, table: str, read: str) -> None:
    assert (
        problem(await ada.get(f"/tables/{table}{read}?wait=1"), 422, "invalid-query")["detail"] == "after: is missing"
    )


async def test_a_token_revoked_meanwhile_gets_nothing(
    three: list[Caller], table: str, services: Services, dsn: str
) -> None:
    second = await with_scopes(dsn, three[0], "play")
    version = await version_of(second, table)
    waiting = await held(second, services.edge.live, f"/tables/{table}?after={version}&wait=60")
    (token,) = [one for one in (await second.get("/tokens")).json()["items"] if one["current"]]
    assert (await three[0].delete(f"/tokens/{token['id']}")).status_code == 204
    await moved(three, table)
    problem(await waiting, 401, "invalid-token")


async def test_a_client_that_is_gone_holds_nothing(
    three: list[Caller], table: str, services: Services, app: Edge, settings: Settings
) -> None:
    version = await version_of(three[0], table)
    async with served(settings, app) as server:
        _, writer = await asyncio.open_connection(CLIENT, server.port)
        writer.write(f"GET /v1/tables/{table}?after={version}&wait=60 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await until(lambda: services.edge.live.waiting_at(table))
        writer.close()
        await until(lambda: not services.edge.live.waiting_at(table))


async def test_at_the_end_of_the_service_who_waits_is_answered(
    three: list[Caller], table: str, services: Services
) -> None:
    version = await version_of(three[0], table)
    path = f"/tables/{table}?after={version}&wait=60"
    waiting = await held(three[0], services.edge.live, path)
    services.edge.live.stop()
    assert (await waiting).json()["version"] == version
    answer = await three[0].get(path)
    problem(answer, 503, "unavailable")
    assert int(answer.headers["retry-after"]) > 0


async def test_a_player_and_an_address_hold_so_many_at_once(
    three: list[Caller], table: str, services: Services
) -> None:
    services.edge.live.slots = Slots(most=100, per_address=3, per_player=1)
    version = await version_of(three[0], table)
    path = f"/tables/{table}?after={version}&wait=60"
    waiting = [await held(one, services.edge.live, path) for one in three]
    other = await register(three[0].http, "Zoe")
    for one in (three[0], other):
        answer = await one.get(path)
        problem(answer, 429, "too-many-streams")
        assert int(answer.headers["retry-after"]) > 0
    await moved(three, table)
    for one in waiting:
        assert (await one).status_code == 200
    assert (await three[0].get(path)).status_code == 200
