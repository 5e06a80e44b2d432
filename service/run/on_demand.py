"""The processes that the projecting process starts beside itself when they are first needed.

Many services have no webhooks or bots, and their start does not wait for these. What sends to webhooks stands apart,
since strangers choose its peers and their speed: it shares no event loop with the timekeeper, the projector and the
signer. What plays for bots takes all the time that nobody else needs.
"""

import asyncio
import os
from contextlib import ExitStack, suppress
from pathlib import Path

from deploy.embedded import Servers
from projections.tasks import pause, until
from service.bots.chance import LABEL, new_secret
from service.bots.tables import BotTables
from service.run import measurements, supervise
from service.services import Services
from service.store.database import StoreUnavailable
from service.transparency.keys import NoKey

LOOK_S = 1.0
"""Seconds between two looks for an enabled webhook, and for the first bot in an outage."""


class OnDemand:
    """Notices when these processes are needed, and keeps them running from then on, each until its `stop`.

    `first` is the first of their numbers, if this process is one of several that share a directory of measurements.
    Otherwise one is made, which lasts as long as the stack, and this process exposes what they measure.
    """

    def __init__(self, services: Services, servers: Servers, first: int | None, stack: ExitStack) -> None:
        self._services = services
        self._servers = servers
        self._first = first
        self._stack = stack
        self._measurements: Path | None = None
        self._webhooks = asyncio.Event()
        self._bots = asyncio.Event()

    async def watch_webhooks(self, stop: asyncio.Event) -> None:
        """Measures whether any webhook is enabled, and notices the first."""
        while not stop.is_set():
            await pause(stop, LOOK_S)
            with suppress(StoreUnavailable):
                enabled = await self._services.players.webhooks.enabled()
                self._services.metrics.webhooks.enabled.set(enabled)
                if enabled:
                    self._webhooks.set()

    async def watch_bots(self, stop: asyncio.Event) -> None:
        """Notices the first bot that was seated at a table that is not over."""
        while not (stop.is_set() or self._bots.is_set()):
            try:
                await until(stop, self._first_bot())
            except StoreUnavailable:
                await pause(stop, LOOK_S)
        await stop.wait()

    async def _first_bot(self) -> None:
        await BotTables(self._services.log.store, self._services.log.tail).first()
        self._services.metrics.bots.needed.set(True)
        self._bots.set()

    async def send(self, stop: asyncio.Event) -> None:
        """Keeps a process running that sends to webhooks. Raises ServeError if it has nowhere to measure."""
        await until(stop, self._webhooks.wait())
        if not stop.is_set():
            sender = supervise.sender(self._servers, self._directory(), self._first or 0)
            await supervise.keep(sender, stop, self._services.logger)

    async def play(self, stop: asyncio.Event) -> None:
        """Keeps the processes running that play for bots. Raises ServeError if they have nowhere to measure."""
        await until(stop, self._bots.wait())
        if not stop.is_set():
            number, first = self._services.settings.processes_for_bots, (self._first or 0) + 1
            players = supervise.players(self._servers, self._directory(), first, number, self._secret())
            await asyncio.gather(*(supervise.keep(player, stop, self._services.logger) for player in players))

    def _directory(self) -> Path:
        """Where these processes measure. Raises ServeError if no directory can be made."""
        if self._measurements is None and self._first is None:
            self._measurements = self._stack.enter_context(measurements.directory())
            self._services.metrics.join(self._measurements)
        return self._measurements or Path(os.environ[measurements.VARIABLE])

    def _secret(self) -> bytes:
        """The secret of the bots' chance: that of the settings, or one that follows from the signing key."""
        if self._services.settings.bot_secret is not None:
            return self._services.settings.bot_secret
        try:
            return self._services.log.transparency.derived(LABEL)
        except NoKey:
            return new_secret()
