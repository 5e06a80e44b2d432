"""The worker that signs a head of the log every so often."""

import asyncio
import time

from structlog.typing import FilteringBoundLogger

from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.tail import Tail
from service.transparency.heads import Heads
from service.transparency.keys import NoKey
from service.transparency.tree import LogAltered

EVERY_S = 10.0
EVERY_EVENTS = 10_000
LOOK_S = 1.0
"""Time between two looks at how far the log has come."""


class Signer:
    """Signs a head when the log has grown by `every_events`, or at all since `every_s` seconds.

    Several may run: of two heads at a time one is kept.
    """

    def __init__(
        self,
        heads: Heads,
        tail: Tail,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        every_s: float = EVERY_S,
        every_events: int = EVERY_EVENTS,
    ) -> None:
        self._heads = heads
        self._tail = tail
        self._metrics = metrics
        self._log = log
        self._every_s = every_s
        self._every_events = every_events
        self._told: str | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Signs until `stop`. What keeps it from signing is told once, and tried again."""
        signed, at = -1, -self._every_s
        while not stop.is_set():
            grown = self._tail.position - signed
            if grown > 0 and (grown >= self._every_events or time.monotonic() - at >= self._every_s):
                at = time.monotonic()
                signed = await self._take(signed)
            try:
                await asyncio.wait_for(stop.wait(), min(LOOK_S, self._every_s))
            except TimeoutError:
                continue

    async def _take(self, signed: int) -> int:
        """Signs, and answers the size of the newest head as far as it is known."""
        try:
            taken = await self._heads.take_now()
        except StoreUnavailable as error:
            self._tell("warning", error)
        except (NoKey, LogAltered) as error:
            self._metrics.unsigned()
            self._tell("error", error)
        else:
            self._told = None
            self._metrics.signed(taken.size)
            return taken.size
        return signed

    def _tell(self, level: str, error: Exception) -> None:
        """One line for a cause, not one for each attempt."""
        text = str(error)
        if text != self._told:
            (self._log.error if level == "error" else self._log.warning)("no head was signed", reason=text)
        self._told = text
