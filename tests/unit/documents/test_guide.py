"""The changed rule that the guide shows can still be made, and version 1 stays what it is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from domain.games.dingo import DINGO

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "deploy" / "guide"

WORTH = """
from domain.games.dingo import DINGO
from domain.games.dingo.facts import Facts
from domain.games.dingo.hunts import Won
from domain.kernel.worth import Terms

for game in (DINGO, *DINGO.earlier):
    score = game.scoring.worth(Terms(), Facts((Won(0, "Ad"),)))
    print(game.rulebook.version, score.transfers[0].amount, game.rulebook.digest())
"""


def test_the_diff_applies_and_each_version_has_its_value(tmp_path: Path) -> None:
    for tree in ("domain", "tests/games/dingo"):
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=shutil.ignore_patterns("__pycache__"))
    diff = GUIDE / "mend-a-rule.diff"
    subprocess.run(["/usr/bin/env", "git", "apply", diff], cwd=tmp_path, check=True)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    printed = subprocess.run(
        [sys.executable, "-c", WORTH], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    ).stdout
    newest, first = (line.split() for line in printed.splitlines())
    assert (newest[:2], first) == (["2", "12"], ["1", "10", DINGO.rulebook.digest()])


def test_the_page_shows_the_file_of_earlier_rules_as_the_diff_has_it() -> None:
    added = {line[1:].strip() for line in (GUIDE / "mend-a-rule.diff").read_text().splitlines() if line.startswith("+")}
    page = (GUIDE / "mend-a-rule.md").read_text()
    shown = [line.strip() for line in page.partition("```python\n")[2].partition("```")[0].splitlines()]
    # The rule's text is shortened on the page.
    assert [line for line in shown if line not in added and not line.startswith("RULE = ")] == []
