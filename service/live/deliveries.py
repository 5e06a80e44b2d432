"""Sends the messages that wait in the outbox, and sends them again after pauses that grow.

Messages of webhooks whose receivers answer soon have places of their own, so that those that hang or fail, however many
they are, hold up nobody else.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from structlog.typing import FilteringBoundLogger

from service.live.sender import TIMEOUT_S, Attempt, Sender
from service.live.working import until
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.webhooks import Claimed, Pauses, Settled, WebhookStore

PLACES = 48
"""Attempts at once to receivers that answered the last one soon."""

SLOW_PLACES = 16
"""Attempts at once to all others."""

SOON_S = 2.0
"""Within which a receiver must answer to count as prompt."""

CLAIM_S = TIMEOUT_S + 45.0
"""After which a message whose attempt did not end, since its process did, is sent by another one."""

PAUSES_S = (5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400)
"""After each attempt that failed. Then the message is given up."""

IN_A_ROW = 5
LONGEST_PAUSE_S = 3600
PAUSES = Pauses(IN_A_ROW, timedelta(seconds=5), timedelta(seconds=LONGEST_PAUSE_S))
"""After so many failures a webhook is sent nothing for 5 seconds, and twice as long each time, for an hour at most."""

PAUSE_DAYS = 1
"""For which it is remembered of players and hosts that their webhooks failed."""

LONGEST_RETRY_AFTER_S = 86_400

FAILING_DAYS = 5
"""For which a webhook may fail before it is disabled."""

RECEIPT_DAYS = 7

LOOK_S = 1.0
"""Seconds after which it looks for messages that have become due."""

PAUSE_S = 0.5
"""Seconds between two attempts to use Postgres during an outage."""

HOUSEKEEPING_S = 15.0
HOUSEKEEPINGS_A_DAY = int(86_400 / HOUSEKEEPING_S)


class Deliveries:
    """Sends messages. `timer` measures attempts in seconds, and `jitter` (0 to 1) has pauses differ."""

    def __init__(
        self,
        webhooks: WebhookStore,
        sender: Sender,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        clock: Callable[[], datetime],
        timer: Callable[[], float] = time.perf_counter,
        jitter: Callable[[], float] = random.random,
        places: int = PLACES,
        slow_places: int = SLOW_PLACES,
    ) -> None:
        self._webhooks = webhooks
        self._sender = sender
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._timer = timer
        self._jitter = jitter
        self._places = {True: places, False: slow_places}
        self._news = {prompt: asyncio.Event() for prompt in self._places}
        self._failing = False

    def wake(self) -> None:
        """Has it look for messages at once."""
        for news in self._news.values():
            news.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Sends messages until `stop`. Outages are waited out; attempts under way then are made again later."""
        self._metrics.webhooks_sending(sends=True)
        try:
            await until(stop, *(self._work(prompt=prompt) for prompt in self._places), self._keep_house())
        finally:
            self._metrics.webhooks_sending(sends=False)

    async def turn(self) -> list[Settled]:
        """Sends what is due now, once, and answers what came of it. Raises StoreUnavailable."""
        claimed = [each for prompt in self._places for each in await self._claim(self._places[prompt], prompt=prompt)]
        return list(await asyncio.gather(*map(self._attempt, claimed)))

    async def _work(self, *, prompt: bool) -> None:
        places, news = self._places[prompt], self._news[prompt]
        async with asyncio.TaskGroup() as attempts:
            under_way: set[asyncio.Task[Settled]] = set()

            def ended(task: asyncio.Task[Settled]) -> None:
                under_way.discard(task)
                # Its webhook may have become prompt, or have ceased to be.
                self.wake()

            while True:
                news.clear()
                free = places - len(under_way)
                try:
                    claimed = await self._claim(free, prompt=prompt) if free else ()
                    self._failing = False
                except StoreUnavailable as error:
                    await self._pause(error)
                    continue
                for each in claimed:
                    task = attempts.create_task(self._attempt(each))
                    under_way.add(task)
                    task.add_done_callback(ended)
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await news.wait()

    async def _claim(self, places: int, *, prompt: bool) -> "list[Claimed]":
        now = self._clock()
        return list(await self._webhooks.claim(now, now + timedelta(seconds=CLAIM_S), places, prompt=prompt))

    async def _attempt(self, claimed: Claimed) -> Settled:
        """Sends a message once, and records what came of it."""
        began = self._timer()
        attempt = await self._sender.send(claimed, self._clock())
        seconds = self._timer() - began
        self._metrics.webhook_attempt(attempt.failure or "delivered", seconds)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CLAIM_S
        while True:
            try:
                settled = await self._settle(claimed, attempt, soon=seconds < SOON_S)
                break
            except StoreUnavailable as error:
                if loop.time() > deadline:
                    return "stale"
                await self._pause(error)
        if settled == "disabled":
            self._metrics.webhook_disabled()
            self._log.info("a webhook was disabled", webhook=claimed.webhook, failure=attempt.failure)
        return settled

    async def _settle(self, claimed: Claimed, attempt: Attempt, *, soon: bool) -> Settled:
        now = self._clock()
        retry_after_s = min(attempt.retry_after_s, LONGEST_RETRY_AFTER_S)
        retry_at = None
        if claimed.attempts < len(PAUSES_S):
            pause_s = PAUSES_S[claimed.attempts] * (1 + 0.1 * self._jitter())
            retry_at = now + timedelta(seconds=max(pause_s, retry_after_s))
        return await self._webhooks.settle(
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
        """Measures what waits, and once a day forgets old receipts and pauses."""
        done = 0
        while True:
            try:
                self._metrics.webhooks_waiting(await self._webhooks.waiting())
                if done % HOUSEKEEPINGS_A_DAY == 0:
                    now = self._clock()
                    await self._webhooks.tidy(now - timedelta(days=RECEIPT_DAYS), now - timedelta(days=PAUSE_DAYS))
                done += 1
            except StoreUnavailable as error:
                await self._pause(error)
            await asyncio.sleep(HOUSEKEEPING_S)

    async def _pause(self, error: StoreUnavailable) -> None:
        """Waits for a moment during an outage, which is logged once."""
        if not self._failing:
            self._log.warning("sending webhooks interrupted", error=str(error))
        self._failing = True
        await asyncio.sleep(PAUSE_S)
