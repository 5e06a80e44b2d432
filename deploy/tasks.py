"""Ending background tasks."""

import asyncio
from typing import Any

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
