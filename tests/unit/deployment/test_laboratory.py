"""The laboratory is a place of its own: the service lacks nothing without it, and its page knows all of it."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
LAB = ROOT / "tests" / "lab"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PAGE = (LAB / "README.md").read_text(encoding="utf-8")
ROOMS = {path.name for path in LAB.iterdir() if [*path.glob("*.py")]}


def listed(*target: str) -> list[str]:
    """The targets that `make` prints. It sets nothing up."""
    done = subprocess.run(["make", "--silent", *target], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return [line.split()[1] for line in done.stdout.splitlines()]


def test_make_prints_the_twelve_targets_that_people_use_and_make_lab_the_others() -> None:
    used, others = listed(), listed("lab")
    assert len(used) == 12
    assert not {*used} & {*others}
    assert {*re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)} >= {*used, *others}


def test_make_starts_no_python_for_a_variable_that_the_target_does_not_need() -> None:
    command = ["make", "--dry-run", "run", "PYTHON=/nowhere/python"]
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    assert subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=True).stderr == ""


def test_the_page_names_every_room_and_every_target_of_the_laboratory() -> None:
    assert {*re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)} == ROOMS
    assert [target for target in listed("lab") if f"make {target}" not in PAGE] == []


def test_the_service_does_not_use_it() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert not any(path.startswith("tests") for path in packed["wheel"]["only-include"])
    for room in ("domain", "projections", "service", "deploy"):
        users = [path for path in (ROOT / room).rglob("*.py") if "tests.lab" in path.read_text(encoding="utf-8")]
        assert users == []
