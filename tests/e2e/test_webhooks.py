"""Webhooks of the service as it is run: from an act to a receiver on this machine, which the settings allow."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.embedded import PostgresUrls, launch
from tests.support.projecting import until
from tests.support.receivers import Receiver, endless, receiving
from tests.support.service import CODILLE, Running, environment, left, measured, running, senders
from tests.support.waiting import PATIENCE_S

SETTINGS = {"CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535"}
WAIT_S = 60
EARLY = 400 * b"HTTP/1.1 103 Early Hints\r\n\r\n"

Bearer = Mapping[str, str]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that calls receivers on this machine; what sends to them may be killed."""
    with running(tmp_path_factory.mktemp("webhooks") / "data", settings=SETTINGS) as service:
        yield service
        before = senders(service)
        assert (service.stop(), left(before)) == (0, [])


@contextmanager
def client(url: str) -> Iterator[httpx.AsyncClient]:
    yield httpx.AsyncClient(base_url=url, timeout=2 * WAIT_S, trust_env=False)


async def registered(http: httpx.AsyncClient) -> list[Bearer]:
    """Three players."""
    answers = [await http.post("/v1/players", json={"name": name}) for name in ("Ada", "Berta", "Carl")]
    return [{"Authorization": f"Bearer {answer.json()['token']}"} for answer in answers]


async def added(http: httpx.AsyncClient, url: str, bearer: Bearer, events: Sequence[str]) -> dict[str, Any]:
    answer = await http.post("/v1/webhooks", json={"url": url, "events": events}, headers=bearer)
    assert answer.status_code == 201, answer.text
    webhook: dict[str, Any] = answer.json()
    return webhook


async def begun(http: httpx.AsyncClient, bearers: Sequence[Bearer], **options: Any) -> str:
    """A table at which all of them sit, so that its game starts."""
    asked = {"game": "crocodile", **({"table": options} if options else {})}
    table = (await http.post("/v1/tables", json=asked, headers=bearers[0])).json()["table"]
    for bearer in bearers:
        assert (await http.post(f"/v1/tables/{table}/seats", json={}, headers=bearer)).is_success
    return str(table)


async def test_a_receiver_is_told_of_a_game_that_starts(service: Running) -> None:
    async with receiving() as receiver:
        with client(service.url) as http:
            await _told(http, receiver)


async def _told(http: httpx.AsyncClient, receiver: Receiver) -> None:
    bearers = await registered(http)
    ada = bearers[0]
    webhook = await added(http, receiver.url, ada, ["game-started"])
    table = await begun(http, bearers)
    await receiver.until(lambda one: len(one.received) == 1)
    (received,) = receiver.received
    assert received.signed_with(webhook["secret"])
    assert received.notice["data"]["table"] == table
    path = f"/v1/webhooks/{webhook['id']}"
    # The answer that the receiver gave is recorded a moment after.

    async def delivered() -> bool:
        return bool((await http.get(f"{path}/deliveries?status=delivered", headers=ada)).json()["items"])

    await until(delivered)
    (delivery,) = (await http.get(f"{path}/deliveries", headers=ada)).json()["items"]
    assert (delivery["id"], delivery["attempts"], delivery["response_status"]) == (received.id, 1, 204)
    assert delivery["message"] == received.notice
    position = received.notice["data"]["position"]
    replayed = await http.post(f"{path}/replay", json={"after": position - 1}, headers=ada)
    assert replayed.status_code == 202
    await receiver.until(lambda one: len(one.received) == 2)
    assert receiver.received[1].id == received.id


