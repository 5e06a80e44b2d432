"""Follows the log from its end, for work that knows the earlier events from elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from projections import Source, SourceUnavailable
from service.observability.work import Work

BATCH = 512
"""Events per read of the log."""

BEAT_S = 1.0
"""The longest wait for the next event in seconds, since a notice of it may be lost."""

PAUSE_S = 0.5
"""Seconds between attempts during an outage."""


class Following:
    """Reads the log, and waits out outages: each is logged once, as that `interrupted` is. Used from one event loop.

    Two reads are `pace_s` apart, so that events of this time are read together.
    """

    def __init__(
        self,
        source: Source,
        log: FilteringBoundLogger,
        interrupted: str,
        work: Work,
        *,
        pace_s: float,
        beat_s: float = BEAT_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._source = source
        self._log = log
        self._interrupted = interrupted
        self._work = work
        self._pace_s = pace_s
        self._beat_s = beat_s
        self._pause_s = pause_s

    async def end(self) -> int:
        """The position of the log's last event."""
        while True:
            try:
                return await self._source.end()
            except SourceUnavailable as error:
                await self.wait_out(error)

    async def after(self, position: int) -> AsyncIterator[Sequence[Recorded]]:
        """The events after the position, in order and without end. The next are read when these are done with."""
        while True:
            try:
                records = await self._source.log(position, BATCH)
            except SourceUnavailable as error:
                await self.wait_out(error)
                continue
            self.answered()
            if not records:
                await self._source.wait(position, self._beat_s)
                continue
            yield records
            position = records[-1].position
            await asyncio.sleep(self._pace_s)

    async def wait_out(self, error: Exception) -> None:
        """Waits until the next attempt, after an attempt met this outage."""
        if self._work.halts():
            self._log.warning(f"{self._interrupted} interrupted", error=str(error))
        await asyncio.sleep(self._pause_s)

    def answered(self) -> None:
        """Notes that an attempt met no outage."""
        self._work.goes_on()
