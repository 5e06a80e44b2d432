"""A timeout that is cheap enough for every command."""

import asyncio
from types import TracebackType
from typing import Any


class Timeout:
    """Cancels its block after a number of seconds, and raises TimeoutError.

    Every command has one. `asyncio.timeout` does more, and costs as much as the driver's share of an append.
    """

    __slots__ = ("_cancelling", "_handle", "_passed", "_seconds", "_task")

    _task: "asyncio.Task[Any]"
    _handle: asyncio.TimerHandle

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._passed = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a timeout is for a task")
        self._task = task
        self._cancelling = task.cancelling()
        self._handle = task.get_loop().call_later(self._seconds, self._pass)

    def _pass(self) -> None:
        self._passed = True
        self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._handle.cancel()
        # The task may also have been cancelled from elsewhere; then it stays cancelled.
        if self._passed and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error
