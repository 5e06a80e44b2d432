"""The interface over a real log, called as ASGI; `Caller` speaks for one player."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import structlog
from litestar.types import ASGIApp
from msgspec import structs

from domain.kernel.game import Game
from domain.record.history import Reader
from projections.connection import connect
from projections.models import ReadModels, ReadModelsUnavailable
from service.app import create_app
from service.auth.secrets import mint_token
from service.config import Settings
from service.edge_services import edge_over
from service.http.edge import Edge
from service.limits.quotas import Quotas
from service.limits.slots import Slots
from service.live.hub import Hub
from service.live.targets import Targets
from service.observability.metrics import Metrics
from service.observability.outages import OutageLog
from service.services import Services
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.store.writer import Writer
from service.watchers import open_projector
from service.wiring import assembled, open_services
from tests.support.foreign_words import in_text
from tests.support.games import READER
from tests.support.live import Relay
from tests.support.postgres import as_service
from tests.support.registry import GAMES

SECRET = bytes(range(32))
"""The key that signs the log's checkpoints."""
NOWHERE = "redis://127.0.0.1:1"
"""Where no Redis is."""
PATIENCE = 20
"""How often a player is registered anew while the service asks for patience."""


def services_over(database: Database, games: Mapping[str, Game] = GAMES, settings: Settings | None = None) -> Services:
    """The services of one process that offers these games, whose Redis is away, without the pool's processes."""
    reader = READER if games is GAMES else Reader(games)
    settings = structs.replace(settings or Settings(rate_limit=None), signing_key=SECRET)
    log, metrics, tail = structlog.get_logger(), Metrics(), Tail(database)
    source = LogSource(Store(database), tail)
    live = Hub(source, tail, Slots.of(settings), metrics, log, Relay(connected=False))
    services = assembled(
        settings,
        reader,
        metrics,
        OutageLog(metrics, log),
        log,
        database=database,
        reads=Store(database),
        tail=tail,
        source=source,
        writer=Writer(Store(database), told=(live.appended,)),
        redis=connect(NOWHERE),
    )
    return structs.replace(services, edge=edge_over(services, live, None, database))


def configured(settings: Settings, services: Services, clock: Callable[[], float] = time.time) -> Services:
    """The same services under other settings of the interface."""
    quotas = None if settings.rate_limit is None else Quotas(settings, None, clock=clock)
    targets = Targets(settings.webhook_networks)
    edge = structs.replace(services.edge, quotas=quotas, webhook_targets=targets)
    return structs.replace(services, settings=settings, edge=edge)


@asynccontextmanager
async def at_work(settings: Settings, dsn: str, redis: str) -> AsyncIterator[Services]:
    """The services as a process has them, with read models and a projector, but without the pool's processes."""
    async with open_services(settings, as_service(dsn), redis) as services:
        # On a busy machine Redis may take longer than readers wait for it.
        services.models._timeout_s, services.models._pause_s = 20.0, 0.0
        # Starting its processes takes longer than what they would do here.
        services.edge.heavy.pool = None
        stop = asyncio.Event()
        async with open_projector(services, redis) as projector:
            projecting = asyncio.create_task(projector.run(stop))
            await _until_built(services.models)
            yield services
            stop.set()
            await projecting


async def _until_built(models: ReadModels) -> None:
    while True:
        with suppress(ReadModelsUnavailable):
            await models.position()
            return
        await asyncio.sleep(0.005)


@pytest.fixture(scope="session", autouse=True)
def documents(built: Path) -> Path:
    """What is built and not committed: some tests call every operation, and none of them is about building."""
    return built


@pytest.fixture
def settings() -> Settings:
    return Settings(rate_limit=None)


@pytest.fixture
def services(database: Database, settings: Settings) -> Services:
    return services_over(database, settings=settings)


@pytest.fixture
def services_elsewhere(database: Database) -> Services:
    """Those of another process on the same log."""
    return services_over(database)


@pytest.fixture
def app(services: Services) -> Edge:
    return create_app(services)


@pytest.fixture
async def client(app: Edge) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app) as client:
        yield client


def client_of(app: ASGIApp, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A client at this address of the application, which is called without a server."""
    transport = httpx.ASGITransport(app, client=(address, 4711))
    return httpx.AsyncClient(transport=transport, base_url="http://codille.test")


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


async def as_owner(dsn: str, statement: str, *arguments: object) -> list[Any]:
    """What the database's owner gets for a statement."""
    owner = await asyncpg.connect(dsn)
    try:
        return list(await owner.fetch(statement, *arguments))
    finally:
        await owner.close()


async def opened(caller: Caller, **body: object) -> str:
    answer = await caller.post("/tables", {"game": "crocodile"} | body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


@pytest.fixture
async def table(three: list[Caller]) -> str:
    return await seated(three)


async def seated(three: list[Caller], **body: object) -> str:
    """A table that the first of three players has opened; all sit there, in order, and its game has started."""
    made = await opened(three[0], **body)
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
    """The problem document, which the answer must be, in the service's own words."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    document: dict[str, Any] = answer.json()
    assert (answer.status_code, document["status"], document["code"]) == (status, status, code), answer.text
    assert document["type"] == f"urn:codille:problem:{code}"
    assert document["title"]
    assert document["detail"]
    for fault in (document, *document.get("errors", ())):
        assert not in_text(fault["detail"]), fault
    return document
