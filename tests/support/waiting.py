"""Waiting for what comes of itself."""

import asyncio

TURNS = 50
"""More than any chain of tasks has links."""


async def settled() -> None:
    """Lets all tasks of this loop go as far as they can without input or output, however busy the machine is."""
    for _ in range(TURNS):
        await asyncio.sleep(0)
