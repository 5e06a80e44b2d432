"""The processes that play for bots share the tables: each table is one process's, as long as that is alive.

They know of each other through Redis. Two that both take a table for theirs act once nevertheless: the log sees to it.

    codille:bots:processes    the processes, each with the Unix time at which it expires
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b

from structlog.typing import FilteringBoundLogger

from projections.connection import OUTAGES, Client, unavailable
from projections.redis_keys import PREFIX
from projections.scripts import RedisCommand, send

PROCESSES = f"{PREFIX}:bots:processes"

BEAT_S = 1.0
"""Seconds between two signs of life."""

TTL_S = 3.0
"""Seconds after its last sign of life from which a process counts as dead."""

TIMEOUT_S = 0.5
"""Seconds that Redis may take to answer. While it does not, a process takes all tables for its own."""


def owner(table: str, processes: Sequence[str]) -> str:
    """The process whose table this is; where one more comes or one goes, few tables change their owner."""
    return max(processes, key=lambda process: blake2b(f"{process}\n{table}".encode(), digest_size=8).digest())


class Members:
    """This process's membership among those that play for bots. Used from one event loop."""

    def __init__(
        self,
        redis: Client,
        log: FilteringBoundLogger,
        *,
        beat_s: float = BEAT_S,
        ttl_s: float = TTL_S,
    ) -> None:
        self.name = secrets.token_hex(8)
        self._redis = redis
        self._log = log
        self._beat_s = beat_s
        self._ttl_s = ttl_s
        self._failures = 0
        """How many attempts have failed since the last that did not."""
        self.processes: tuple[str, ...] = (self.name,)
        """The living processes, this one among them."""

    def mine(self, table: str) -> bool:
        """Whether the table is this process's."""
        return len(self.processes) == 1 or owner(table, self.processes) == self.name

    async def beat(self) -> bool:
        """Gives a sign of life, and learns of the others. Returns whether other processes live than before."""
        before, self.processes = self.processes, await self._living()
        return before != self.processes

    async def run(self, changed: Callable[[], None]) -> None:
        """Beats until it is cancelled; calls `changed` when other processes live than before."""
        try:
            while True:
                await asyncio.sleep(self._beat_s)
                if await self.beat():
                    changed()
        finally:
            await self._leave()

    async def _living(self) -> tuple[str, ...]:
        now = time.time()
        commands: list[RedisCommand] = [
            ("ZADD", PROCESSES, str(now + self._ttl_s), self.name),
            ("ZREMRANGEBYSCORE", PROCESSES, "-inf", str(now)),
            ("ZRANGE", PROCESSES, 0, -1),
        ]
        try:
            async with asyncio.timeout(TIMEOUT_S):
                *_, names = await send(self._redis, commands)
        except OUTAGES as error:
            self._failures += 1
            # A start may be slow, and so may one answer.
            if self._failures == 2:
                self._log.warning("bots are shared with no other process", error=unavailable(error))
            return (self.name,)
        self._failures = 0
        return tuple(sorted(name.decode() for name in names)) or (self.name,)

    async def _leave(self) -> None:
        """Hands the tables to the others at once."""
        with suppress(*OUTAGES):
            async with asyncio.timeout(TIMEOUT_S):
                await send(self._redis, [("ZREM", PROCESSES, self.name)])
