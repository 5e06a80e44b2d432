"""Two nodes behind the proxy of the compose file are restarted one after the other, while clients go on."""

import json
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from deploy.embedded import PostgresUrls
from tests.support.followers import lines_of
from tests.support.ports import free_port
from tests.support.proxies import PROGRAMS, command, environment
from tests.support.service import running
from tests.support.sockets import CLIENT
from tests.support.waiting import PATIENCE_S

CLIENTS = 3


class Load:
    """Clients that ask, open tables and follow the lobby through a proxy, and what they were answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.stopping = threading.Event()
        self.answered: Counter[int] = Counter()
        self.wrong: list[str] = []
        """Answers that are neither what was asked for nor a problem document that says when to come again."""
        self.opened: list[str] = []
        self.told: list[str] = []
        """The tables that the lobby's stream told of."""
        registered = httpx.post(f"{url}/v1/players", json={"name": "Ada"}, trust_env=False).json()
        self.bearer = {"Authorization": f"Bearer {registered['token']}"}
        self._acting = [threading.Thread(target=self._act, daemon=True) for _ in range(CLIENTS)]
        self._following = threading.Thread(target=self._follow, daemon=True)
        for thread in (*self._acting, self._following):
            thread.start()

    def stop(self) -> None:
        """Returns when all that was begun is done, and told of."""
        self.stopping.set()
        for thread in (*self._acting, self._following):
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    @property
    def _over(self) -> bool:
        acting = any(thread.is_alive() for thread in self._acting)
        return self.stopping.is_set() and not acting and set(self.opened) <= set(self.told)

    def _act(self) -> None:
        with httpx.Client(base_url=f"{self.url}/v1", headers=self.bearer, trust_env=False, timeout=PATIENCE_S) as http:
            while not self.stopping.is_set():
                key = {"Idempotency-Key": str(uuid4())}
                table = self._sent(http, "POST", "/tables", json={"game": "crocodile"}, headers=key)["table"]
                self.opened.append(table)
                self._sent(http, "GET", f"/tables/{table}")
                self._sent(http, "GET", f"/tables/{table}/events")

    def _sent(self, http: httpx.Client, method: str, path: str, **request: object) -> Mapping[str, str]:
        """What is answered in the end. A client sends again what is answered that it is to come again."""
        while True:
            answer = http.request(method, path, **request)  # type: ignore[arg-type]
            self.answered[answer.status_code] += 1
            if answer.is_success:
                found: Mapping[str, str] = answer.json()
                return found
            self._noted(answer)
            time.sleep(0.05)

    def _noted(self, answer: httpx.Response) -> None:
        form, again = answer.headers.get("content-type"), answer.headers.get("retry-after")
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE or form != "application/problem+json" or not again:
            self.wrong.append(f"{answer.status_code} {form} {again} {answer.request.method} {answer.request.url}")

    def _follow(self) -> None:
        place, headers = {"Last-Event-ID": "0"}, {"Accept": "application/x-ndjson"}
        with httpx.Client(base_url=f"{self.url}/v1", trust_env=False, timeout=PATIENCE_S) as http:
            while not self._over:
                try:
                    # It looks every second whether all is over.
                    waits = httpx.Timeout(PATIENCE_S, read=1.0)
                    with http.stream("GET", "/tables/stream", headers=headers | place, timeout=waits) as answer:
                        if not answer.is_success:
                            answer.read()
                            self._noted(answer)
                            time.sleep(0.05)
                            continue
                        for frame in map(json.loads, lines_of(answer)):
                            if "id" in frame:
                                place["Last-Event-ID"] = str(frame["id"])
                            if frame["frame"] == "event" and frame["data"]["type"] == "table-opened":
                                self.told.append(frame["data"]["table"])
                            if self._over:
                                return
                except (httpx.RemoteProtocolError, httpx.ReadTimeout):
                    # Where the node was gone before it had ended the stream, that goes on at the other one.
                    continue


@contextmanager
def proxied(directory: Path, *upstreams: int) -> Iterator[str]:
    """The proxy before these nodes."""
    port = free_port()
    process = subprocess.Popen(command("nginx", directory, port, *upstreams), env=environment())
    try:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                httpx.get(f"http://{CLIENT}:{port}/health/live", trust_env=False)
                break
            except httpx.TransportError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield f"http://{CLIENT}:{port}"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(PROGRAMS["nginx"] is None, reason="nginx is not installed")
def test_clients_of_nodes_that_are_restarted_in_turn_see_no_failure_that_does_not_say_when_to_come_again(
    tmp_path: Path, empty_database: PostgresUrls, empty_redis: str
) -> None:
    shared = {
        "CODILLE_DATABASE_URL": empty_database.service,
        "CODILLE_REDIS_URL": empty_redis,
        "CODILLE_TRUSTED_PROXIES": CLIENT,
        "CODILLE_RATE_LIMIT": "off",
        "CODILLE_SIGNING_KEY": "5a" * 32,
    }
    ports = [free_port(), free_port()]
    with ExitStack() as whole, ExitStack() as first:
        nodes = [
            first.enter_context(
                running(
                    tmp_path / str(number),
                    settings=shared
                    | {"CODILLE_PORT": str(port)}
                    | ({"CODILLE_DATABASE_OWNER_URL": empty_database.owner} if number == 0 else {}),
                )
            )
            for number, port in enumerate(ports)
        ]
        url = whole.enter_context(proxied(tmp_path, *ports))
        load = Load(url)
        try:
            for number, port in enumerate(ports):
                begun = len(load.opened)
                assert nodes[number].stop() == 0
                # While it is away the other one answers alone.
                wait_for(load, begun + 20)
                whole.enter_context(running(tmp_path / str(number), settings=shared | {"CODILLE_PORT": str(port)}))
                # As the guide says: the next one when this one is ready.
                assert httpx.get(f"http://{CLIENT}:{port}/health/ready", trust_env=False).status_code == 200
            wait_for(load, len(load.opened) + 20)
        finally:
            load.stop()
    assert load.wrong == []
    assert load.answered[200] > 100
    assert len(load.opened) > 60
    assert Counter(load.told) == Counter(load.opened), "each was told of once"


def wait_for(load: Load, opened: int) -> None:
    """Returns once so many tables were opened."""
    deadline = time.monotonic() + PATIENCE_S
    while len(load.opened) < opened:
        assert load.wrong == []
        assert time.monotonic() < deadline, load.answered
        time.sleep(0.02)
