"""The worker that signs a checkpoint of the log every so often."""

import asyncio
import time
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.tail import Tail
from service.transparency.checkpoints import Transparency
from service.transparency.keys import NoKey
from service.transparency.tree import LogAltered

EVERY_S = 10.0
EVERY_EVENTS = 10_000
LOOK_S = 1.0
"""Time between two readings of the log's position."""


class Signer:
    """Signs a checkpoint once the log has grown by `every_events`, or has grown at all in `every_s` seconds.

    Several may run: of two checkpoints of one size, one is kept.
    """

    def __init__(
        self,
        transparency: Transparency,
        tail: Tail,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        every_s: float = EVERY_S,
        every_events: int = EVERY_EVENTS,
    ) -> None:
        self._transparency = transparency
        self._tail = tail
        self._metrics = metrics
        self._log = log
        self._every_s = every_s
        self._every_events = every_events
        self._obstacle: str | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Signs until `stop` is set. An obstacle is logged once, however often signing is tried again."""
        signed, at = -1, -self._every_s
        while not stop.is_set():
            grown = self._tail.position - signed
            if grown > 0 and (grown >= self._every_events or time.monotonic() - at >= self._every_s):
                at = time.monotonic()
                signed = await self._sign(signed)
            try:
                await asyncio.wait_for(stop.wait(), min(LOOK_S, self._every_s))
            except TimeoutError:
                continue

    async def _sign(self, signed: int) -> int:
        """Signs, and returns the size of the newest known checkpoint."""
        try:
            checkpoint = await self._transparency.sign_checkpoint()
        except StoreUnavailable as error:
            self._report(self._log.warning, error)
        except (NoKey, LogAltered) as error:
            self._metrics.unsigned()
            self._report(self._log.error, error)
        else:
            self._obstacle = None
            self._metrics.signed(checkpoint.size)
            return checkpoint.size
        return signed

    def _report(self, log: Callable[..., None], error: Exception) -> None:
        """Logs one line for a cause, not one for each attempt."""
        reason = str(error)
        if reason != self._obstacle:
            log("no checkpoint was signed", reason=reason)
        self._obstacle = reason
