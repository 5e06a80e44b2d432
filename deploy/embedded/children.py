"""Starts, restarts and stops the servers' programs."""

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from deploy.embedded import launch
from deploy.embedded.account import Account
from deploy.embedded.backoff import Backoff
from deploy.embedded.errors import EmbeddedError

POLL_S = 0.005
STOP_S = 10.0
"""Seconds for a server to shut down in order. A Postgres in recovery sometimes never does."""
QUIT_S = 5.0
"""Seconds for it to end after the second signal, before it is killed."""

RESTART_S = (0.1, 2.0)
"""Seconds before an ended server is restarted: at first, and at most."""

STEADY_S = 1.0
"""Seconds of readiness after which an end counts as caused from outside, rather than as a failed start."""

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
    """Runs a server, which is `ready(pid)` within `patience` seconds, and stops it at the end.

    If it ends earlier, it is restarted, with growing waits. `clear` is called first: it removes what a crash left in
    the way of a start, or raises EmbeddedError while it cannot.

    It is stopped with the signal `ask`, later with `insist`, and finally killed. It gets `orphaned` when this process
    dies. Raises EmbeddedError outside the main thread, and, with the log's last lines, if the server does not get
    ready.
    """
    # The signal is sent when the thread that started the server ends, not only when the process does.
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
    server = _KeptServer(_name(command), start, clear, ready)
    try:
        deadline = time.monotonic() + patience
        while not ready(server.process.pid):
            if server.process.poll() is not None:
                raise EmbeddedError(f"{_name(command)} ended before it was ready; {log} says:\n{_tail(log, begin)}")
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"{_name(command)} was not ready after {patience:.0f} s; {log} says:\n{_tail(log, begin)}"
                )
            time.sleep(POLL_S)
        server.keep()
        yield
    finally:
        server.stop(((ask, STOP_S), (insist, QUIT_S), (signal.SIGKILL, None)))


class _KeptServer:
    """A server that was started, and that a thread can keep running until it is stopped."""

    def __init__(
        self,
        name: str,
        start: Callable[[], "subprocess.Popen[bytes]"],
        clear: Callable[[], None],
        ready: Callable[[int], bool],
    ) -> None:
        self.process = start()
        """The process of the last start."""
        self._name = name
        self._start = start
        self._clear = clear
        self._ready = ready
        self._stopping = threading.Event()
        self._starting = threading.Lock()
        # It lives as long as the servers that it starts, since the kernel signals them when it ends.
        self._keeper = threading.Thread(target=self._keep, name=f"keeper of {name}", daemon=True)

    def keep(self) -> None:
        """From now on restarts the server whenever it ends."""
        self._keeper.start()

    def stop(self, steps: Sequence[tuple[signal.Signals, float | None]]) -> None:
        """Ends the server by one signal after the other, each with the seconds to wait for its effect."""
        # Under the lock, so that the keeper cannot start a server that gets no signal.
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
        backoff = Backoff(*RESTART_S, STEADY_S)
        served_s, why = self._end()
        while not self._stopping.is_set():
            wait_s = backoff.after(served_s)
            _log.error("%s does not run (%s); it is started again in %g s", self._name, why, wait_s)
            if self._stopping.wait(wait_s):
                return
            served_s, why = self._again()

    def _again(self) -> tuple[float, str]:
        """Restarts the server. Returns the seconds for which it was ready, and how it ended or why it did not start."""
        try:
            self._clear()
            with self._starting:
                if not self._stopping.is_set():
                    self.process = self._start()
        except Exception as error:  # the cause may pass, such as a lack of memory
            return 0.0, str(error)
        return self._end()

    def _end(self) -> tuple[float, str]:
        """Waits for the server to end. Returns the seconds for which it was ready, and how it ended."""
        while self.process.poll() is None:
            if self._ready(self.process.pid):
                since = time.monotonic()
                why = ending(self.process.wait())
                return time.monotonic() - since, why
            time.sleep(POLL_S)
        return 0.0, ending(self.process.wait())


def run(command: Sequence[str], *, account: Account | None, descriptors: tuple[int, ...] = (), stdin: str = "") -> None:
    """Runs a program to its end. Raises EmbeddedError, with the program's output, if it fails."""
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
    return subprocess.Popen(  # noqa: S603  every part of the command is the project's own
        [*launch.prefix(orphaned, None if account is None else str(account)), *command],
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT,
        # Not the caller's environment: its settings for Postgres clients and its locale would apply to the server.
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
        cwd="/",
        # A session of its own, so that Ctrl-C in the terminal reaches only the parent, which stops its servers last.
        start_new_session=True,
        umask=0o077,
        pass_fds=descriptors,
    )


def ending(status: int) -> str:
    """How a process with this exit status ended, in words; a negative one stands for a signal."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _name(command: Sequence[str]) -> str:
    return Path(command[0]).name


def _tail(log: Path, begin: int, limit: int = 2000) -> str:
    with log.open("rb") as text:
        text.seek(begin)
        return text.read()[-limit:].decode(errors="replace").strip()
