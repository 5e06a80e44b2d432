"""Reads that take long: computed beside the event loop, and kept as bytes."""

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar, TypeVarTuple

from msgspec import Struct

from service.queries.byte_cache import ByteCache, Made
from service.queries.jobs import JobContext
from service.queries.process_pool import ProcessPool

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CAPACITY = 64 * 1024 * 1024
"""Bytes that are kept."""


class Spending(Struct):
    """What is computed for one request."""

    origin: str
    """The network that the request comes from. Networks take turns."""
    cpu_s: float = 0.0
    """The CPU time that has been spent, in seconds."""

    def add(self, cpu_s: float) -> None:
        """Adds CPU time, in seconds."""
        self.cpu_s += cpu_s

    def take(self) -> float:
        """The CPU time that has been spent since it was last taken, to be charged now."""
        cpu_s, self.cpu_s = self.cpu_s, 0.0
        return cpu_s


class HeavyReads:
    """Does jobs in the pool; without one in this event loop. Used from one event loop."""

    def __init__(
        self,
        context: JobContext,
        pool: ProcessPool | None,
        *,
        capacity: int = CAPACITY,
    ) -> None:
        self._context = context
        self._pool = pool
        self._cache = ByteCache(capacity)

    async def kept(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> bytes:
        """The bytes that `make` makes, or made before. Raises what `make` raises.

        The key must name all that they depend on: what they are, the audience, and the hash of the table's last event.
        That hash covers all earlier events; an erasure, which it does not cover, has an event of its own.
        """
        return await self._cache.get(key, make)

    async def run(
        self,
        spending: Spending,
        job: Callable[[JobContext, *Ts], Awaitable[T]],
        *arguments: *Ts,
        events: int,
        refusable: bool = True,
    ) -> T:
        """The result of a job that is about so many events. Raises Busy, if it is `refusable`, and JobLost.

        It raises what the job raises, too.
        """
        if self._pool is not None:
            return await self._pool.run(
                spending.origin, job, *arguments, events=events, charge=spending.add, refusable=refusable
            )
        began = time.process_time()
        try:
            return await job(self._context, *arguments)
        finally:
            spending.add(time.process_time() - began)
