"""SIGINT and SIGTERM: the first lets the process finish its work, a second one makes it stop at once."""

import asyncio
import signal
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from structlog.typing import FilteringBoundLogger

SAME_SIGNAL_S = 0.5
"""Signals closer together count as one: terminals and `timeout` signal both a process and its group."""

STOP_S = 2.0
"""Seconds for stopping in all; then remaining work is cancelled."""


class Interrupted(BaseException):
    """A signal arrived while no event loop was running that could stop in order."""


class Stop(asyncio.Event):
    """Set by the first signal, when this process has to stop. It belongs to one event loop."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated = asyncio.Event()
        """Set by a second signal."""
        self._running: asyncio.AbstractEventLoop | None = None
        self._last: float | None = None

    @contextmanager
    def in_this_loop(self) -> Iterator[None]:
        """Within the context, signals set the events in this event loop; outside it they raise Interrupted."""
        self._running = asyncio.get_running_loop()
        try:
            yield
        finally:
            self._running = None

    def signal(self, *_: object) -> None:
        """Handles a signal. Raises Interrupted outside `in_this_loop`."""
        now = time.monotonic()
        if self._last is not None and now - self._last < SAME_SIGNAL_S:
            return
        again, self._last = self._last is not None, now
        if self._running is None:
            raise Interrupted
        self._running.call_soon_threadsafe((self.repeated if again else self).set)


@contextmanager
def stopping() -> Iterator[Stop]:
    """Handles the process's signals within the context. Must be called in the main thread."""
    stop = Stop()
    before = {number: signal.signal(number, stop.signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def until_stopped(work: Coroutine[Any, Any, None], stop: Stop, log: FilteringBoundLogger) -> None:
    """Runs the work, which should end after `stop`, and cancels it if that takes longer than STOP_S.

    Raises what the work raises.
    """
    with stop.in_this_loop():
        task = asyncio.create_task(work)
        requested = asyncio.create_task(stop.wait())
        repeated = asyncio.create_task(stop.repeated.wait())
        await asyncio.wait((task, requested), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((task, repeated), timeout=STOP_S, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            log.warning("what still runs is cancelled: stopping takes too long, or a second signal came")
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        else:
            task.result()
