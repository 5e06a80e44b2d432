"""Sends the outbox's messages, and retries failed ones after growing pauses.

Webhooks whose receivers answer promptly have slots of their own, so receivers that hang or fail do not delay them,
however many they are.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from structlog.typing import FilteringBoundLogger

from projections.tasks import until
from service.live.sender import TIMEOUT_S, Attempt, Sender
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.log_follower import Outlasting
from service.store.outbox_store import Claimed, OutboxStore, Pauses, Settled

SLOTS = 48
"""Concurrent attempts to receivers whose last answer was prompt."""

SLOW_SLOTS = 16
"""Concurrent attempts to all other receivers."""

SOON_S = 2.0
"""A receiver is prompt if it answers within this time."""

CLAIM_S = TIMEOUT_S + 45.0
"""After this time a message whose attempt never ended, because its process died, is sent by another process."""

PAUSES_S = (5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400)
"""The pause after each failed attempt. When they are used up, the message is given up."""

IN_A_ROW = 5
LONGEST_PAUSE_S = 3600
PAUSES = Pauses(IN_A_ROW, timedelta(seconds=5), timedelta(seconds=LONGEST_PAUSE_S))
"""After IN_A_ROW failures a webhook pauses for 5 seconds, then twice as long each time, up to an hour."""

PAUSE_DAYS = 1
"""Days for which the failures of a player's or a host's webhooks are remembered."""

LONGEST_RETRY_AFTER_S = 86_400

FAILING_DAYS = 5
"""Days for which a webhook may fail before it is disabled."""

RECEIPT_DAYS = 7

LOOK_S = 1.0
"""Seconds between looks for messages that have become due."""

HOUSEKEEPING_S = 15.0
HOUSEKEEPINGS_A_DAY = int(86_400 / HOUSEKEEPING_S)


class Deliveries:
    """Sends messages. `timer` measures attempts in seconds; `jitter` (0 to 1) varies the pauses."""

    def __init__(
        self,
        outbox: OutboxStore,
        sender: Sender,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        clock: Callable[[], datetime],
        timer: Callable[[], float] = time.perf_counter,
        jitter: Callable[[], float] = random.random,
        slots: int = SLOTS,
        slow_slots: int = SLOW_SLOTS,
    ) -> None:
        self._outbox = outbox
        self._sender = sender
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._timer = timer
        self._jitter = jitter
        self._slots = {True: slots, False: slow_slots}
        self._news = {prompt: asyncio.Event() for prompt in self._slots}
        self._outages = Outlasting(log, "sending webhooks", metrics.work["webhook sender"])

    def wake(self) -> None:
        """Looks for messages at once."""
        for news in self._news.values():
            news.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Sends messages until `stop`. Waits out outages; attempts cut off by `stop` are repeated later."""
        self._metrics.webhooks.sending.set(True)
        try:
            await until(stop, *(self._work(prompt=prompt) for prompt in self._slots), self._keep_house())
        finally:
            self._metrics.webhooks.sending.set(False)

    async def turn(self) -> list[Settled]:
        """Sends what is due now, once, and returns the outcomes. Raises StoreUnavailable."""
        claimed = [each for prompt in self._slots for each in await self._claim(self._slots[prompt], prompt=prompt)]
        return list(await asyncio.gather(*map(self._attempt, claimed)))

    async def _work(self, *, prompt: bool) -> None:
        slots, news = self._slots[prompt], self._news[prompt]
        async with asyncio.TaskGroup() as attempts:
            under_way: set[asyncio.Task[Settled]] = set()

            def ended(task: asyncio.Task[Settled]) -> None:
                under_way.discard(task)
                # The webhook may have become prompt, or no longer be.
                self.wake()

            while True:
                news.clear()
                free = slots - len(under_way)
                claimed = await self._outages.outlast(partial(self._claim, free, prompt=prompt)) if free else ()
                for each in claimed:
                    task = attempts.create_task(self._attempt(each))
                    under_way.add(task)
                    task.add_done_callback(ended)
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await news.wait()

    async def _claim(self, slots: int, *, prompt: bool) -> "list[Claimed]":
        now = self._clock()
        return list(await self._outbox.claim(now, now + timedelta(seconds=CLAIM_S), slots, prompt=prompt))

    async def _attempt(self, claimed: Claimed) -> Settled:
        """Sends a message once and records the outcome."""
        began = self._timer()
        attempt = await self._sender.send(claimed, self._clock())
        seconds = self._timer() - began
        self._metrics.webhooks.attempt(attempt.failure or "delivered", seconds)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CLAIM_S
        while True:
            try:
                settled = await self._settle(claimed, attempt, soon=seconds < SOON_S)
                break
            except StoreUnavailable as error:
                if loop.time() > deadline:
                    return "stale"
                await self._outages.wait_out(error)
        if settled == "disabled":
            self._metrics.webhooks.disabled.inc()
            self._log.info("a webhook was disabled", webhook=claimed.webhook, failure=attempt.failure)
        return settled

    async def _settle(self, claimed: Claimed, attempt: Attempt, *, soon: bool) -> Settled:
        now = self._clock()
        retry_after_s = min(attempt.retry_after_s, LONGEST_RETRY_AFTER_S)
        retry_at = None
        if claimed.attempts < len(PAUSES_S):
            pause_s = PAUSES_S[claimed.attempts] * (1 + 0.1 * self._jitter())
            retry_at = now + timedelta(seconds=max(pause_s, retry_after_s))
        return await self._outbox.settle(
            claimed,
            now,
            "delivered" if attempt.failure is None else "gone" if attempt.status == 410 else "failed",
            status=attempt.status,
            error=attempt.failure,
            retry_at=retry_at,
            wanted_until=now + timedelta(seconds=retry_after_s) if retry_after_s else None,
            pauses=PAUSES,
            failing_from=now - timedelta(days=FAILING_DAYS),
            soon=soon,
        )

    async def _keep_house(self) -> None:
        """Counts waiting messages, and deletes old receipts and pauses once a day."""
        done = 0
        while True:
            try:
                self._metrics.webhooks.waiting.set(await self._outbox.waiting())
                if done % HOUSEKEEPINGS_A_DAY == 0:
                    now = self._clock()
                    await self._outbox.tidy(now - timedelta(days=RECEIPT_DAYS), now - timedelta(days=PAUSE_DAYS))
                done += 1
            except StoreUnavailable as error:
                await self._outages.wait_out(error)
            await asyncio.sleep(HOUSEKEEPING_S)
