"""What is built is made once for the code as it is, and again when the code is another."""

import subprocess
import sys
from pathlib import Path

import pytest

from service import built
from service.built import is_current, rebuild
from service.config import Settings
from service.spec import wheel

GAMES = "domain.registry:GAMES"

BUILDING = """
import sys, time
from pathlib import Path
from service.built import rebuild

folder = Path(sys.argv[1])

def make():
    with (folder / "made").open("a") as made:
        made.write("begun ")
        made.flush()
        time.sleep(0.2)
        made.write("done ")

rebuild(folder, "domain.registry:GAMES", make)
"""


class Maker:
    """Makes a folder and counts how often."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> None:
        self.made += 1


def test_it_is_made_once(tmp_path: Path) -> None:
    make = Maker()
    assert not is_current(tmp_path, GAMES)
    for _ in range(2):
        rebuild(tmp_path, GAMES, make)
        assert (is_current(tmp_path, GAMES), make.made) == (True, 1)
    rebuild(tmp_path, GAMES, make, always=True)
    assert (is_current(tmp_path, GAMES), make.made) == (True, 2)


def test_it_is_made_again_for_other_games_and_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    rebuild(tmp_path, GAMES, make)
    assert not is_current(tmp_path, "tests.support.another:GAMES")
    rebuild(tmp_path, "tests.support.another:GAMES", make)
    assert (is_current(tmp_path, GAMES), make.made) == (False, 2)
    code = tmp_path / "code"
    (code / "domain").mkdir(parents=True)
    monkeypatch.setattr(built, "ROOT", code)
    for path in ("domain/game.py", "domain/other.py", "uv.lock"):
        (code / path).write_text("one")
        assert not is_current(tmp_path, GAMES)
        rebuild(tmp_path, GAMES, make)
        assert is_current(tmp_path, GAMES)
    (code / "domain/game.py").rename(code / "domain/renamed.py")
    assert not is_current(tmp_path, GAMES)


def test_what_was_made_in_part_is_made_again(tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError

    rebuild(tmp_path, GAMES, Maker())
    with pytest.raises(OSError):  # noqa: PT011 (as it is raised above)
        rebuild(tmp_path, GAMES, fail, always=True)
    assert not is_current(tmp_path, GAMES)


def test_of_processes_that_build_at_the_same_time_one_does(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILDING, str(tmp_path)]
    processes = [subprocess.Popen(command, cwd=built.ROOT) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    assert (tmp_path / "made").read_text() == "begun done "


def test_the_wheel_is_of_the_games_that_are_offered() -> None:
    assert (Settings().registry, Settings().spec_dir) == (wheel.REGISTRY, wheel.SPECIFICATION)
