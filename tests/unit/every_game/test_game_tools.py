"""`make game`, `make game-missing` and `make game-done` say what a game lacks, and what is wrong with its name."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support import done, missing
from tests.support.for_each import for_each
from tests.support.registry import GAMES

ROOT = Path(__file__).parents[3]


def test_no_game_on_offer_lacks_anything() -> None:
    assert {of: [*missing.missing(of)] for of in GAMES if of != "toy"} == {of: [] for of in GAMES if of != "toy"}


def test_a_game_that_is_not_done_lacks_rows_records_and_packs() -> None:
    lacking = [*missing.missing("toy")]
    assert {"README.md", "api-spec/record.md", missing.FORMS, missing.OF_PYTHON} <= {each.file for each in lacking}
    assert all(each.made for each in lacking if each.file.endswith((".txt", ".json")) or each.file == "api-spec")


def test_what_comes_first_is_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.file for each in missing.missing("whist")] == ["domain/registry.py"]
    monkeypatch.setitem(missing.GAMES, "whist", replace(GAMES["tetka"], name="whist"))  # type: ignore[arg-type]
    files = [each.file for each in missing.missing("whist")]
    assert files == [*(f"tests/games/whist/{name}.py" for name in missing.HELPERS), "tests/games/whist/test_*.py"]


@for_each("target", ["game", "game-missing", "game-done"])
@for_each("named, said", [("", "name a game"), ("GAME=tetk", "tetk is no game; there are boston burraco")])
def test_a_wrong_name_is_said_in_one_line(target: str, named: str, said: str) -> None:
    command = ["/usr/bin/make", "-n", target, *named.split()]
    made = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (made.returncode, made.stdout) == (2, "")
    (line,) = made.stderr.splitlines()
    assert said in line


def test_a_failure_names_the_command_that_comes_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = "FAILED tests/a.py::test_b - assert 0"
    steps = [
        done.Step("style", "true", "never"),
        done.Step("the game", "false", done.FIRST_FAILED),
        done.Step("layers", "false", "make layers"),
    ]
    monkeypatch.setattr(done, "steps", lambda _: steps)
    with pytest.raises(SystemExit, match=r"tetka is not done; next:\n.venv/bin/pytest -x\nmake layers"):
        done.main("tetka")
    assert [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines() if line] == [
        "style", "the game", "layers"
    ]  # fmt: skip
    assert done.after(steps[1], printed) == ".venv/bin/pytest -x 'tests/a.py::test_b'"