async def test_time_runs_out_while_receivers_hold_what_sends_to_them(service: Running) -> None:
    """Ten webhooks of one player are answered with early hints without end, another one's with a slow head.

    What sends stands still then, as if they had brought it to that: the house acts for who runs out of time, and reads
    go on.
    """
    # Hosts of their own: where others fail, new webhooks wait.
    async with receiving(host="127.0.0.2") as hinting, receiving(host="127.0.0.3") as dripping:
        hinting.answer = lambda _: endless(EARLY)
        dripping.answer = lambda _: endless(b"X: y\r\n", first=b"HTTP/1.1 200 OK\r\n", pause_s=0.05)
        with client(service.url) as http:
            bearers = await registered(http)
            for _ in range(10):
                await added(http, hinting.url, bearers[0], ["game-started"])
            await added(http, dripping.url, bearers[1], ["game-started"])
            table = await begun(http, bearers, clock={"seconds": 1})
            await hinting.until(lambda one: one.abandoned > 0)
            await dripping.until(lambda one: one.received != [])
            (sending,) = senders(service)
            os.kill(sending, signal.SIGSTOP)
            try:
                events: list[dict[str, Any]] = []
                while [event["actor"] for event in events].count("clock") < 2:
                    path = f"/v1/tables/{table}/events?after={len(events)}&wait={WAIT_S}"
                    events += (await http.get(path, headers=bearers[0])).json()["items"]
            finally:
                os.kill(sending, signal.SIGCONT)
            first = [event["actor"] for event in events].index("clock")
            assert events[first]["at"] > events[first - 1]["at"]
            # It is the process that it was, and others get their messages.
            async with receiving(host="127.0.0.4") as other:
                await added(http, other.url, bearers[2], ["your-turn"])
                await other.until(lambda one: one.received != [])
            assert senders(service) == [sending]


async def test_what_sends_is_a_process_of_its_own_that_is_started_again(service: Running) -> None:
    async with receiving() as receiver:
        with client(service.url) as http:
            bearers = await registered(http)
            await added(http, receiver.url, bearers[0], ["game-started"])
            await begun(http, bearers)
            await receiver.until(lambda one: len(one.received) == 1)
            (first,) = senders(service)
            # What it measures is read where the service's metrics are.
            await until(lambda: _measures(service))
            os.kill(first, signal.SIGKILL)
            await begun(http, bearers)
            await receiver.until(lambda one: len({received.id for received in one.received}) == 2)
            (second,) = senders(service)
            assert second != first


async def _measures(service: Running) -> bool:
    names = ("codille_webhook_attempts_total", "codille_webhooks_sending", "codille_webhooks_enabled")
    return all(measured(service.metrics_url, name) >= 1 for name in names)


def test_where_parts_run_apart_one_sends(tmp_path: Path, empty_database: PostgresUrls, empty_redis: str) -> None:
    named = {"CODILLE_DATABASE_URL": empty_database.service, "CODILLE_REDIS_URL": empty_redis, **SETTINGS}
    owner = {"CODILLE_DATABASE_OWNER_URL": empty_database.owner}
    migrated = subprocess.run([CODILLE, "migrate"], env=environment(tmp_path, named | owner), check=False)
    assert migrated.returncode == 0
    with running(tmp_path / "api", "--role", "api", settings=named) as api, sending(tmp_path / "hooks", named) as url:
        asyncio.run(_told_of_a_game(api.url))
        assert httpx.get(f"{url}/health/ready", trust_env=False).json()["postgres"] == "ok"
        assert measured(url, "codille_webhooks_sending") == 1
        assert measured(api.metrics_url, "codille_webhooks_sending") == 0
        assert senders(api) == []


async def _told_of_a_game(url: str) -> None:
    async with receiving() as receiver:
        with client(url) as http:
            bearers = await registered(http)
            await added(http, receiver.url, bearers[0], ["game-started"])
            await begun(http, bearers)
            await receiver.until(lambda one: len(one.received) == 1)


@contextmanager
def sending(data: Path, settings: Mapping[str, str]) -> Iterator[str]:
    """Runs what sends alone, and yields where it answers the operator."""
    command = [*launch.prefix(signal.SIGTERM), str(CODILLE), "serve", "--role", "webhooks"]
    given = environment(data, {**settings, "CODILLE_LOG_FORMAT": "json"})
    with subprocess.Popen(command, env=given, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        entries = (json.loads(line) for line in process.stderr)
        entry = next(entry for entry in entries if entry["event"] == "what sends to webhooks is at work")
        try:
            yield entry["metrics"]
        finally:
            process.terminate()
            process.stderr.read()
            assert process.wait(PATIENCE_S) == 0
