"""`make attack` tells what holds from what does not. What a service holds against is in `tests/e2e/test_attack.py`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_attack import attack


def test_no_other_machine_is_attacked() -> None:
    done = attack("http://192.0.2.1:8000")
    assert (done.returncode, "not an address of this machine" in done.stdout) == (2, True)


@pytest.mark.long
def test_what_does_not_hold_fails(tmp_path: Path) -> None:
    """A server of files answers other paths than it should, and with no document."""
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        port = server.stdout.readline().split(" port ")[1].split()[0]
        done = attack(f"http://127.0.0.1:{port}", "still there")
    finally:
        server.kill()
        server.wait()
    assert done.returncode == 1, done.stdout
