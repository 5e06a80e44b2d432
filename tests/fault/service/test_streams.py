"""Streams of a service as it is run: processes end, are killed and come again, servers go away and come back."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.fault.service.test_outages import Party
from tests.support.followers import Follower
from tests.support.postgres import Postgres
from tests.support.redis import Valkey
from tests.support.service import Running, running
from tests.support.waiting import PATIENCE_S


def token_of(party: Party, seat: int) -> str:
    return party.headers[seat]["Authorization"].removeprefix("Bearer ")


@contextmanager
def following(service: Running, party: Party) -> Iterator[list[Follower]]:
    """The table's stream of every seat and of the public, from the first event on."""
    tokens = [*(token_of(party, seat) for seat in range(3)), ""]
    path = f"{party.table}/events/stream"
    followers = [Follower(lambda: service.url, path, token) for token in tokens]
    try:
        yield followers
    finally:
        for one in followers:
            one.stop()


def play(party: Party, acts: int) -> int:
    """The version after so many acts; an outage is waited for."""
    version = 0
    deadline = time.monotonic() + PATIENCE_S
    while acts:
        try:
            seat, action = party.next()
            answer = party.act(seat, action)
        except (httpx.HTTPError, KeyError, ValueError):
            answer = None
        if answer is not None and answer.status_code == 201:
            version = answer.json()["version"]
            acts -= 1
        else:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    return version


def saw_all(followers: list[Follower], version: int) -> None:
    """Each has had every event once, in order."""
    for one in followers:
        one.until(lambda one: one.last == version)
        assert one.ids == list(range(1, version + 1))


def test_at_the_end_of_the_service_streams_end_at_once_and_say_so(tmp_path: Path) -> None:
    with running(tmp_path / "data", settings={"CODILLE_RATE_LIMIT": "off"}) as service:
        party = Party(service.url)
        paths = (f"{party.table}/events/stream", "/v1/players/me/stream", "/v1/tables/stream")
        followers = [Follower(lambda: service.url, path, token_of(party, 0), after=None) for path in paths]
        for one in followers:
            one.until(lambda one: bool(one.frames))
        assert service.stop() == 0
        for one in followers:
            one.until(lambda one: one.frames[-1]["frame"] == "dropped")
            assert one.frames[-1]["data"]["reason"] == "stopping"
            one.stop()
        assert "cancelled" not in service.log.read_text()


def test_processes_are_killed_and_no_reader_misses_or_repeats_an_event(tmp_path: Path) -> None:
    settings = {"CODILLE_RATE_LIMIT": "off", "CODILLE_WORKERS": "2"}
    with running(tmp_path / "data", settings=settings) as service:
        party = Party(service.url)
        with following(service, party) as followers:
            for _ in range(2):
                version = play(party, 4)
                for one in followers:
                    one.until(lambda one: bool(one.ids))
                os.kill(serving(service)[0], signal.SIGKILL)
                version = play(party, 4)
            saw_all(followers, version)
            assert sum(one.opened for one in followers) > len(followers)


def serving(service: Running) -> list[int]:
    """The processes that serve the interface."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    own = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
    found = [pid for pid, command in own.items() if b"interface=" in command]
    assert found, own
    return found


@pytest.mark.parametrize("server", ["redis", "postgres"])
def test_a_server_goes_away_and_comes_again(
    beside: Running, own_valkey: Valkey, own_postgres: Postgres, server: str
) -> None:
    party = Party(beside.url)
    with following(beside, party) as followers:
        away = own_valkey if server == "redis" else own_postgres
        before = play(party, 3)
        for one in followers:
            one.until(lambda one: one.last == before)
        opened = [one.opened for one in followers]
        away.kill()
        if server == "redis":
            saw_all(followers, play(party, 6))
        away.start()
        saw_all(followers, play(party, 6))
        assert [one.opened for one in followers] == opened, "nobody had to come again"
