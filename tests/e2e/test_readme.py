"""What the README shows is run, block after block, as a reader would type it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from service.config import Settings
from tests.support.registry import REGISTRY
from tests.support.service import CODILLE, Running

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def said(service: Running, tmp_path_factory: pytest.TempPathFactory) -> str:
    """All that the README's commands print, run in one shell; none may fail."""
    home = tmp_path_factory.mktemp("readme")
    (home / ".venv").symlink_to(CODILLE.parents[1])
    script = "".join(block for block in BLOCKS if not block.startswith("make "))
    run = subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        # The `python3` of these tests: another may be a script that first looks for one.
        env=os.environ
        | {"URL": service.url, "CODILLE_DATA_DIR": str(service.data_dir), "CODILLE_REGISTRY": REGISTRY}
        | {"PATH": f"{CODILLE.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    return run.stdout


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    named = re.findall(r"^make (\w+)", BLOCKS[0], re.MULTILINE)
    assert named == ["run", "test"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


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


def test_statement_and_leaderboard_are_there(said: str) -> None:
    assert "at,game,table,deal,version,account" in said
    assert '"rank":1' in said


def test_every_setting_is_told() -> None:
    names = {name.upper() for name in Settings.__struct_fields__}
    assert names - set(re.findall(r"[A-Z_]{4,}", README)) == set()


def test_every_link_into_the_project_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
