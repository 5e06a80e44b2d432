"""Starting and stopping the servers' programs."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from deploy.embedded import launch
from deploy.embedded.account import Account
from deploy.embedded.errors import EmbeddedError

POLL_SECONDS = 0.005
STOP_SECONDS = 10.0
"""How long a server may take to stop in order. A Postgres that is asked to amid its recovery sometimes never does."""
QUIT_SECONDS = 5.0


@contextmanager
def running(
    command: Sequence[str],
    *,
    account: Account | None,
    log: Path,
    ready: Callable[[int], bool],
    patience: float,
    ask: signal.Signals,
    insist: signal.Signals,
    orphaned: signal.Signals,
    descriptors: tuple[int, ...] = (),
) -> Iterator[None]:
    """A server that is `ready`, given its process id, within `patience` seconds; stopped at the end.

    It is stopped with `ask`, after a while with `insist`, then killed. It gets `orphaned` when this process
    dies. Raises EmbeddedError, with the log's last lines, when it does not get ready.
    """
    with log.open("ab") as output:
        begin = output.tell()
        process = _spawn(
            command,
            account=account,
            orphaned=orphaned,
            descriptors=descriptors,
            stdin=subprocess.DEVNULL,
            output=output,
        )
    try:
        deadline = time.monotonic() + patience
        while not ready(process.pid):
            if process.poll() is not None:
                raise EmbeddedError(f"{_name(command)} ended at once; {log} says:\n{_tail(log, begin)}")
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{_name(command)} took over {patience:.0f} s; {log} says:\n{_tail(log, begin)}")
            time.sleep(POLL_SECONDS)
        yield
    finally:
        _stop(process, ((ask, STOP_SECONDS), (insist, QUIT_SECONDS), (signal.SIGKILL, None)))


def run(command: Sequence[str], *, account: Account | None, descriptors: tuple[int, ...] = (), stdin: str = "") -> None:
    """Runs a program to its end; raises EmbeddedError with what it printed when it fails."""
    process = _spawn(
        command,
        account=account,
        orphaned=signal.SIGKILL,
        descriptors=descriptors,
        stdin=subprocess.PIPE,
        output=subprocess.PIPE,
    )
    try:
        printed, _ = process.communicate(stdin.encode())
    except BaseException:
        process.kill()
        raise
    if process.returncode != 0:
        raise EmbeddedError(f"{_name(command)} failed:\n{printed.decode(errors='replace').strip()}")


def _spawn(
    command: Sequence[str],
    *,
    account: Account | None,
    orphaned: signal.Signals,
    descriptors: tuple[int, ...],
    stdin: int,
    output: IO[bytes] | int,
) -> subprocess.Popen[bytes]:
    # The signal comes when the thread that started the server ends, not only when the process does.
    if threading.current_thread() is not threading.main_thread():
        raise EmbeddedError("embedded servers must be started from the main thread")
    launcher = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), str(int(orphaned))]
    return subprocess.Popen(  # noqa: S603  every part of the command is the project's own
        [*launcher, "-" if account is None else str(account), *command],
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT,
        # The caller's settings for Postgres clients, its locale and its directory are none of the server's business.
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
        cwd="/",
        # A session of its own: Ctrl-C in the terminal is the parent's to handle, which stops its servers last.
        start_new_session=True,
        umask=0o077,
        pass_fds=descriptors,
    )


def _stop(process: subprocess.Popen[bytes], steps: Sequence[tuple[signal.Signals, float | None]]) -> None:
    for number, timeout in steps:
        process.send_signal(number)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            continue
        return


def _name(command: Sequence[str]) -> str:
    return Path(command[0]).name


def _tail(log: Path, begin: int, limit: int = 2000) -> str:
    with log.open("rb") as text:
        text.seek(begin)
        return text.read()[-limit:].decode(errors="replace").strip()
