"""The service with another registry: its processes, audits and specification take the games from the setting."""

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.registry import GAMES as OFFERED
from service.cli.load_test.http_connection import Connection
from tests.support.another import GAMES, GERMAN_SOLO, REGISTRY
from tests.support.picking import repeatable, temper_of
from tests.support.service import CODILLE, Running, measured, running, senders
from tests.support.stranger import Played, Script, play, run_async
from tests.support.waiting import PATIENCE_S

NAME = GERMAN_SOLO.name


def codille(*arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    given = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    return subprocess.run(
        [CODILLE, *arguments], env=given | settings, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The specification of this registry's games."""
    folder = tmp_path_factory.mktemp("spec")
    done = codille("openapi", "--registry", REGISTRY, "--out", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def several(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Two processes that serve these games, and one that projects and audits them."""
    settings = {"CODILLE_REGISTRY": REGISTRY, "CODILLE_SPEC_DIR": str(written), "CODILLE_WORKERS": "2"}
    with running(tmp_path_factory.mktemp("registry") / "data", settings=settings) as service:
        yield service


@pytest.fixture(scope="module")
def games(several: Running) -> list[Played]:
    """A few finished games of the one that only this registry has. Each request may go to either process."""

    def script(seed: int) -> Script[Played]:
        tempers = [temper_of(repeatable(seed + seat)) for seat in range(4)]
        return play(NAME, {"color": "h"}, tempers, repeatable(seed))

    async def one(seed: int) -> Played:
        async with Connection(several.url, timeout_s=PATIENCE_S) as connection:
            return await run_async(script(seed), connection, keep=False)

    async def all_of_them() -> list[Played]:
        return await asyncio.gather(*map(one, range(2)))

    return asyncio.run(all_of_them())


def of(service: Running, registry: str = REGISTRY) -> dict[str, str]:
    """The settings of a command beside the service."""
    return {"CODILLE_DATA_DIR": str(service.data_dir), "CODILLE_REGISTRY": registry}


def test_its_games_are_offered(several: Running) -> None:
    listed = httpx.get(f"{several.url}/v1/games", trust_env=False).json()["items"]
    assert [item["game"] for item in listed] == list(GAMES)
    assert not GAMES.keys() <= OFFERED.keys()
    assert httpx.get(f"{several.url}/v1/games/{NAME}", trust_env=False).json()["title"] == "German Solo"


def test_its_specification_is_served(several: Running, written: Path) -> None:
    for document in ("asyncapi.json", "openapi.json"):
        served = httpx.get(f"{several.url}/v1/{document}", trust_env=False)
        assert served.content == (written / document).read_bytes()
    assert NAME in served.json()["components"]["schemas"]["View"]["discriminator"]["mapping"]
    assert {file.stem for file in (written / "built" / "events" / NAME).iterdir()} == {
        one.TYPE for one in GERMAN_SOLO.events
    }
    assert codille("openapi", "--check", "--out", str(written), CODILLE_REGISTRY=REGISTRY).returncode == 0


def test_its_games_are_played_by_several_processes(games: list[Played]) -> None:
    assert {game.events[0]["game"] for game in games} == {NAME}
    assert {game.view["status"] for game in games} == {"finished"}


def test_with_the_first_webhook_one_of_its_processes_sends(several: Running) -> None:
    assert senders(several) == []
    with httpx.Client(base_url=several.url, trust_env=False) as http:
        token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        asked = {"url": "https://bot.example/"}
        http.post("/v1/webhooks", json=asked, headers={"Authorization": f"Bearer {token}"}).raise_for_status()
    deadline = time.monotonic() + PATIENCE_S
    while len(senders(several)) != 1:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    # Whichever process answers knows of all.
    while measured(several.metrics_url, "codille_webhooks_sending") != 1:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_audit_of_everything_takes_its_rules(several: Running, games: list[Played]) -> None:
    done = codille("audit", **of(several))
    assert (done.returncode, "intact" in done.stdout) == (0, True), done.stdout + done.stderr
    done = codille("audit", **of(several, "domain.registry:GAMES"))
    # What another registry made is no forgery: this one does not know its rules.
    assert (done.returncode, "altered" in done.stdout) == (0, False), done.stdout + done.stderr
    assert f"{len(games)} tables not judged" in done.stdout


def test_the_continuous_audit_takes_its_rules(several: Running, games: list[Played]) -> None:
    for game in games:
        audits = httpx.get(f"{several.url}/v1/tables/{game.table}/deals/1/audit", trust_env=False).json()
        assert audits["verdict"] == "intact"


def test_an_export_is_verified_by_its_rules(several: Running, games: list[Played], tmp_path: Path) -> None:
    file = tmp_path / "game.ndjson"
    file.write_bytes(httpx.get(f"{several.url}/v1/tables/{games[0].table}/export", trust_env=False).content)
    assert codille("verify", str(file), "--unpinned", CODILLE_REGISTRY=REGISTRY).returncode == 0
    done = codille("verify", str(file))
    assert (done.returncode, "its rules are not known" in done.stdout) == (2, True), done.stdout


@pytest.mark.parametrize("source", [(), ("--database",)], ids=["service", "database"])
def test_its_games_are_replayed_on_the_terminal(several: Running, games: list[Played], source: tuple[str, ...]) -> None:
    done = codille("replay", games[0].table, *source, **of(several))
    assert (done.returncode, "German Solo, 4 deals" in done.stdout) == (0, True), done.stdout + done.stderr


def test_read_models_are_rebuilt_of_its_games(several: Running, games: list[Played]) -> None:
    assert codille("rebuild", **of(several)).returncode == 0
    listed = httpx.get(f"{several.url}/v1/tables", trust_env=False).json()["items"]
    assert {game.table for game in games} <= {item["table"] for item in listed}
