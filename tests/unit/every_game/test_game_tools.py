"""`make game`, `make game-missing` and `make game-done` say what a game lacks, and what is wrong with its name."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support import done, missing
from tests.support.for_each import for_each
from tests.support.registry import GAMES

ROOT = Path(__file__).parents[3]


def test_no_game_lacks_anything() -> None:
    assert {of: [*missing.missing(of)] for of in GAMES} == {of: [] for of in GAMES}


def test_a_game_that_was_not_on_offer_lacks_rows_records_and_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "OFFERED", GAMES)
    lacking = [*missing.missing("toy")]
    assert {"README.md", "api-spec/record.md", missing.FORMS, missing.OF_PYTHON} <= {each.file for each in lacking}
    assert all(each.made for each in lacking if each.file.endswith((".txt", ".json")) or each.file == "api-spec")


def test_what_comes_first_is_said_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.file for each in missing.missing("whist")] == ["domain/registry.py"]
    monkeypatch.setitem(missing.GAMES, "whist", replace(GAMES["tetka"], name="whist"))  # type: ignore[arg-type]
    due = [*(f"tests/games/whist/{name}.py" for name in missing.HELPERS), "tests/games/whist/test_*.py"]
    assert [each.file for each in missing.missing("whist")] == due


def test_the_kits_are_given_the_ranks_of_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (missing.OF_PYTHON, missing.OF_SCRIPTS):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text((ROOT / file).read_text())
    monkeypatch.setattr(missing, "ROOT", tmp_path)
    for name, like in (("whist", "solo"), ("bête", "ombre")):
        game = replace(GAMES[like], name=name)
        assert [each.made for each in missing.in_kits(game)] == [
            f"{missing.RUN} tests.support.missing {name} --packs"
        ] * 2
        missing.add_pack(game)
        assert [*missing.in_kits(game)] == []
    ranks = {"s": "KQJ765432A", "h": "KQJA234567", "d": "KQJA234567", "c": "KQJ765432A"}
    assert f'    "whist": "AKQJT987",\n    "bête": {json.dumps(ranks)},\n}}\n' in missing.text(missing.OF_PYTHON)
    by_suit = ", ".join(f'{suit}: "{each}"' for suit, each in ranks.items())
    assert f'  whist: "AKQJT987",\n  bête: {{ {by_suit} }},\n}};\n' in missing.text(missing.OF_SCRIPTS)


@for_each("target", ["game", "game-missing", "game-done"])
@for_each("named, said", [("", "name a game"), ("GAME=tetk", "tetk is no game; there are boston burraco")])
def test_a_wrong_name_is_said_in_one_line(target: str, named: str, said: str) -> None:
    command = ["/usr/bin/make", "-n", "--old-file=.venv/.synced", target, *named.split()]
    # Within another make, this one would warn that it has none of that one's jobs.
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    made = subprocess.run(command, cwd=ROOT, env=alone, check=False, capture_output=True, text=True)
    assert (made.returncode, made.stdout) == (2, "")
    (line,) = made.stderr.splitlines()
    assert said in line


def test_a_failure_names_the_command_that_comes_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = done.Step("the game", "false", done.FIRST_FAILED)
    monkeypatch.setattr(
        done, "steps", lambda _: [done.Step("style", "true", ""), game, done.Step("layers", "false", "make layers")]
    )
    with pytest.raises(SystemExit, match=r"tetka is not done; next:\n.venv/bin/pytest -x\nmake layers"):
        done.main("tetka")
    printed = [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert [line for line in printed if line] == ["style", "the game", "layers"]
    assert done.after(game, "FAILED tests/a.py::test_b - assert 0") == ".venv/bin/pytest -x 'tests/a.py::test_b'"
