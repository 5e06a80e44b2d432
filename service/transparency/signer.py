"""Workers of the process with the signing key: one signs a checkpoint at intervals, one signs on request."""

import asyncio
import time
from collections.abc import Callable
from uuid import UUID

from asyncpg import Connection
from structlog.typing import FilteringBoundLogger

from projections.tasks import pause, until
from service.observability.metrics import Metrics
from service.store.database import Database, StoreUnavailable
from service.store.listener import Listener
from service.store.tail import Tail
from service.transparency.checkpoints import Transparency
from service.transparency.keys import NoKey
from service.transparency.requests import CHANNEL, EXPORT, SignatureRequests
from service.transparency.tree import LogAltered

EVERY_S = 10.0
EVERY_EVENTS = 10_000
LOOK_S = 1.0
"""Seconds between two looks at the log's position."""


class Signer:
    """Signs a checkpoint once the log has grown by `every_events`, or has grown at all in `every_s` seconds.

    Several may run: of two checkpoints of the same size, one is kept.
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
        self._work = metrics.work["signer"]
        self._obstacle: str | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Signs until `stop` is set. An obstacle is logged once, however often signing is retried."""
        signed, at = -1, -self._every_s
        while not stop.is_set():
            grown = self._tail.position - signed
            if grown > 0 and (grown >= self._every_events or time.monotonic() - at >= self._every_s):
                at = time.monotonic()
                signed = await self._sign(signed)
            await pause(stop, min(LOOK_S, self._every_s))

    async def _sign(self, signed: int) -> int:
        """Signs, and returns the size of the newest known checkpoint."""
        try:
            checkpoint = await self._transparency.sign_checkpoint()
        except StoreUnavailable as error:
            self._report(self._log.warning, error)
        except (NoKey, LogAltered) as error:
            self._metrics.audit.unsigned.inc()
            self._report(self._log.error, error)
        else:
            self._obstacle = None
            self._work.goes_on()
            self._metrics.audit.head.set(checkpoint.size)
            return checkpoint.size
        return signed

    def _report(self, log: Callable[..., None], error: Exception) -> None:
        """Logs one line for a cause, rather than for each attempt."""
        reason = str(error)
        if reason != self._obstacle:
            log("no checkpoint was signed", reason=reason)
        self._work.halts()
        self._obstacle = reason


class RequestSigner:
    """Signs exports for the processes that have no key, and checkpoints sooner than at their interval.

    Other texts are refused, since any process of the service may send requests.
    """

    def __init__(
        self, database: Database, transparency: Transparency, metrics: Metrics, log: FilteringBoundLogger
    ) -> None:
        self._database = database
        self._listening = metrics.work["listening to requests for signatures"]
        self._signing = metrics.work["signer of requests"]
        self._requests = SignatureRequests(database)
        self._transparency = transparency
        self._log = log
        self._asked = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Answers requests until `stop` is set. Requests that cannot be answered now are tried again."""
        async with Listener(self._database, CHANNEL, lambda _: self._asked.set(), self._look, self._listening):
            while not stop.is_set():
                await until(stop, self._asked.wait())
                self._asked.clear()
                try:
                    for request, text in await self._requests.pending():
                        await self._answer(request, text)
                    self._signing.goes_on()
                except (StoreUnavailable, NoKey, LogAltered) as error:
                    self._signing.halts()
                    self._log.warning("no signature was given", reason=str(error))

    async def _answer(self, request: UUID, text: str | None) -> None:
        if text is None:
            await self._requests.answer(request, (await self._transparency.sign_checkpoint()).note)
        elif EXPORT.fullmatch(text):
            await self._requests.answer(request, await self._transparency.signed(text))

    async def _look(self, connection: Connection, _is_new: bool) -> None:
        """Looks for requests whose notification was missed; the query also shows whether the connection works."""
        await connection.execute("SELECT 1")
        self._asked.set()
