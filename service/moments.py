"""Times, ids and chance: inputs that come in with a request or a command. And a timeout that is cheap."""

import asyncio
import secrets
import time
from datetime import UTC, datetime
from functools import lru_cache
from types import TracebackType
from typing import Any

import uuid_utils

from domain.record.history import Moment

CHANCE_BYTES = 32


def now() -> str:
    """The time in its recorded form: RFC 3339 in UTC, with microseconds."""
    second, microsecond = divmod(time.time_ns() // 1000, 1_000_000)
    return f"{_second(second)}.{microsecond:06}Z"


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    """The time without its fraction. Cached: a busy process needs each many times."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def new_id() -> str:
    """A UUIDv7 (RFC 9562) as text."""
    return str(uuid_utils.uuid7())


def moment() -> Moment:
    """A new action's time, id and secret random bytes."""
    return Moment(now(), new_id(), secrets.token_bytes(CHANCE_BYTES))


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
