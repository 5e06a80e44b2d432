"""The table of what tests cost, which a run prints at its end."""

import subprocess
import sys
from types import SimpleNamespace
from typing import cast

import pytest

from tests.support import processor_time


def test_the_time_of_a_process_below_counts_while_it_runs_and_after_it_has_ended() -> None:
    before = processor_time.spent_s()
    busy = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert processor_time.spent_s() - before >= 0.4
        child.communicate(b"\n")
    assert processor_time.spent_s() - before >= 0.4


def test_folders_stand_beside_their_committed_time_and_the_dearest_files_below() -> None:
    files = {"tests/a/test_one.py": 3.0, "tests/a/test_two.py": 1.0, "tests/b/test_three.py": 5.0}
    lines = processor_time.report(files, {"tests/b": 4.9}).splitlines()
    assert [line.split() for line in lines[1:3]] == [["5.0", "4.9", "tests/b"], ["4.0", "tests/a"]]
    assert lines[4].split() == ["5.0", "tests/b/test_three.py"]


def test_the_dearest_folders_are_first_and_their_files_in_order(pytestconfig: pytest.Config) -> None:
    files = ["tests/new/test_a.py", "tests/unit/auth/test_a.py", "tests/e2e/test_a.py", "tests/e2e/test_b.py"]
    items = [SimpleNamespace(path=pytestconfig.rootpath / file) for file in files]
    processor_time.ProcessorTime(pytestconfig).pytest_collection_modifyitems(cast("list[pytest.Item]", items))
    assert [item.path for item in items] == [pytestconfig.rootpath / files[place] for place in (2, 3, 1, 0)]


def test_what_has_grown_by_more_than_a_quarter_is_named_on_a_machine_of_any_pace() -> None:
    before = {"a": 10.0, "b": 20.0, "c": 30.0, "d": 40.0}
    for pace in (0.5, 1.0, 3.0):
        now = {name: seconds * pace for name, seconds in before.items()}
        assert processor_time.grown(now, before) == []
        assert [line.split()[1] for line in processor_time.grown(now | {"b": 26.0 * pace}, before)] == ["b"]
        assert processor_time.grown(now | {"b": 24.0 * pace}, before) == []
        assert [line.split()[1] for line in processor_time.grown(now | {"new": 9.0}, before)] == ["new"]
    assert processor_time.grown({"new": 9.0}, {}) == []
