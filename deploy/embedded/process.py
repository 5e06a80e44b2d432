"""Starting the servers' programs, starting them again when they end, and stopping them."""

import logging
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

RESTART_SECONDS = (0.1, 10.0)
"""The wait before a server that ended is started again, at first and at most."""

STEADY_SECONDS = 30.0
"""A server that ran for this long has recovered from whatever ended it before."""

_log = logging.getLogger(__name__)


@contextmanager
def running(
    command: Sequence[str],
    *,
    account: Account | None,
    log: Path,
    clear: Callable[[], None],
    ready: Callable[[int], bool],
    patience: float,
    ask: signal.Signals,
    insist: signal.Signals,
    orphaned: signal.Signals,
    descriptors: tuple[int, ...] = (),
) -> Iterator[None]:
    """A server that is `ready`, given its process id, within `patience` seconds; stopped at the end.

    If it ends before, it is started again, after a wait that grows. `clear` is called then: it removes what a crash
    left in the way of a start, or raises EmbeddedError while it cannot.

    It is stopped with `ask`, after a while with `insist`, then killed. It gets `orphaned` when this process
    dies. Raises EmbeddedError, with the log's last lines, when it does not get ready.
    """
    # The signal comes when the thread that started the server ends, not only when the process does.
    if threading.current_thread() is not threading.main_thread():
        raise EmbeddedError("embedded servers must be started from the main thread")

    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return _spawn(
                command,
                account=account,
                orphaned=orphaned,
                descriptors=descriptors,
                stdin=subprocess.DEVNULL,
                output=output,
            )

    begin = log.stat().st_size
    server = _Server(_name(command), start, clear)
    try:
        deadline = time.monotonic() + patience
        while not ready(server.process.pid):
            if server.process.poll() is not None:
                raise EmbeddedError(f"{_name(command)} ended at once; {log} says:\n{_tail(log, begin)}")
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{_name(command)} took over {patience:.0f} s; {log} says:\n{_tail(log, begin)}")
            time.sleep(POLL_SECONDS)
        server.keep()
        yield
    finally:
        server.stop(((ask, STOP_SECONDS), (insist, QUIT_SECONDS), (signal.SIGKILL, None)))


class _Server:
    """A server that was started, and can be kept running by a thread until it is stopped."""

    def __init__(self, name: str, start: Callable[[], "subprocess.Popen[bytes]"], clear: Callable[[], None]) -> None:
        self.process = start()
        """That of the last start."""
        self._name = name
        self._start = start
        self._clear = clear
        self._stopping = threading.Event()
        self._starting = threading.Lock()
        # It lives as long as the servers that it started: they get a signal when it ends.
        self._keeper = threading.Thread(target=self._keep, name=f"keeper of {name}", daemon=True)

    def keep(self) -> None:
        """From now on starts the server again when it has ended."""
        self._keeper.start()

    def stop(self, steps: Sequence[tuple[signal.Signals, float | None]]) -> None:
        """Has it end, by one signal after the other, each with the time that it is given."""
        # So that none is started that gets no signal.
        with self._starting:
            self._stopping.set()
        for number, timeout in steps:
            self.process.send_signal(number)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                continue
            break
        if self._keeper.is_alive():
            self._keeper.join()

    def _keep(self) -> None:
        wait_s, most_s = RESTART_SECONDS
        began, why = time.monotonic(), self._end()
        while not self._stopping.is_set():
            if time.monotonic() - began > STEADY_SECONDS:
                wait_s = RESTART_SECONDS[0]
            _log.error("%s does not run (%s); it is started again in %g s", self._name, why, wait_s)
            if self._stopping.wait(wait_s):
                return
            wait_s = min(2 * wait_s, most_s)
            began, why = time.monotonic(), self._again()

    def _again(self) -> str:
        """Starts the server once more, and answers what ended it then, or kept it from starting."""
        try:
            self._clear()
            with self._starting:
                if not self._stopping.is_set():
                    self.process = self._start()
        except Exception as error:  # whatever it is, as when there is no memory for a process: it may pass
            return str(error)
        return self._end()

    def _end(self) -> str:
        """Waits for the server to end, and answers how it did."""
        return ending(self.process.wait())


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


def ending(status: int) -> str:
    """How a process with this exit status ended."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _name(command: Sequence[str]) -> str:
    return Path(command[0]).name


def _tail(log: Path, begin: int, limit: int = 2000) -> str:
    with log.open("rb") as text:
        text.seek(begin)
        return text.read()[-limit:].decode(errors="replace").strip()
