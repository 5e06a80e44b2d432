"""Waiting for what comes of itself."""

import asyncio
from collections.abc import Callable

TURNS = 50
"""More than any chain of tasks has links."""


async def settled() -> None:
    """Lets all tasks of this loop go as far as they can without input or output, however busy the machine is."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


PATIENCE_S = 180.0
"""How long something may take that takes a moment on a quiet machine. Other tests keep this one busy."""


async def until(condition: Callable[[], object], *, patience_s: float = PATIENCE_S) -> None:
    """Returns once the condition holds. What it looks at has no event of its own."""
    async with asyncio.timeout(patience_s):
        while not condition():  # noqa: ASYNC110 (as said)
            await asyncio.sleep(0.002)
