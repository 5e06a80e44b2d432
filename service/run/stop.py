"""SIGINT and SIGTERM: the first asks to finish what is under way, a second one does not wait for it."""

import asyncio
import signal
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from structlog.typing import FilteringBoundLogger

ONE_REQUEST_SECONDS = 0.5
"""Signals closer together are one: terminals and `timeout` send them to a process and to its group."""

STOP_SECONDS = 2.0
"""How long stopping may take in all, before it is broken off."""


class Interrupted(BaseException):
    """A signal came while nothing was running that could be asked to stop."""


class Stop:
    """Whether this process was asked to stop; waited for in one event loop."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        """A signal came."""
        self.insisted = asyncio.Event()
        """A second one came."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._last: float | None = None

    async def within(self, seconds: float) -> None:
        """Returns when a signal came, or after so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.asked.wait()

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Meanwhile signals are told to who waits in this event loop; at other times they raise Interrupted."""
        self._loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            self._loop = None

    def signal(self, *_: object) -> None:
        """Takes a signal, as its handler."""
        now = time.monotonic()
        if self._last is not None and now - self._last < ONE_REQUEST_SECONDS:
            return
        again, self._last = self._last is not None, now
        if self._loop is None:
            raise Interrupted
        self._loop.call_soon_threadsafe((self.insisted if again else self.asked).set)


@contextmanager
def stopping() -> Iterator[Stop]:
    """Handles the process's signals; to be called in the main thread."""
    stop = Stop()
    before = {number: signal.signal(number, stop.signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def until_stopped(work: Coroutine[Any, Any, None], stop: Stop, log: FilteringBoundLogger) -> None:
    """Runs the work, which ends by itself after `stop`; breaks it off if that takes too long."""
    with stop.heeded():
        task = asyncio.create_task(work)
        asked = asyncio.create_task(stop.asked.wait())
        insisted = asyncio.create_task(stop.insisted.wait())
        await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((task, insisted), timeout=STOP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            log.warning("stopping is broken off: something takes too long")
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        else:
            task.result()
