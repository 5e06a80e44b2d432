"""Background tasks: how they end, and waits that end with them."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_S = 0.5


async def cancel_and_wait(*tasks: "asyncio.Task[Any] | asyncio.Future[Any]") -> None:
    """Cancels the tasks and returns when they have ended. Raises nothing that they raise.

    A task that goes on is cancelled again after `AGAIN_S` seconds: a driver that is raising an error of its own can
    lose a cancellation.
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_S)


async def until(stop: asyncio.Event, *work: Coroutine[Any, Any, T]) -> T | None:
    """Runs all the work concurrently until one part ends, or `stop` is set, and cancels the others.

    Returns what that part returns, or None at `stop`. Raises what it raises.
    """
    tasks = [asyncio.create_task(one) for one in work]
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait((*tasks, stopping), return_when=asyncio.FIRST_COMPLETED)
        results = [task.result() for task in tasks if task in done]
        return results[0] if results else None
    finally:
        await cancel_and_wait(*tasks, stopping)


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Returns after `seconds`, or as soon as `stop` is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
