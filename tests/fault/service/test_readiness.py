"""What probes of each role see while that role's own work halts, though Postgres can be read and written."""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from deploy.embedded import launch
from tests.lab.chaos.links import Link
from tests.support.ports import free_port
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.redis import Valkey
from tests.support.service import CODILLE, environment, running
from tests.support.waiting import PATIENCE_S

APART = ("projector", "webhooks", "bots")
LISTENING = {"listening to the log"}
PROJECTING = {"projector", "timekeeper", "audit", "watch for webhooks"}


class Parts:
    """A service of role `all` and a process of each role without the interface, over servers and links to them."""

    def __init__(self, postgres: Postgres, redis: Valkey, listening: Link) -> None:
        self.postgres = postgres
        self.redis = redis
        self.listening = listening
        self.urls: dict[str, str] = {}
        """Where each role's health is."""

    def until(self, role: str, status: int, halted: set[str]) -> httpx.Response:
        """The readiness of this role once it is that, and names at least this work, or none."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            text = ""
            # It may not listen yet.
            with suppress(httpx.ConnectError):
                answer = httpx.get(f"{self.urls[role]}/health/ready", trust_env=False, timeout=PATIENCE_S)
                if answer.status_code == status and named(answer) >= halted and bool(named(answer)) == bool(halted):
                    return answer
                text = answer.text
            assert time.monotonic() < deadline, (role, text)
            time.sleep(0.1)

    def recovered(self) -> None:
        """Returns once every part is ready and nothing halts."""
        for role in self.urls:
            self.until(role, 200, set())


def named(answer: httpx.Response) -> set[str]:
    """The work that halts, as the answer names it."""
    if answer.status_code == 200:
        return set(answer.json()["halted"])
    assert answer.status_code == 503
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) >= 1
    return set(answer.json()["detail"].partition("halts; the log says why: ")[2].split(", ")) - {""}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parts]:
    folder = tmp_path_factory.mktemp("parts")
    with ExitStack() as stack:
        postgres, redis = Postgres(binaries()), Valkey()
        stack.callback(postgres.remove)
        stack.callback(redis.remove)
        postgres.start()
        redis.start()
        listening = Link(postgres.socket)
        listening.start()
        stack.callback(listening.stop)
        address = as_service(postgres.dsn())
        settings = {
            "CODILLE_DATABASE_URL": address,
            "CODILLE_DATABASE_DIRECT_URL": address.replace(str(postgres.socket.parent), str(listening.path.parent)),
            "CODILLE_REDIS_URL": redis.url,
            "CODILLE_RATE_LIMIT": "off",
            "CODILLE_SIGNING_KEY": "5a" * 32,
        }
        made = Parts(postgres, redis, listening)
        owner = {"CODILLE_DATABASE_OWNER_URL": postgres.dsn(), "CODILLE_BOT_PROCESSES": "0"}
        made.urls["all"] = stack.enter_context(running(folder / "all", settings=settings | owner)).url
        for role in APART:
            made.urls[role] = stack.enter_context(part(folder, role, settings))
        made.recovered()
        yield made


@contextmanager
def part(folder: Path, role: str, settings: Mapping[str, str]) -> Iterator[str]:
    """Runs a process of this role; yields where its health is."""
    port, bots = free_port(), {"CODILLE_BOT_PROCESSES": "1"} if role == "bots" else {}
    key = {} if role == "projector" else {"CODILLE_SIGNING_KEY": ""}
    named = {**settings, **key, **bots, "CODILLE_ROLE": role, "CODILLE_METRICS_PORT": str(port)}
    with (folder / f"{role}.log").open("wb") as log:
        process = subprocess.Popen(
            [*launch.prefix(signal.SIGTERM), str(CODILLE), "serve"],
            env=environment(folder / role, named),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def test_a_part_that_does_not_hear_of_the_log_is_not_ready(parts: Parts) -> None:
    parts.listening.refusing = True
    parts.listening.cut()
    parts.until("all", 200, LISTENING | {"listening to revocations", "listening to requests for signatures"})
    for role in APART:
        parts.until(role, 503, LISTENING)
    parts.listening.heal()
    parts.recovered()


def test_without_redis_the_projector_is_not_ready_and_the_interface_names_it(parts: Parts) -> None:
    parts.redis.kill()
    assert parts.until("all", 200, {"projector"}).json()["redis"] == "unavailable"
    assert "the projector needs Redis" in parts.until("projector", 503, set()).text
    for role in ("webhooks", "bots"):
        parts.until(role, 200, set())
    parts.redis.start()
    parts.recovered()


def test_what_meets_an_error_in_the_log_is_named_by_each_part(parts: Parts) -> None:
    parts.postgres.execute("REVOKE SELECT ON codille.event, codille.webhook FROM codille_service")
    parts.until("all", 200, PROJECTING)
    for role, halted in (("projector", PROJECTING), ("webhooks", {"webhook outbox"}), ("bots", {"player of bots"})):
        parts.until(role, 503, halted)
    parts.postgres.execute("GRANT SELECT ON codille.event, codille.webhook TO codille_service")
    parts.recovered()
