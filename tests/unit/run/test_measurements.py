"""The directory that processes measure in is there as long as their service, and no longer."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.run import measurements
from service.run.measurements import directory
from service.run.serve_error import ServeError

HOLD = """
import sys
from pathlib import Path
from service.run import measurements
measurements.MEMORY = Path(sys.argv[1])
with measurements.directory() as held:
    (held / "counter_0.db").touch()
    print(held, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(measurements, "MEMORY", tmp_path)
    return tmp_path


def test_it_is_private_and_removed_at_the_end(memory: Path) -> None:
    with directory() as made:
        assert made.parent == memory
        assert made.stat().st_mode & 0o777 == 0o700
        (made / "counter_0.db").touch()
    assert list(memory.iterdir()) == []


def test_two_services_have_two(memory: Path) -> None:
    with directory() as one, directory() as other:
        assert one != other


def test_that_of_a_killed_service_is_removed_by_the_next_and_that_of_a_running_one_is_not(memory: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(memory)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        held = Path(service.stdout.readline().strip())
        with directory():
            assert (held / "counter_0.db").exists()
        service.send_signal(signal.SIGKILL)
        service.wait()
        assert held.exists()
    with directory() as made:
        assert list(memory.iterdir()) == [made]


def test_one_that_was_just_made_is_left_alone(memory: Path) -> None:
    (memory / f"{measurements.NAME}new").mkdir()
    with directory():
        assert (memory / f"{measurements.NAME}new").exists()


def test_without_memory_it_is_among_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "MEMORY", tmp_path / "absent")
    monkeypatch.setattr(measurements.tempfile, "tempdir", str(tmp_path))
    with directory() as made:
        assert made.parent == tmp_path


def test_where_none_can_be_made_the_service_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "MEMORY", tmp_path / "absent")
    monkeypatch.setattr(measurements.tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(ServeError, match="set TMPDIR"), directory():
        pass
