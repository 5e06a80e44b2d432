"""Which Python the project is installed with: one that is clearly faster than the first on the path."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.modules import module_at

SCRIPT = Path(__file__).parents[3] / ".ci" / "interpreter.py"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
Make = Callable[..., str]


@pytest.fixture(scope="module")
def interpreter() -> ModuleType:
    """The script that make runs."""
    return module_at(SCRIPT)


@pytest.fixture
def python(tmp_path: Path) -> Make:
    """Makes a program that does the work in so many seconds, or fails."""

    def made(name: str, seconds: float | None, version: str = VERSION) -> str:
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {version} {seconds} $0\n" if seconds else "#!/bin/sh\nexit 1\n")
        program.chmod(0o755)
        return str(program)

    return made


def test_a_python_that_is_faster_by_more_than_a_tenth_is_taken(interpreter: ModuleType, python: Make) -> None:
    first, slower, faster, fastest = map(python, ("first", "slow", "fast", "best"), (0.05, 0.06, 0.04, 0.025))
    chosen, reason = interpreter.choose(first, [slower, fastest, faster])
    assert chosen == fastest
    assert reason.startswith(f"{fastest} runs 2.00 times as fast as {first}")


def test_the_first_python_stays_where_no_other_one_is_clearly_faster(interpreter: ModuleType, python: Make) -> None:
    first, hardly = map(python, ("first", "hardly"), (0.05, 0.047))
    assert interpreter.choose(first, [hardly, first]) == (first, "")


def test_a_python_of_another_version_or_without_environments_is_not_taken(
    interpreter: ModuleType, python: Make
) -> None:
    first, broken, newer = python("first", 0.05), python("broken", None), python("newer", 0.01, "3.99")
    assert interpreter.choose(first, [broken, newer, "/nowhere/python3"]) == (first, "")
    assert interpreter.choose(broken, [python("fast", 0.01)]) == (broken, "")


def test_the_choice_is_a_python_that_does_the_work(interpreter: ModuleType) -> None:
    place, seconds = interpreter.measure(sys.executable)
    assert place == sys.executable
    assert seconds > 0.0
    said = subprocess.run([sys.executable, SCRIPT, sys.executable], capture_output=True, text=True, check=True).stdout
    assert interpreter.measure(said.strip()) is not None
