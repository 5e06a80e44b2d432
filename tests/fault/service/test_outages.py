"""A running service whose Postgres or Redis goes away and comes back, seen by its clients."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.embedded.conftest import servers_of
from tests.support.picking import pick, repeatable
from tests.support.postgres import Postgres
from tests.support.redis import Valkey
from tests.support.service import Running, running
from tests.support.waiting import PATIENCE_S

BOUND_S = 30.0
"""No request may take longer, whatever is the matter."""

OF_THE_ARCHIVE = ("/v1/archive/deals", "/v1/games/crocodile/statistics")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service whose servers tests may hurt; each ends when it works again."""
    with running(tmp_path_factory.mktemp("outages") / "data", settings={"CODILLE_RATE_LIMIT": "off"}) as service:
        yield service


class Party:
    """Three players at a table of a running service."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=BOUND_S, trust_env=False)
        registered = [self.http.post("/v1/players", json={"name": name}).json() for name in ("Ada", "Berta", "Carl")]
        self.headers = [{"Authorization": f"Bearer {player['token']}"} for player in registered]
        opened = self.http.post("/v1/tables", json={"game": "crocodile"}, headers=self.headers[0])
        self.table = f"/v1/tables/{opened.json()['table']}"
        for headers in self.headers:
            assert self.http.post(f"{self.table}/seats", json={}, headers=headers).status_code == 201

    def get(self, path: str, seat: int = 0) -> httpx.Response:
        return self.http.get(path, headers=self.headers[seat])

    def next(self) -> tuple[int, dict[str, Any]]:
        """The seat that is to act, and something it may do."""
        seat = int(self.get(f"{self.table}/offers").json()["to_act"][0])
        offers = self.get(f"{self.table}/offers", seat).json()["offers"]
        return seat, pick(offers, repeatable(1))

    def act(self, seat: int, action: dict[str, Any], key: str | None = None) -> httpx.Response:
        headers = self.headers[seat] | ({} if key is None else {"Idempotency-Key": key})
        return self.http.post(f"{self.table}/actions", json=action, headers=headers)

    def resources(self) -> list[str]:
        """What can be read of the table."""
        version = self.get(self.table).json()["version"]
        paths = ("", "/offers", "/events", "/ledger", f"/replay/{version}", f"/replay?from=1&to={version}")
        return [self.table + path for path in paths]


def servers(service: Running, name: str) -> list[int]:
    """The processes of one of the service's servers."""
    return servers_of(service.data_dir / name)


@contextmanager
def frozen(service: Running, name: str) -> Iterator[None]:
    """Meanwhile the server takes connections and answers nothing."""
    found = servers(service, name)
    assert found
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in found:
            os.kill(pid, signal.SIGCONT)


def unavailable(answer: httpx.Response) -> None:
    """The answer to what an outage keeps from being done."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) >= 1


def told_or_unavailable(party: Party, paths: Iterable[str]) -> None:
    """Each of these is answered in time: with what there is to tell, or with the outage."""
    with ThreadPoolExecutor() as several:
        for answer in several.map(party.get, paths):
            if answer.status_code != 200:
                unavailable(answer)


def in_the_end(ask: Callable[[], httpx.Response], status: int) -> httpx.Response:
    """The answer once it has this status; until then only an outage may be told of."""
    deadline = time.monotonic() + PATIENCE_S
    while (answer := ask()).status_code != status:
        unavailable(answer)
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.1)
    return answer


def listed(party: Party, version: int = 0) -> list[dict[str, Any]]:
    """The tables in the list, once the party's, the newest, is the first of them and has this version."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        items: list[dict[str, Any]] = in_the_end(lambda: party.get("/v1/tables"), 200).json()["items"]
        if items and party.table.endswith(items[0]["table"]) and items[0]["version"] >= version:
            return items
        assert time.monotonic() < deadline, items
        time.sleep(0.05)


