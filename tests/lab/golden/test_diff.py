"""What changed in the recorded games is shown: the first event that another checkout makes otherwise."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.games import names
from tests.lab.golden.diff import HERE, derived_by


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another checkout, of which the tests are those of this one."""
    shutil.copytree(HERE / "domain", tmp_path / "domain", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").symlink_to(HERE / "tests")
    return tmp_path


def shown(game: str, base: Path) -> list[str]:
    command = [sys.executable, "-m", "tests.lab.golden.diff", game, str(base)]
    done = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True)
    return [line.strip() for line in done.stdout.splitlines()]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.long
def test_checkouts_that_are_alike_make_the_same_events(other: Path) -> None:
    assert shown("toy", other) == [
        f"The {len(names('toy'))} recorded games of toy are the same under {other} and here."
    ]


@pytest.mark.long
def test_a_changed_word_is_shown_where_it_first_stands(other: Path) -> None:
    change(other / "domain" / "games" / "lorum" / "scoring.py", 'captured"\n    return what', 'taken"\n    return what')
    title, _, heads, *rows = shown("lorum", other)
    assert title == "lorum disputed, event 48 of deal 1, deal-scored, from the act '1 play 9h':"
    assert heads.split() == ["member", str(other), "here"]
    table = [re.split(" {2,}", row) for row in rows[: rows.index("")]]
    assert [name for name, *_ in table] == [*(f"public.lines.{line}.text" for line in range(8)), "hash"]
    assert table[0][1:] == ['"No hearts by seat 0, 1 heart taken: 1"', '"No hearts by seat 0, 1 heart captured: 1"']
    assert rows[-1].startswith("Other recorded games that differ: ")


@pytest.mark.long
def test_a_changed_amount_is_shown(other: Path) -> None:
    change(other / "domain" / "games" / "lorum" / "scoring.py", "line(seat, -own, f", "line(seat, -own - 1, f")
    rows = [re.split(" {2,}", row) for row in shown("lorum", other)]
    assert ["public.lines.0.amount", "-2", "-1"] in rows
    assert ["public.totals.0", "-2", "-1"] in rows


@pytest.mark.long
def test_an_act_that_is_refused_there_is_named(other: Path) -> None:
    change(other / "domain" / "table" / "talk.py", "MAX_UTTERANCES = 50", "MAX_UTTERANCES = 1")
    title, refusal, *_ = shown("toy", other)
    assert title == f"toy table-under-clock has 15 events under {other}, and 33 here."
    assert refusal.startswith(f"Under {other}, table-under-clock: '0 talk")


@pytest.mark.long
def test_an_earlier_checkout_has_the_tool_where_it_was(other: Path) -> None:
    (other / "tests").unlink()
    shutil.copytree(HERE / "tests", other / "tests", ignore=shutil.ignore_patterns("__pycache__", "*.tar.xz"))
    (other / "tests" / "lab" / "golden" / "diff.py").rename(other / "tests" / "golden" / "diff.py")
    assert shown("toy", other)[0].endswith(f" are the same under {other} and here.")


@pytest.mark.long
def test_what_is_no_checkout_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"diff\.py"):
        derived_by(tmp_path, "toy")
