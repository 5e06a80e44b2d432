"""What README, tutorial and guide show is run, block after block, as a reader would type it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.helpers import helper
from tests.support.registry import OFFERED, REGISTRY
from tests.support.service import CODILLE, Running, running

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
TUTORIAL = (ROOT / "api-spec/tutorial.md").read_text()
FAULTS = (ROOT / "deploy/guide/find-a-fault.md").read_text()


def blocks(text: str) -> list[str]:
    """The text's blocks of commands; Python is a command that reads it."""
    found = re.findall(r"```(sh|python)\n(.*?)```", text, re.DOTALL)
    return [block if kind == "sh" else f".venv/bin/python - <<'END'\n{block}END\n" for kind, block in found]


def typed(text: str, service: Running, home: Path) -> str:
    """All that the text's commands print, run in one shell; none may fail."""
    (home / ".venv").symlink_to(CODILLE.parents[1])
    script = "".join(block for block in blocks(text) if not block.startswith("make "))
    run = subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        # The `python3` of these tests: another may be a script that first looks for one.
        env=os.environ
        | {"URL": service.url, "LOG": str(service.log), "PYTHONPATH": str(ROOT)}
        | {"CODILLE_DATA_DIR": str(service.data_dir), "CODILLE_REGISTRY": REGISTRY}
        | {"PATH": f"{CODILLE.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def said(service: Running, tmp_path_factory: pytest.TempPathFactory) -> str:
    """All that the tutorial's commands print."""
    return typed(TUTORIAL, service, tmp_path_factory.mktemp("tutorial"))


def test_the_readme_is_read_in_a_minute() -> None:
    games = [line for line in README.splitlines() if line.startswith("| `")]
    assert len(README.splitlines()) - len(games) <= 106
    assert max(len(block.splitlines()) for block in blocks(README)) <= 40


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    named = re.findall(r"^make (\w+)", blocks(README)[0], re.MULTILINE)
    assert named == ["run", "test"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


def test_the_readme_names_every_game_with_its_seats_and_unit() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| (\w+) \|$", README, re.MULTILINE)
    assert {name: (set(map(int, re.findall(r"\d", seats))), unit) for name, seats, unit in rows} == {
        name: ({habits.seats(options) for options in habits.option_sets}, OFFERED[name].unit)
        for name, habits in ((name, helper(name, "habits")) for name in OFFERED)
    }
    assert len(rows) == len(OFFERED)


def test_the_readmes_game_is_played_replayed_and_verified(service: Running, tmp_path: Path) -> None:
    printed = typed(README, service, tmp_path)
    assert '"game":"ombre"' in printed
    assert '"status":"finished"' in printed
    assert '"winners":[' in printed
    assert '"rule":"OM-' in printed
    assert '"verdict":"intact"' in printed
    assert "intact" in printed


def test_a_fault_is_looked_for_as_the_guide_says(tmp_path: Path) -> None:
    settings = {"CODILLE_LOG_LEVEL": "debug", "CODILLE_REGISTRY": REGISTRY}
    with running(tmp_path / "data", settings=settings) as service:
        (tmp_path / "home").mkdir()
        printed = typed(FAULTS, service, tmp_path / "home")
    assert re.search(r"^verdict +intact", printed, re.MULTILINE)
    assert "the checker: []" in printed
    assert re.search(r"^\['[\w-]+', ", printed, re.MULTILINE)
    assert '"ruling":"upheld"' in printed
    assert '"request_id":"mine-1"' in printed


def test_a_game_is_played_to_its_end_and_told_again(said: str) -> None:
    assert '"status":"finished"' in said
    assert "Deal 3 of 3" in said
    assert re.search(r"^  finished ", said, re.MULTILINE)


def test_what_is_sent_twice_is_done_once(said: str) -> None:
    answers = re.findall(r'\{"version":\d+,"events":\[.*?\],"to_act":\[\d\]\}', said)
    first, second = (json.loads(answer) for answer in answers[:2])
    assert first == second


def test_a_refusal_tells_why(said: str) -> None:
    assert '"code":"not-your-turn"' in said


def test_a_deal_is_scored_by_its_facts(said: str) -> None:
    assert "Casco by seat 1, victory" in said
    assert re.search("^CR-8.1$", said, re.MULTILINE)


def test_statement_and_leaderboard_are_there(said: str) -> None:
    assert "at,game,table,deal,version,account" in said
    assert '"rank":1' in said