def test_while_postgres_does_not_answer_nothing_is_done_and_all_of_it_is_said(service: Running) -> None:
    party = Party(service.url)
    seat, action = party.next()
    before = party.get(f"{party.table}/events").json()
    paths = party.resources()
    with frozen(service, "postgres"):
        told_or_unavailable(
            party, [*paths, "/v1/tables", "/v1/games", "/v1/leaderboard?game=crocodile", *OF_THE_ARCHIVE]
        )
        unavailable(party.act(seat, action, key="frozen"))
        unavailable(party.get(f"{party.table}/events"))
        unavailable(party.get("/health/ready"))
        assert party.get("/health/live").status_code == 200
    answer = in_the_end(lambda: party.act(seat, action, key="frozen"), 201)
    again = in_the_end(lambda: party.act(seat, action, key="frozen"), 201)
    assert (again.json(), again.headers["idempotency-replayed"]) == (answer.json(), "true")
    events = in_the_end(lambda: party.get(f"{party.table}/events"), 200).json()
    assert events["items"][: len(before["items"])] == before["items"]
    actions = [event["action"] for event in events["items"] if event["version"] > before["version"]]
    assert len(set(actions)) == 1
    for path in ("/health/ready", *OF_THE_ARCHIVE):
        in_the_end(partial(party.get, path), 200)


def test_without_redis_a_table_goes_on_and_lists_say_so(service: Running) -> None:
    party = Party(service.url)
    before = listed(party)
    shown = {path: party.get(path).content for path in (*party.resources(), *OF_THE_ARCHIVE)}
    with frozen(service, "valkey"):
        assert {path: party.get(path).content for path in shown} == shown
        for path in ("/v1/tables", "/v1/leaderboard?game=crocodile"):
            unavailable(party.get(path))
        version = 0
        for _ in range(5):
            seat, action = party.next()
            acted = party.act(seat, action)
            assert acted.status_code == 201, acted.text
            version = acted.json()["version"]
            assert party.get(f"{party.table}?min_version={version}", seat).json()["version"] == version
        assert party.get("/health/ready").status_code == 200
    assert len(listed(party, version)) == len(before)


def test_a_crash_of_redis_ends_no_game_and_it_is_started_again(service: Running) -> None:
    party = Party(service.url)
    listed(party)
    before = service.log.read_text()
    (pid,) = servers(service, "valkey")
    os.kill(pid, signal.SIGKILL)
    version = 0
    for _ in range(3):
        seat, action = party.next()
        acted = party.act(seat, action)
        assert acted.status_code == 201, acted.text
        version = acted.json()["version"]
    for path in party.resources():
        assert party.get(path).status_code == 200
    listed(party, version)
    said = service.log.read_text().removeprefix(before)
    assert "valkey-server does not run (signal 9)" in said
    # It had kept what it knew.
    assert "building read models" in before
    assert "building read models" not in said


@contextmanager
def down(service: Running) -> Iterator[None]:
    """Kills Postgres, and meanwhile keeps its configuration away, so that every start fails."""
    killed = set(servers(service, "postgres"))
    configuration = service.data_dir / "postgres" / "postgresql.conf"
    away = configuration.rename(configuration.with_suffix(".away"))
    try:
        os.kill(postmaster(service), signal.SIGKILL)
        # The others end by themselves; until then they still write what they are given.
        deadline = time.monotonic() + PATIENCE_S
        while killed & set(servers(service, "postgres")):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        yield
    finally:
        away.rename(configuration)


