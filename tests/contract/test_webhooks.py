"""Webhooks at the interface: their forms, their secrets, and whose they are."""

import asyncio
import socket
from base64 import b64decode
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from service.app import create_app
from service.config import Settings
from service.http.edge import Edge
from service.live.deliveries import Deliveries
from service.live.notices import KINDS
from service.live.outbox import Outbox
from service.live.sender import Sender
from service.live.targets import Resolver, Targets
from service.observability.metrics import Metrics
from service.services import Services
from service.store.outbox_store import OutboxStore
from service.store.tail import Tail
from service.store.webhook_store import MOST
from tests.contract.conftest import Caller, client_of, configured, problem, register, seated
from tests.support.for_each import for_each
from tests.support.receivers import receiving, status

URL = "https://bot.example/hook"
HERE = ("127.0.0.1:1024-65535",)


@pytest.fixture
def app(services: Services) -> Edge:
    return create_app(configured(Settings(rate_limit=None, webhook_networks=("10.0.0.0/8", *HERE)), services))


async def added(caller: Caller, **body: Any) -> dict[str, Any]:
    answer = await caller.post("/webhooks", {"url": URL} | body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v1/webhooks/{answer.json()['id']}"
    made: dict[str, Any] = answer.json()
    return made


@pytest.fixture
async def webhook(ada: Caller) -> str:
    """The id of a webhook of hers."""
    return str((await added(ada))["id"])


async def test_a_webhook_is_added_read_listed_changed_and_removed(ada: Caller) -> None:
    made = await added(ada, name="my bot", events=["game-over", "your-turn", "game-over"])
    assert made["events"] == ["game-over", "your-turn"]
    assert (made["player"], made["name"], made["url"], made["disabled"]) == (ada.player, "my bot", URL, None)
    assert len(b64decode(made.pop("secret").removeprefix("whsec_"))) == 32
    path = f"/webhooks/{made['id']}"
    assert (await ada.get(path)).json() == made
    assert (await ada.get("/webhooks")).json() == {"items": [made], "next": None}
    changed = await ada.send("PATCH", path, json={"url": "http://10.1.2.3/", "events": ["deal-scored"]})
    assert changed.json() == made | {"url": "http://10.1.2.3/", "events": ["deal-scored"]}
    disabled = (await ada.send("PATCH", path, json={"enabled": False})).json()["disabled"]
    assert disabled["reason"] == "player"
    assert (await ada.send("PATCH", path, json={"enabled": True})).json()["disabled"] is None
    assert (await ada.get(f"{path}/deliveries")).json() == {"items": [], "next": None}
    assert (await ada.delete(path)).status_code == 204
    for method, under, body in (
        ("GET", "", None), ("DELETE", "", None), ("GET", "/deliveries", None), ("PATCH", "", {}),
        ("POST", "/rotate", {}), ("POST", "/replay", {"after": 0}),
    ):  # fmt: skip
        problem(await ada.send(method, path + under, json=body), 404, "no-such-webhook")


async def test_by_default_everything_is_told(ada: Caller) -> None:
    assert (await added(ada))["events"] == list(KINDS)


async def test_nobody_sees_or_changes_anothers_webhook(ada: Caller) -> None:
    made = await added(ada)
    berta, path = await register(ada.http, "Berta"), f"/webhooks/{made['id']}"
    assert (await berta.get("/webhooks")).json()["items"] == []
    for method, under, body in (
        ("GET", "", None), ("DELETE", "", None), ("GET", "/deliveries", None), ("PATCH", "", {"enabled": False}),
        ("POST", "/rotate", {}), ("POST", "/replay", {"after": 0}),
    ):  # fmt: skip
        problem(await berta.send(method, path + under, json=body), 404, "no-such-webhook")
    assert (await ada.get(path)).json()["disabled"] is None


@for_each(
    "url",
    [
        "http://bot.example@10.0.0.1/", "ftp://bot.example/", "https://bot.example/#x", "https://127.0.0.1/",
        "https://[::1]/", "https://169.254.169.254/latest", "http://192.168.0.1/", "https://[::ffff:127.0.0.1]/",
        "https://bot.example:0/", "bot.example", "https://[fec0::1]/", "https://192.0.0.9/", "https://192.88.99.1/",
        "https://[3fff::1]/", "https://1.1.1.1:8443/", "https://bot.example:22/", "http://10.1.2.3:6379/",
    ],
)  # fmt: skip
async def test_urls_that_lead_inside_or_nowhere_are_refused(ada: Caller, webhook: str, url: str) -> None:
    refused = problem(await ada.post("/webhooks", {"url": url}), 422, "invalid-url")
    assert refused["errors"][0]["pointer"] == "/url"
    problem(await ada.send("PATCH", f"/webhooks/{webhook}", json={"url": url}), 422, "invalid-url")


async def test_without_inner_networks_only_encrypted_ones_are_taken(services: Services) -> None:
    app = create_app(services)
    async with client_of(app) as client:
        ada = await register(client)
        for url in ("http://bot.example/", "https://10.0.0.1/"):
            problem(await ada.post("/webhooks", {"url": url}), 422, "invalid-url")
        assert (await ada.post("/webhooks", {"url": URL})).status_code == 201


@for_each(
    "body",
    [
        {},
        {"url": 3},
        {"url": URL, "events": []},
        {"url": URL, "events": ["turn"]},
        {"url": URL, "name": ""},
        {"url": URL, "secret": "x"},
        {"url": URL + "x" * 2000},
    ],
)
async def test_invalid_bodies_are_refused(ada: Caller, body: object) -> None:
    problem(await ada.post("/webhooks", body), 422, "invalid-body")


async def test_a_player_has_so_many_and_no_more(ada: Caller) -> None:
    for _ in range(MOST):
        last = await added(ada)
    problem(await ada.post("/webhooks", {"url": URL}), 409, "too-many-webhooks")
    assert (await ada.delete(f"/webhooks/{last['id']}")).status_code == 204
    await added(ada)
    assert len((await ada.get("/webhooks")).json()["items"]) == MOST


async def test_a_repeated_request_gets_the_first_answer(ada: Caller) -> None:
    key = {"Idempotency-Key": "first"}
    first = await ada.post("/webhooks", {"url": URL}, headers=key)
    again = await ada.post("/webhooks", {"url": URL}, headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    problem(await ada.post("/webhooks", {"url": URL + "2"}, headers=key), 422, "key-reused")
    path = f"/webhooks/{first.json()['id']}"
    rotated = await ada.post(f"{path}/rotate", {}, headers=key)
    assert rotated.json()["secret"] != first.json()["secret"]
    assert (await ada.post(f"{path}/rotate", {}, headers=key)).json() == rotated.json()
    problem(await ada.post("/webhooks", {"url": URL}, headers=key), 409, "key-spent")
    replayed = await ada.post(f"{path}/replay", {"after": 0}, headers=key)
    again = await ada.post(f"{path}/replay", {"after": 0}, headers=key)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (202, "true")
    assert "idempotency-replayed" not in replayed.headers
    problem(await ada.post(f"{path}/replay", {"after": 1}, headers=key), 422, "key-reused")
    assert (await ada.delete(path)).status_code == 204
    problem(await ada.post(f"{path}/rotate", {}, headers=key), 404, "no-such-webhook")
    problem(await ada.post("/webhooks", {"url": URL}, headers=key), 409, "key-spent")


async def test_sending_again_begins_at_a_position_of_the_log(three: list[Caller]) -> None:
    ada = three[0]
    path = f"/webhooks/{(await added(ada))['id']}"
    assert (await ada.get(path)).json()["position"] == 0
    table = await seated(three)
    end = (await ada.get(f"/tables/{table}/events")).json()["items"][-1]["position"]
    answer = await ada.post(f"{path}/replay", {"after": end})
    assert (answer.status_code, answer.json()["position"]) == (202, end)
    refused = problem(await ada.post(f"{path}/replay", {"after": end + 1}), 422, "position-beyond-end")
    assert refused["errors"] == [{"detail": "must be reached by the log", "pointer": "/after"}]
    assert refused["detail"] == "the log has not reached this position"
    for after in (-1, 2**53, "0", None, 1.5):
        problem(await ada.post(f"{path}/replay", {"after": after}), 422, "invalid-body")


async def test_deliveries_are_paged(three: list[Caller], services: Services) -> None:
    ada = three[0]
    made = await added(ada)
    path = f"/webhooks/{made['id']}/deliveries"
    for cursor in ("x", "1-turn", "99999999999999999999-your-turn", "1"):
        problem(await ada.get(f"{path}?cursor={cursor}"), 422, "invalid-query")
    problem(await ada.get(f"{path}?status=lost"), 422, "invalid-query")
    assert (await ada.get(f"{path}?cursor=1-your-turn&status=failed")).json()["items"] == []


async def test_what_is_not_reached_looks_the_same_whatever_stands_there(
    three: list[Caller], services: Services
) -> None:
    """Else a player could learn which ports are open at hosts that the service alone reaches."""
    ada, silence = three[0], asyncio.Event()

    async def silent(_: object) -> bytes:
        await silence.wait()
        return b""

    with socket.socket() as closed:
        # Nobody listens, and nobody else takes the port.
        closed.bind(("127.0.0.1", 0))
        async with receiving() as other, receiving() as mute, receiving() as refusing:
            other.answer, mute.answer, refusing.answer = lambda _: b"SSH-2.0\r\n", silent, lambda _: status(500)
            expected = {
                f"http://127.0.0.1:{closed.getsockname()[1]}/": ("unreachable", None),
                f"https://127.0.0.1:{other.port}/": ("unreachable", None),
                other.url: ("unreachable", None),
                mute.url: ("unreachable", None),
                refusing.url: ("status", 500),
                "https://leads-inside.test/": ("unreachable", None),
            }
            paths = {url: f"/webhooks/{(await added(ada, url=url, events=['game-started']))['id']}" for url in expected}
            await seated(three)
            await _sent(services)
            silence.set()
    seen = {url: (await ada.get(f"{path}/deliveries")).json()["items"][0] for url, path in paths.items()}
    assert {url: (item["error"], item["response_status"]) for url, item in seen.items()} == expected
    # All of it, but for what a receiver answered, and when.
    alike = [url for url in expected if url != refusing.url]
    assert {(seen[url]["status"], seen[url]["attempts"]) for url in alike} == {("pending", 1)}


async def _sent(services: Services) -> None:
    """Queues what there is for webhooks, and makes each first attempt."""
    await queued(services)
    stored = OutboxStore(services.players.webhooks._database)
    resolver = Resolver(Targets(HERE), 8, lambda host, _: ["10.0.0.1"] if host.endswith(".test") else [host])
    deliveries = Deliveries(stored, Sender(resolver, timeout_s=1.0), Metrics(), services.logger, clock=clock)
    assert len(await deliveries.turn()) == 6


async def queued(services: Services) -> None:
    """Queues what there is for webhooks."""
    database, store, reader = services.players.webhooks._database, services.log.store, services.reader
    outbox = Outbox(
        OutboxStore(database), store, reader, Tail(database), Metrics(), services.logger, clock=clock, pace_s=0
    )
    while (await outbox.step())[0]:
        pass


def clock() -> datetime:
    return datetime.now(UTC)


async def test_the_service_reads_no_secret_of_a_webhook(ada: Caller, dsn: str, services: Services) -> None:
    await added(ada)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await services.players.webhooks._database.fetch("SELECT secret FROM codille.webhook_secret")
    for table in ("webhook", "webhook_message", "webhook_cursor"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await services.players.webhooks._database.fetch(f"DELETE FROM codille.{table}")  # noqa: S608 (our own names)
