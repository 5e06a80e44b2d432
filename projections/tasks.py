"""Ending work that goes on in the background."""

import asyncio
from typing import Any

AGAIN_S = 0.5


async def cancel_and_wait(*tasks: "asyncio.Task[Any] | asyncio.Future[Any]") -> None:
    """Cancels the tasks, and returns when they have ended.

    One that goes on is cancelled again: a driver that is about to hand on an error of its own can lose a cancellation.
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_S)
