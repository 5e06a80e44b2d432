"""Reads that take long: computed outside the event loop, and cached as bytes."""

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar, TypeVarTuple

from msgspec import Struct

from service.compute.byte_cache import ByteCache, Made
from service.compute.fair_slots import FairSlots, Origin
from service.compute.jobs import JobContext
from service.compute.process_pool import ProcessPool

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CAPACITY = 64 * 1024 * 1024
"""The most bytes cached."""

FILES = 4
"""The most files that are in memory to be read, each until its answer has been sent."""


class Spending(Struct):
    """The computation for one request."""

    origin: Origin
    """The networks of the request, the widest first, and its player. They take turns."""
    gone: Callable[[], Awaitable[None]] | None = None
    """Returns when the client is gone. Nothing more is begun for it then."""
    cpu_s: float = 0.0
    """CPU seconds that have been spent."""

    def add(self, cpu_s: float) -> None:
        """Adds CPU time, in seconds."""
        self.cpu_s += cpu_s

    def take(self) -> float:
        """The CPU seconds spent since the last call, to be charged now."""
        cpu_s, self.cpu_s = self.cpu_s, 0.0
        return cpu_s


class HeavyReads:
    """Runs jobs in the pool, or in this event loop without one. Used from one event loop."""

    def __init__(self, context: JobContext, pool: ProcessPool | None) -> None:
        self._context = context
        self.pool = pool
        self.files = FairSlots(FILES)
        """The turns of those who send files."""
        self._cache = ByteCache(CAPACITY)

    async def kept(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> bytes:
        """The bytes from `make`, cached under the key. Raises what `make` raises.

        The key must include everything that they depend on: their kind, the audience, and the hash of the table's last
        event. That hash covers all earlier events; an erasure, which it does not cover, has an event of its own.
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
        """The result of a job over `events` events. Raises Busy and Left, if `refusable` is set, JobLost, and
        what the job raises.
        """
        if self.pool is not None:
            gone = spending.gone if refusable else None
            return await self.pool.run(
                spending.origin, job, *arguments, events=events, charge=spending.add, refusable=refusable, gone=gone
            )
        began = time.process_time()
        try:
            return await job(self._context, *arguments)
        finally:
            spending.add(time.process_time() - began)
