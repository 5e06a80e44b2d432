"""Background work that ends when the process stops."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from deploy.tasks import cancel_and_wait


async def until(stop: asyncio.Event, *work: Coroutine[Any, Any, None]) -> None:
    """Runs all the work concurrently; cancels it at `stop` or if any part fails. Raises what that part raises."""
    working = [asyncio.create_task(one) for one in work]
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait((*working, stopping), return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
    finally:
        await cancel_and_wait(*working, stopping)
