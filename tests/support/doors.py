"""Processes of the service over one database and one Redis, each at an address of its own that outlasts it."""

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.support.ports import free_port
from tests.support.service import Running, running


class Door:
    """One process. `url` is where it is, also after it was killed and started again."""

    def __init__(self, data_dir: Path, settings: Mapping[str, str]) -> None:
        port = free_port()
        self._data_dir = data_dir
        self._settings = {"CODILLE_PORT": str(port), "CODILLE_METRICS_PORT": "0", **settings}
        self._running: AbstractContextManager[Running] | None = None
        self._service: Running | None = None
        self.url = f"http://127.0.0.1:{port}"
        self.killed = 0

    def start(self) -> None:
        """Starts the process, and returns once it listens."""
        self._running = running(self._data_dir, settings=self._settings)
        self._service = self._running.__enter__()

    @property
    def service(self) -> Running:
        """The running process."""
        assert self._service is not None
        return self._service

    @property
    def runs(self) -> bool:
        """Whether the process was started, and neither killed nor stopped since."""
        return self._service is not None

    def kill(self) -> None:
        """Kills the process; it has no time to do anything about it."""
        assert self._service is not None
        self._service.stop(signal.SIGKILL)
        self.killed += 1
        self.stop()

    def stop(self) -> None:
        """Ends the process, if it runs."""
        if self._running is not None:
            self._running.__exit__(None, None, None)
            self._running = self._service = None


@contextmanager
def doors(folder: Path, number: int, settings: Mapping[str, str]) -> Iterator[list[Door]]:
    """So many processes with these settings."""
    made = [Door(folder / f"process-{place}" / "data", settings) for place in range(number)]
    try:
        for door in made:
            door.start()
        yield made
    finally:
        for door in made:
            door.stop()


def kill_in_turn(made: Sequence[Door], over: threading.Event, *, pause_s: float, most: int | None) -> None:
    """Kills one process after the other and starts it again, `most` times or until it is over.

    They end with the thread that starts them.
    """
    turn = 0
    while turn != most and not over.wait(pause_s):
        door = made[turn % len(made)]
        door.kill()
        door.start()
        turn += 1
