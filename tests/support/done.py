"""Whether a game is done: `python -m tests.support.done GAME`, or `make game-done GAME=…`.

Runs all that a change to a game can break, on two cores within two minutes or so, and goes on where something fails.
Each failure is followed by the command that comes next. CI runs all other tests, and takes longest for pages.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tests.support.missing import missing

ROOT = Path(__file__).parents[2]
PYTEST = f".venv/bin/pytest -q -n {os.cpu_count()} --dist=loadfile --no-loadscope-reorder"
FIRST_FAILED = ".venv/bin/pytest -x"
OF_GAME = "tests/games/{0} tests/golden tests/property tests/unit/every_game"
OF_TREE = (
    "tests/history/test_forms.py tests/integration/projections/test_fold_version.py tests/kits/python/test_verify.py "
    "tests/unit/audit tests/unit/describe tests/unit/documents tests/unit/house tests/unit/record_spec "
    "tests/unit/rules_pinned tests/e2e/test_readme.py::test_the_readme_names_every_game_with_its_seats_and_unit "
    "tests/e2e/test_readme.py::test_the_readme_is_read_in_a_minute "
    "tests/contract/test_bots.py::test_the_levels_are_listed"
)
"""What else reads games: published records and vectors, forms, documents, descriptions, figures of the tree."""


class Step(NamedTuple):
    """A command, and what to run when it fails."""

    about: str
    command: str
    then: str


def steps(of: str) -> Iterator[Step]:
    """What is run for a game, the quickest first."""
    yield Step("style", ".venv/bin/ruff check -q", ".venv/bin/ruff check --fix")
    yield Step("form", ".venv/bin/ruff format -q --check", ".venv/bin/ruff format")
    yield Step("layers", ".venv/bin/lint-imports --no-logo", "make layers")
    yield Step("documents", ".venv/bin/codille openapi --check", ".venv/bin/codille openapi")
    yield Step("types", ".venv/bin/mypy", "make types")
    yield Step("the game", f"{PYTEST} --game {of} {OF_GAME.format(of)}", FIRST_FAILED)
    yield Step("what reads games", f"{PYTEST} {OF_TREE}", FIRST_FAILED)


def after(step: Step, printed: str) -> str:
    """The command to run when the step has failed with this output."""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)
    return f"{step.then} '{failed[1]}'" if failed and step.then == FIRST_FAILED else step.then


def main(of: str) -> None:
    """Runs all steps. Raises SystemExit where the game lacks something, or a step failed."""
    lacking, then = [*missing(of)], list[str]()
    if lacking:
        print(*lacking, sep="\n")
        then.append(f"make game-missing GAME={of} ADD=1")
    for step in steps(of):
        since = monotonic()
        ran = subprocess.run(step.command.split(), cwd=ROOT, check=False, capture_output=True, text=True)
        print(f"{'failed' if ran.returncode else 'passed'} in {monotonic() - since:.0f} s: {step.about}", flush=True)
        if ran.returncode:
            print(ran.stdout + ran.stderr, flush=True)
            then.append(after(step, ran.stdout))
    if then:
        sys.exit("\n".join([f"{of} is not done; next:", *then]))
    print(f"{of} is done")


if __name__ == "__main__":
    main(*sys.argv[1:])
