"""Embedded servers that are killed again and again: how soon they are started, and what of them may still run."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.embedded import children

POSTGRES = sys.modules["deploy.embedded.postgres"]
"""The module; the package has a function of its name."""

SLEEP = shutil.which("sleep") or ""


def waits_of(caplog: pytest.LogCaptureFixture) -> list[float]:
    """The waits before the restarts that were logged."""
    return [
        args[2] for args in (record.args for record in caplog.records) if isinstance(args, tuple) and len(args) == 3
    ]  # type: ignore[misc]


def killed(log: Path, times: int, ready: Callable[[int], bool]) -> None:
    """Kills a server as often as that, each time as soon as it runs again."""
    pids: list[int] = []

    def noted(pid: int) -> bool:
        if ready(pid) and pid not in pids:
            pids.append(pid)
        return pid in pids

    log.touch()
    with children.running(
        [SLEEP, "1000"],
        account=None,
        log=log,
        clear=lambda: None,
        ready=noted,
        patience=10,
        ask=signal.SIGTERM,
        insist=signal.SIGKILL,
        orphaned=signal.SIGKILL,
    ):
        for number in range(times):
            while len(pids) <= number:
                time.sleep(0.001)
            os.kill(pids[number], signal.SIGKILL)
        while len(pids) <= times:
            time.sleep(0.001)


def test_a_server_that_worked_is_started_again_at_once_however_often_it_is_killed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "STEADY_S", 0.0)
    with caplog.at_level(logging.ERROR):
        killed(tmp_path / "log", 8, lambda _: True)
    assert waits_of(caplog) == [children.RESTART_S[0]] * 8


def test_a_server_that_ends_as_soon_as_it_is_ready_waits_longer_each_time_up_to_a_bound(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "STEADY_S", 1000.0)
    monkeypatch.setattr(children, "RESTART_S", (0.001, 0.004))
    with caplog.at_level(logging.ERROR):
        killed(tmp_path / "log", 4, lambda _: True)
    assert waits_of(caplog) == [0.001, 0.002, 0.004, 0.004]


def test_what_a_killed_server_left_working_is_killed_and_nothing_else_in_its_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(POSTGRES, "BUSY_S", 0.0)
    program = tmp_path / "postgres"
    shutil.copy(SLEEP, program)
    data = tmp_path / "data"
    data.mkdir()
    (data / "postmaster.pid").write_text("1\n")
    busy = subprocess.Popen([program, "1000"], cwd=data)
    shell = subprocess.Popen([SLEEP, "1000"], cwd=data)
    try:
        while (Path("/proc") / str(busy.pid) / "comm").read_text() != "postgres\n":
            time.sleep(0.001)
        POSTGRES._await_end_of_orphans(data)
        assert busy.wait() == -signal.SIGKILL
        assert shell.poll() is None
        assert not (data / "postmaster.pid").exists()
    finally:
        for one in (busy, shell):
            one.kill()
            one.wait()