@contextmanager
def held_up(service: Running) -> Iterator[None]:
    """Kills Postgres, and meanwhile keeps a process of it from ending, which a start waits for at first."""
    (checkpointer,) = (
        pid for pid in servers(service, "postgres") if b"checkpointer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    os.kill(checkpointer, signal.SIGSTOP)
    try:
        os.kill(postmaster(service), signal.SIGKILL)
        yield
    finally:
        # The service kills it in the end.
        with suppress(ProcessLookupError):
            os.kill(checkpointer, signal.SIGCONT)


def postmaster(service: Running) -> int:
    """The process whose end ends the server."""
    return int((service.data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0])


@pytest.mark.parametrize("arguments", [(), ("--workers", "2")], ids=["one", "several"])
def test_a_crash_of_postgres_is_got_over(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with running(tmp_path / "data", *arguments, settings={"CODILLE_RATE_LIMIT": "off"}) as service:
        party = Party(service.url)
        seat, action = party.next()
        before = party.get(f"{party.table}/events").json()
        with down(service):
            unavailable(party.act(seat, action, key="crashed"))
            unavailable(party.get(f"{party.table}/events"))
            unavailable(party.get("/health/ready"))
            assert party.get("/health/live").status_code == 200
        answer = in_the_end(lambda: party.act(seat, action, key="crashed"), 201)
        again = in_the_end(lambda: party.act(seat, action, key="crashed"), 201)
        assert (again.json(), again.headers["idempotency-replayed"]) == (answer.json(), "true")
        in_the_end(lambda: party.get(f"{party.table}/offers"), 200)
        seat, action = party.next()
        # Once more, since the one that was started again is another thread's child.
        os.kill(postmaster(service), signal.SIGKILL)
        in_the_end(lambda: party.act(seat, action, key="crashed again"), 201)
        events = in_the_end(lambda: party.get(f"{party.table}/events"), 200).json()["items"]
        assert events[: before["version"]] == before["items"]
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert "postgres does not run (signal 9)" in service.log.read_text()
        assert service.stop() == 0
    assert servers(service, "postgres") == servers(service, "valkey") == []


def test_a_stop_while_servers_are_to_be_started_again_leaves_nothing(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        with held_up(service):
            os.kill(servers(service, "valkey")[0], signal.SIGKILL)
            assert service.stop() == 0
        assert "Traceback" not in service.log.read_text()
    deadline = time.monotonic() + PATIENCE_S
    while left := servers(service, "postgres") + servers(service, "valkey"):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


def test_a_backend_of_postgres_that_crashes_is_got_over(service: Running) -> None:
    party = Party(service.url)
    seat, action = party.next()
    children = [
        pid for pid in servers(service, "postgres") if b" codille " in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert children
    for pid in children:
        # The server ends the others itself when it sees that one has crashed.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    in_the_end(lambda: party.act(seat, action, key="crashed"), 201)
    versions = [
        event["version"] for event in in_the_end(lambda: party.get(f"{party.table}/events"), 200).json()["items"]
    ]
    assert versions == list(range(1, len(versions) + 1))


def test_a_crash_of_postgres_loses_and_doubles_nothing(beside: Running, own_postgres: Postgres) -> None:
    party = Party(beside.url)
    seat, action = party.next()
    before = party.get(f"{party.table}/events").json()
    paths = party.resources()
    own_postgres.kill()
    unavailable(party.act(seat, action, key="crashed"))
    unavailable(party.get(f"{party.table}/events"))
    unavailable(party.get("/health/ready"))
    assert party.get("/health/live").status_code == 200
    told_or_unavailable(party, [*paths, "/v1/tables", "/v1/games", "/v1/leaderboard?game=crocodile", *OF_THE_ARCHIVE])
    own_postgres.start()
    first = in_the_end(lambda: party.act(seat, action, key="crashed"), 201)
    again = in_the_end(lambda: party.act(seat, action, key="crashed"), 201)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")
    events = in_the_end(lambda: party.get(f"{party.table}/events"), 200).json()["items"]
    assert events[: before["version"]] == before["items"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert len({event["action"] for event in events[before["version"] :]}) == 1
    version = first.json()["version"]
    assert in_the_end(lambda: party.get(f"{party.table}?min_version={version}"), 200).json()["version"] == version
    assert in_the_end(lambda: party.get("/health/ready"), 200).status_code == 200


def test_a_redis_that_comes_back_with_nothing_is_filled_again(beside: Running, own_valkey: Valkey) -> None:
    party = Party(beside.url)
    before = listed(party)
    shown = {path: party.get(path).content for path in party.resources()}
    own_valkey.kill()
    assert {path: party.get(path).content for path in shown} == shown
    unavailable(party.get("/v1/tables"))
    seat, action = party.next()
    acted = party.act(seat, action)
    assert acted.status_code == 201, acted.text
    own_valkey.start()
    items = listed(party, acted.json()["version"])
    assert [item["table"] for item in items] == [item["table"] for item in before]
    assert in_the_end(lambda: party.get("/health/ready"), 200).status_code == 200
