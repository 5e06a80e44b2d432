"""Reads that take long: computed beside the event loop, and kept as bytes."""

from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar, TypeVarTuple

from service.queries.byte_cache import ByteCache, Made
from service.queries.jobs import JobContext
from service.queries.process_pool import ProcessPool

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CAPACITY = 64 * 1024 * 1024
"""Bytes that are kept."""


class HeavyReads:
    """Does jobs in the pool; without one in this event loop. Used from one event loop.

    `charge` is called with an origin, which is a network of clients, and the seconds of CPU time that its job took.
    """

    def __init__(
        self,
        context: JobContext,
        pool: ProcessPool | None,
        charge: Callable[[str, float], None] = lambda _origin, _cpu_s: None,
        *,
        capacity: int = CAPACITY,
    ) -> None:
        self._context = context
        self._pool = pool
        self._charge = charge
        self._cache = ByteCache(capacity)

    async def kept(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> bytes:
        """The bytes that `make` makes, or made before. Raises what `make` raises.

        The key must name all that they depend on: what they are, the audience, and the hash of the table's last event.
        That hash covers all earlier events; an erasure, which it does not cover, has an event of its own.
        """
        return await self._cache.get(key, make)

    async def run(
        self,
        origin: str,
        job: Callable[[JobContext, *Ts], Awaitable[T]],
        *arguments: *Ts,
        refusable: bool = True,
    ) -> T:
        """The job's result. Raises Busy, if it is `refusable`, JobLost, and what the job raises."""
        if self._pool is None:
            return await job(self._context, *arguments)
        return await self._pool.run(
            origin, job, *arguments, charge=lambda cpu_s: self._charge(origin, cpu_s), refusable=refusable
        )
