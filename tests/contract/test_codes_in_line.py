"""Codes for other devices wait in a line: bounded, fair to networks and their callers, and for nobody who has left."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TypeAlias

import httpx
import msgspec
import pytest

from service.compute import slow_hashes
from service.compute.fair_slots import WAIT_S
from service.http.edge import Edge
from service.http.operations import tokens
from service.http.operations.tokens import CODE_VALID
from service.services import Services
from tests.contract.conftest import Caller, client_of, problem, register

WRONG = "AAAAAAAA"
MOST = int(WAIT_S / slow_hashes.HASH_S)
"""So many codes may wait."""
TAKEN = ("before",) * 4

From: TypeAlias = Callable[[str], httpx.AsyncClient]
"""A client at an address."""


@pytest.fixture
async def at(app: Edge) -> AsyncIterator[From]:
    clients: list[httpx.AsyncClient] = []

    def client(address: str) -> httpx.AsyncClient:
        clients.append(client_of(app, address))
        return clients[-1]

    yield client
    for one in clients:
        await one.aclose()


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes that were hashed."""
    codes: list[str] = []
    slow = slow_hashes.stretched

    def noted(code: str) -> bytes:
        codes.append(code)
        return slow(code)

    monkeypatch.setattr(slow_hashes, "stretched", noted)
    return codes


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> "Clock":
    clock = Clock()
    monkeypatch.setattr(tokens, "datetime", clock)
    return clock


class Clock:
    """Stands for `datetime` in the operations of tokens."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self, zone: tzinfo) -> datetime:
        return datetime.now(zone) + self.ahead


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.005)


async def in_line(services: Services, number: int) -> None:
    """Returns when so many wait."""
    await until(lambda: services.edge.hashes.slots.waiting >= number)


def claim(client: httpx.AsyncClient, code: str = WRONG) -> "asyncio.Task[httpx.Response]":
    return asyncio.create_task(client.post("/v1/tokens/handover/claim", json={"code": code}))


async def test_a_household_of_many_addresses_is_refused_beyond_the_bound_and_holds_nobody_up(
    services: Services, at: From, hashed: list[str]
) -> None:
    ada = await register(at("192.0.2.1"))
    code = (await ada.post("/tokens/handover", {})).json()["code"]
    hashed.clear()
    await services.edge.hashes.slots.acquire(TAKEN)
    household = [at(f"2001:db8:0:{number:x}::1") for number in range(20)]
    flood = [claim(household[number % 20]) for number in range(MOST + 5)]
    await until(lambda: sum(task.done() for task in flood) == 5)
    device = claim(at("198.51.100.7"), code)
    await until(lambda: sum(task.done() for task in flood) == 6)
    for task in flood:
        if task.done():
            problem(task.result(), 503, "unavailable")
            assert task.result().headers["retry-after"] == "5"
    assert services.edge.hashes.slots.waiting == MOST, "the household gives way"
    services.edge.hashes.slots.release()
    assert (await device).status_code == 201
    assert code in hashed[:2], "one of the household may be before it"
    for task in flood:
        task.cancel()
    await asyncio.gather(*flood, return_exceptions=True)


async def test_the_callers_at_one_address_take_turns(services: Services, at: From, hashed: list[str]) -> None:
    ada = await register(at("192.0.2.1"))
    await services.edge.hashes.slots.acquire(TAKEN)
    flood = [claim(at("192.0.2.1")) for _ in range(6)]
    await in_line(services, 6)
    offered = asyncio.create_task(ada.post("/tokens/handover", {}))
    await in_line(services, 7)
    services.edge.hashes.slots.release()
    code = (await offered).json()["code"]
    assert hashed.index(code) < 2
    await asyncio.gather(*flood)


async def test_nothing_is_computed_for_who_has_left(app: Edge, services: Services, hashed: list[str]) -> None:
    await services.edge.hashes.slots.acquire(TAKEN)
    leaving = asyncio.Event()
    sent = iter([{"type": "http.request", "body": msgspec.json.encode({"code": WRONG}), "more_body": False}])

    async def receive() -> Any:
        for message in sent:
            return message
        await leaving.wait()
        return {"type": "http.disconnect"}

    answers: list[Any] = []

    async def send(message: Any) -> None:
        answers.append(message)

    headers = [(b"host", b"codille.test"), (b"content-type", b"application/json")]
    path = "/v1/tokens/handover/claim"
    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "root_path": "", "query_string": b"", "headers": headers,
        "client": ("192.0.2.1", 4711), "server": ("codille.test", 80),
    }  # fmt: skip
    asked = asyncio.create_task(app(scope, receive, send))
    await in_line(services, 1)
    leaving.set()
    await asked
    assert services.edge.hashes.slots.waiting == 0
    services.edge.hashes.slots.release()
    assert answers[0]["status"] == 503
    assert hashed == []


async def test_a_code_is_valid_from_its_answer_on_and_no_less_for_a_line(
    services: Services, at: From, clock: Clock
) -> None:
    ada = await register(at("192.0.2.1"))
    code, until = await waited(services, clock, ada)
    assert CODE_VALID - timedelta(seconds=20) < until - clock.now(UTC) <= CODE_VALID
    await services.edge.hashes.slots.acquire(TAKEN)
    claimed = claim(at("192.0.2.2"), code)
    await in_line(services, 1)
    clock.ahead += 2 * CODE_VALID
    services.edge.hashes.slots.release()
    assert (await claimed).status_code == 201, "it was valid when it was sent"


async def waited(services: Services, clock: Clock, caller: Caller) -> tuple[str, datetime]:
    """A code, and until when it is valid, asked for where its turn comes after its whole validity."""
    await services.edge.hashes.slots.acquire(TAKEN)
    offered = asyncio.create_task(caller.post("/tokens/handover", {}))
    await in_line(services, 1)
    clock.ahead += 2 * CODE_VALID
    services.edge.hashes.slots.release()
    answer = await offered
    assert answer.status_code == 200, answer.text
    return answer.json()["code"], datetime.fromisoformat(answer.json()["expires_at"])
