"""Passes events appended by this process to the others through Redis, so that they need not read them from the log.

Redis may lose any of them. A process detects missing events by their positions, and reads them from Postgres.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

import msgspec
from redis.asyncio import Redis
from structlog.typing import FilteringBoundLogger

from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.seats import HOUSE
from projections.connection import OUTAGES, unavailable
from projections.redis_keys import PREFIX

CHANNEL = f"{PREFIX}:live"

MOST_WAITING = 2048
"""Events that may wait to be passed on; the others read any beyond them from the log."""

BEAT_S = 5.0
"""Seconds of silence after which the connection is tested."""

PAUSE_S = 1.0
"""Seconds between attempts to connect, and for which the number of listeners is cached."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Recorded])
_HOUSE = f'"{HOUSE}"'.encode()


class Relay:
    """Passes events on to other processes and receives theirs. Used from one event loop.

    The connection `passing` has a timeout on every wait; `listening` waits for messages. Without `counted` the server
    does not know of all listeners, and events are always passed on: a Cluster's node knows only its own.
    """

    def __init__(
        self,
        passing: Redis,
        listening: Redis,
        log: FilteringBoundLogger,
        *,
        counted: bool = True,
        pause_s: float = PAUSE_S,
        beat_s: float = BEAT_S,
    ) -> None:
        self._passing = passing
        self._listening = listening
        self._log = log
        self._counted = counted
        self._pause_s = pause_s
        self._beat_s = beat_s
        self._waiting: list[Recorded] = []
        self._task: asyncio.Task[None] | None = None
        self._others = 0
        self._others_until = 0.0
        self.connected = False
        """Whether messages of other processes are being received."""

    def pass_on(self, records: Sequence[Recorded]) -> None:
        """Passes appended events on soon, if another process listens."""
        if not self._others and time.monotonic() < self._others_until:
            # Every append of a service of one process returns here.
            return
        if len(self._waiting) < MOST_WAITING:
            self._waiting += records
        if self._task is None:
            self._task = asyncio.create_task(self._publish(), name="relay")

    async def close(self) -> None:
        """Passes on what is waiting, and closes the connections."""
        if self._task is not None:
            await asyncio.wait((self._task,))
        await self._passing.aclose()
        await self._listening.aclose()

    async def run(self, receive: Callable[[Sequence[Recorded]], None]) -> None:
        """Calls `receive` with what any process passes on, including this one, until it is cancelled."""
        failing = False
        while True:
            try:
                async with self._listening.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    silent = False
                    while True:
                        message = await channel.get_message(timeout=self._beat_s)
                        if message is None and silent:
                            raise TimeoutError("no answer")
                        silent = message is None
                        if message is None:
                            await channel.ping()
                        elif message["type"] == "subscribe":
                            self.connected, failing = True, False
                        elif message["type"] == "message":
                            receive(_decoder.decode(message["data"]))
            except (*OUTAGES, msgspec.DecodeError) as error:
                if not failing:
                    self._log.warning("listening to other processes failed", error=unavailable(error))
                failing = True
            finally:
                self.connected = False
            await asyncio.sleep(self._pause_s)

    async def _publish(self) -> None:
        try:
            while self._waiting:
                records, self._waiting = self._waiting, []
                if await self._heard():
                    await self._passing.publish(CHANNEL, _encoder.encode([_passable(record) for record in records]))
        except OUTAGES:
            # The others read the log. Redis is left alone for a while.
            self._waiting.clear()
            self._others, self._others_until = 0, time.monotonic() + self._pause_s
        finally:
            self._task = None

    async def _heard(self) -> bool:
        """Whether other processes listen, as far as can be known."""
        if not self._counted:
            return True
        now = time.monotonic()
        if now >= self._others_until:
            ((_, listening),) = await self._passing.pubsub_numsub(CHANNEL)
            self._others, self._others_until = max(0, listening - self.connected), now + self._pause_s
        return self._others > 0


def _passable(record: Recorded) -> Recorded:
    """The event without its house-only section, which is never written to Redis."""
    return without_section(record, HOUSE) if _HOUSE in record.seals else record
