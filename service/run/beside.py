"""The processes that the projecting process starts beside itself when they are first needed."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from deploy.embedded import Servers
from service.run import measurements
from service.services import Services


class Place(Struct, frozen=True):
    """Where the processes beside this one find their servers, and where they measure."""

    servers: Servers
    measurements: Path
    first: int
    """The first of their numbers in the directory of measurements."""


class Beside:
    """The place of the processes beside this one, which exposes what they measure."""

    def __init__(self, services: Services, servers: Servers, first: int | None, stack: ExitStack) -> None:
        self._services = services
        self._servers = servers
        self._first = first
        self._stack = stack
        self._place: Place | None = None

    def place(self) -> Place:
        """Where they are. Raises ServeError if no directory for measurements can be made."""
        if self._place is None:
            if self._first is None:
                directory = self._stack.enter_context(measurements.directory())
                self._services.metrics.join(directory)
            else:
                directory = Path(os.environ[measurements.VARIABLE])
            self._place = Place(self._servers, directory, self._first or 0)
        return self._place


@contextmanager
def beside(services: Services, servers: Servers, first: int | None) -> Iterator[Beside]:
    """Processes beside this one, until the context is left.

    `first` is the first of their numbers, if this process is one of several that share a directory of measurements.
    """
    with ExitStack() as stack:
        yield Beside(services, servers, first, stack)
