"""Work that waits out outages, and work that follows the log from its end and learns of earlier events elsewhere."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from projections.source import Source
from projections.tasks import until
from service.observability.background_work import Work
from service.store.database import StoreUnavailable

T = TypeVar("T")
Take: TypeAlias = Callable[[Sequence[Recorded]], Awaitable[None]]

BATCH = 512
"""Events per read of the log."""

BEAT_S = 1.0
"""The longest wait for the next event in seconds, since a notice of it may be lost."""

PAUSE_S = 0.5
"""Seconds between attempts during an outage."""


class Outlasting:
    """Waits out outages, which are logged once each, as that `interrupted` is. `sleep` waits so many seconds."""

    def __init__(
        self,
        log: FilteringBoundLogger,
        interrupted: str,
        work: Work,
        pause_s: float = PAUSE_S,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._log = log
        self._interrupted = interrupted
        self._work = work
        self._pause_s = pause_s
        self._sleep = sleep

    async def outlast(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What the attempt returns, which is repeated until it meets no outage."""
        while True:
            try:
                result = await attempt()
            except StoreUnavailable as error:
                await self.wait_out(error)
            else:
                self.answered()
                return result

    async def wait_out(self, error: Exception) -> None:
        """Waits until the next attempt, after an attempt met this outage."""
        if self._work.halts():
            self._log.warning(f"{self._interrupted} interrupted", error=str(error))
        await self._sleep(self._pause_s)

    def answered(self) -> None:
        """Notes that an attempt met no outage."""
        self._work.goes_on()


class LogFollower(Outlasting):
    """Has the events taken in that are appended from the start of `run`, in order. Used from one event loop.

    Two reads are `pace_s` apart, so that events of this time are read together, unless a page is full.
    """

    def __init__(
        self,
        source: Source,
        log: FilteringBoundLogger,
        interrupted: str,
        work: Work,
        pace_s: float,
        beat_s: float = BEAT_S,
        pause_s: float = PAUSE_S,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(log, interrupted, work, pause_s, sleep=sleep)
        self._source = source
        self._pace_s = pace_s
        self._beat_s = beat_s
        self.position: int | None = None
        """The position up to which the log was taken in; None before the earlier events are learnt."""

    async def run(
        self,
        stop: asyncio.Event,
        learn: Callable[[], Awaitable[None]] | None,
        take: Take,
        *beside: Coroutine[Any, Any, None],
    ) -> None:
        """Calls `learn`, then `take` with each page of later events, and runs the work `beside` it, until `stop`.

        Without `learn` it goes on where an earlier run ended. A page at which `take` meets an outage is taken again.
        Raises what these raise otherwise.
        """
        if learn is not None:
            self.position = None
        await until(stop, self._follow(learn, take), *beside)

    async def _follow(self, learn: Callable[[], Awaitable[None]] | None, take: Take) -> None:
        position = self.position
        if position is None:
            # Later events are taken; earlier ones are part of what is learnt.
            position = await self.outlast(self._source.end)
            if learn is not None:
                await learn()
            self.position = position
        while True:
            records = await self.outlast(partial(self._page, position, take))
            if not records:
                await self._source.wait(position, self._beat_s)
                continue
            self.position = position = records[-1].position
            if len(records) < BATCH:
                await self._sleep(self._pace_s)

    async def _page(self, position: int, take: Take) -> Sequence[Recorded]:
        records = await self._source.log(position, BATCH)
        if records:
            await take(records)
        return records
