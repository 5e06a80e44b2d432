"""The interface over a real log, called as ASGI; `Caller` speaks for one player."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from litestar import Litestar

from domain.kernel.game import Game
from domain.record.history import Reader
from service.app import create_app
from service.auth.bearers import Bearers
from service.auth.secrets import mint_token
from service.commands.cache import TableCache
from service.commands.handler import CommandHandler
from service.config import Settings
from service.http.context import InterfaceServices
from service.limits.slots import Slots
from service.live.hub import Hub
from service.live.presence import Attendance
from service.observability.metrics import Metrics
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.invitations import Invitations
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.store.webhook_store import WebhookStore
from service.store.writer import Writer
from service.transparency import Keyring, Transparency
from service.wiring import Services, open_services
from tests.support.games import READER
from tests.support.postgres import as_service
from tests.support.registry import GAMES

SECRET = bytes(range(32))
"""The key that signs the log's checkpoints."""
PATIENCE = 20
"""How often a player is registered anew while the service asks for patience."""


def services_over(database: Database, games: Mapping[str, Game] = GAMES) -> InterfaceServices:
    """The services of one process that offers these games."""
    store, reader, accounts, log = (
        Store(database),
        READER if games is GAMES else Reader(games),
        Accounts(database),
        structlog.get_logger(),
    )
    tables, metrics, tail, settings = TableCache(store, reader), Metrics(), Tail(database), Settings()
    live = Hub(LogSource(store, tail), tail, Slots.of(settings), metrics, log)

    return InterfaceServices(
        store=store,
        accounts=accounts,
        webhooks=WebhookStore(database),
        invitations=Invitations(database),
        tables=tables,
        commands=CommandHandler(store, Writer(store, told=(live.appended,)), reader, tables, log),
        bearers=Bearers(accounts),
        reader=reader,
        transparency=Transparency(database, Keyring(SECRET, Path(), make=False)),
        live=live,
        presence=Attendance(tables, log, metrics),
        metrics=metrics,
        log=log,
        models=None,
        pool=None,
        quota=None,
    )


@asynccontextmanager
async def at_work(settings: Settings, dsn: str, redis: str) -> AsyncIterator[Services]:
    """The services as a process has them, with read models and a projector, but without the pool's processes."""
    async with open_services(settings, as_service(dsn), redis) as services:
        # On a busy machine Redis may take longer than readers wait for it.
        services.models._timeout_s = 20.0
        # Starting its processes takes longer than what they would do here.
        services.pool = None
        stop = asyncio.Event()
        projecting = asyncio.create_task(services.projector.run(stop))
        yield services
        stop.set()
        await projecting


@pytest.fixture
def services(database: Database) -> InterfaceServices:
    return services_over(database)


@pytest.fixture
def services_elsewhere(database: Database) -> InterfaceServices:
    """Those of another process on the same log."""
    return services_over(database)


@pytest.fixture
def settings() -> Settings:
    return Settings(rate_limit=None)


@pytest.fixture
def app(settings: Settings, services: InterfaceServices) -> Litestar:
    return create_app(settings, services)


@pytest.fixture
async def client(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://codille.test") as client:
        yield client


class Caller:
    """One player's requests. Paths are those under /v1."""

    def __init__(self, http: httpx.AsyncClient, player: str, token: str) -> None:
        self.http = http
        self.player = player
        self.token = token

    async def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} | request.pop("headers", {})
        return await self.http.request(method, f"/v1{path}", headers=headers, **request)

    async def get(self, path: str, **request: Any) -> httpx.Response:
        return await self.send("GET", path, **request)

    async def post(self, path: str, body: object, **request: Any) -> httpx.Response:
        return await self.send("POST", path, json=body, **request)

    async def delete(self, path: str, **request: Any) -> httpx.Response:
        return await self.send("DELETE", path, **request)


async def register(client: httpx.AsyncClient, name: str = "Ada") -> Caller:
    """A new player. Where the machine is so busy that the log is not reached in time, it is asked again."""
    for _ in range(PATIENCE):
        answer = await client.post("/v1/players", json={"name": name})
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
            break
        await asyncio.sleep(int(answer.headers["Retry-After"]))
    assert answer.status_code == 201, answer.text
    return caller_of(client, answer)


def caller_of(client: httpx.AsyncClient, answer: httpx.Response) -> Caller:
    """The player whom a registration or a recovery was answered with."""
    return Caller(client, answer.json()["player"], answer.json()["token"])


@pytest.fixture
async def ada(client: httpx.AsyncClient) -> Caller:
    return await register(client)


@pytest.fixture
async def three(client: httpx.AsyncClient) -> list[Caller]:
    return [await register(client, name) for name in ("Ada", "Berta", "Carl")]


async def with_scopes(dsn: str, caller: Caller, *scopes: str) -> Caller:
    """The caller with another token, which the operator gave."""
    secret, token = mint_token(scopes)
    async with Database(dsn, owner=True, connections=1) as database:
        await Accounts(database).grant_token(caller.player, token, datetime.now(UTC))
    return Caller(caller.http, caller.player, secret)


async def opened(caller: Caller, **body: object) -> str:
    answer = await caller.post("/tables", {"game": "crocodile"} | body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


@pytest.fixture
async def table(three: list[Caller]) -> str:
    return await seated(three)


async def seated(three: list[Caller]) -> str:
    """A table at which three players sit, in order, and whose game has started."""
    made = await opened(three[0])
    for seat, caller in enumerate(three):
        answer = await caller.post(f"/tables/{made}/seats", {"seat": seat})
        assert answer.status_code == 201, answer.text
    return made


async def next_of(three: list[Caller], table: str) -> tuple[int, Caller]:
    """The first seat that is to act, and who sits there."""
    seat = (await three[0].get(f"/tables/{table}/offers")).json()["to_act"][0]
    return seat, three[seat]


async def deal_over(three: list[Caller], table: str, **request: Any) -> httpx.Response:
    """Plays a deal to its end as fast as can be: the first to speak bids, and concedes. The answer to that."""
    _, declarer = await next_of(three, table)
    await act(declarer, table, {"type": "bid", "contract": "play"})
    for _ in range(2):
        await act((await next_of(three, table))[1], table, {"type": "pass"})
    await act(declarer, table, {"type": "declare", "contract": "play", "trump": "s"})
    for _ in range(10):
        answer = await declarer.post(f"/tables/{table}/actions", {"type": "concede"}, **request)
        if answer.status_code == 201:
            return answer
        await act((await next_of(three, table))[1], table, {"type": "exchange"})
    raise AssertionError("there was nothing to concede")


async def act(caller: Caller, table: str, action: object, **request: Any) -> httpx.Response:
    answer = await caller.post(f"/tables/{table}/actions", action, **request)
    assert answer.status_code == 201, (action, answer.text)
    return answer


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem document, which the answer must be."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    document: dict[str, Any] = answer.json()
    assert (answer.status_code, document["status"], document["code"]) == (status, status, code), answer.text
    assert document["type"] == f"urn:codille:problem:{code}"
    assert document["title"]
    assert document["detail"]
    return document
