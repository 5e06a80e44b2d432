"""Jobs for tests. A process that does jobs imports them by their names."""

import asyncio
import gc
import os
import time

from service.compute.jobs import JobContext
from service.store.database import StoreUnavailable


async def frozen(_: JobContext) -> int:
    """How many objects are left out of garbage collections in its process."""
    return gc.get_freeze_count()


async def where(_context: JobContext) -> int:
    """The id of the process."""
    return os.getpid()


async def burn(_context: JobContext, cpu_s: float) -> None:
    """Takes so much CPU time."""
    ends = time.process_time() + cpu_s
    while time.process_time() < ends:
        pass


async def hang(_context: JobContext) -> None:
    """Never ends."""
    await asyncio.Event().wait()


async def die(_context: JobContext) -> None:
    """Ends the process."""
    os._exit(1)


async def chatter(_context: JobContext) -> str:
    """Prints something first."""
    print("this is no answer", flush=True)
    return "an answer"


async def tell(_context: JobContext, length: int) -> str:
    """An answer of this length."""
    return "-" * length


async def fail(_context: JobContext) -> None:
    """Raises StoreUnavailable."""
    raise StoreUnavailable("as it was raised")


async def events(context: JobContext, table: str) -> int:
    """How many events a table has."""
    return len(await context.store.stream(table))
