"""A service of an earlier version goes on beside today's, over the database that today's has migrated."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lab.chaos.faults import FAULTS
from tests.lab.chaos.run import Plan, Report, code_of, run
from tests.support.waiting import PATIENCE_S

ROOT = Path(__file__).parents[3]
BEFORE = "bc2a9f32"
"""An earlier commit whose views are as today's, which the checker compares, and that needs no library of its own."""
ACTS = 300


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A checkout of the earlier version."""
    checkout = tmp_path / "before"
    checkout.mkdir()
    tree = subprocess.run(["git", "-C", str(ROOT), "archive", BEFORE], capture_output=True, check=True).stdout  # noqa: S607
    subprocess.run(["tar", "-x", "-C", str(checkout)], input=tree, check=True)  # noqa: S607
    asked = [sys.executable, "-P", "-c", "import service.config; print(service.config.__file__)"]
    found = subprocess.run(asked, env=code_of(checkout), capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()) == checkout / "service" / "config.py"
    return checkout


@pytest.mark.long
async def test_nodes_of_two_versions_lose_nothing_while_servers_and_links_fail(before: Path, tmp_path: Path) -> None:
    # Whether a process of the earlier version starts over a newer schema is asked elsewhere, so none is killed.
    faults = [name for name in FAULTS if name.startswith(("postgres", "redis"))]
    late = time.monotonic() + 2 * PATIENCE_S

    def enough(report: Report) -> bool:
        struck = {*faults} - report.impossible <= report.healed.keys()
        return (struck and report.acts >= ACTS) or time.monotonic() > late

    plan = Plan(1, enough, faults, faults=(), apart=10, tables=6, before=before)
    report = await run(tmp_path / "run", plan)
    assert report.wrong == []
    assert {*faults} - report.healed.keys() == report.impossible
    assert report.acts >= ACTS
