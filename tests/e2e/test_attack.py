"""`make attack`: a service of this project holds."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.service import running

ROOT = Path(__file__).parents[2]
QUICK = (
    "smuggled", "odd paths", "registered again", "invisible names", "scopes taken", "cards seen", "acts doubled",
    "inner receivers", "hostile receivers", "lent tokens", "stolen tokens", "private tables listed",
    "weak substitutes", "redirects bent", "codes stolen", "clients beyond", "codes hoarded", "spectators ahead",
    "random requests", "still there",
)  # fmt: skip
"""The attacks that hold no connection until it times out; those are in the tests of the server."""


def attack(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tests.lab.attack", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


LIMITED = (
    "streams taken", "own table watched", "bytes taken", "addresses pretended", "bots left alone", "still there",
)  # fmt: skip
"""The attacks on what a service limits; it is one that takes few connections."""


@pytest.fixture(scope="module")
def limited_url(tmp_path_factory: pytest.TempPathFactory, described: Mapping[str, str]) -> Iterator[str]:
    """A service with its quotas that takes 60 connections, and so 45 streams. Each attack has an address of its own."""
    data = tmp_path_factory.mktemp("limited") / "data"
    with running(data, settings={"CODILLE_MAX_CONNECTIONS": "60", **described}) as service:
        yield service.url


def test_a_service_holds(service_url: str) -> None:
    holds(service_url, QUICK)


def test_a_service_that_takes_few_connections_holds(limited_url: str) -> None:
    holds(limited_url, LIMITED)


def test_an_address_may_open_so_many_tables_of_bots(limited_url: str) -> None:
    """240 bots an hour. What they cost is measured by hand, since it depends on what else the machine does."""
    done = attack(limited_url, "--measure", "0.05", "bot tables watched")
    assert " 60 tables took " in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_bots_act_at_times_that_tell_nothing_of_a_choice(tmp_path: Path, described: Mapping[str, str]) -> None:
    """Their times are real ones, so it is not tried in each run."""
    settings = {"CODILLE_BOT_PAUSE_MS": "200", "CODILLE_RATE_LIMIT": "off", **described}
    with running(tmp_path / "data", settings=settings) as service:
        holds(service.url, ["bots timed"])


def holds(url: str, names: Sequence[str]) -> None:
    """Fails unless the service holds against all tries of these attacks."""
    done = attack(url, "--measure", "0.05", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        (row,) = [line for line in done.stdout.splitlines() if line.strip().startswith(f"{name} ")]
        tried, held = row.replace(name, "").split()[:2]
        assert int(tried) == int(held) > 0, row
