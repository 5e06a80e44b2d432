"""The process that sends to webhooks, apart from the one that serves: strangers choose its peers and their speed.

It shares no event loop with the timekeeper, the projector and the signer. Unless it is run separately, the projecting
process starts it for the first webhook: most services have none, and their start does not wait for it.
"""

import asyncio
from contextlib import suppress

from structlog.typing import FilteringBoundLogger

from service.run import supervise
from service.run.beside import Beside
from service.run.stop import Stop
from service.services import Services
from service.store.database import StoreUnavailable

LOOK_S = 1.0
"""Seconds between two checks whether any webhook is enabled."""


async def watch_webhooks(services: Services, stop: Stop, needed: asyncio.Event) -> None:
    """Measures until `stop` whether any webhook is enabled; sets `needed` when one is, and at `stop`."""
    try:
        while not stop.requested.is_set():
            await stop.wait(LOOK_S)
            with suppress(StoreUnavailable):
                enabled = await services.webhooks.enabled()
                services.metrics.webhooks.enabled(enabled=enabled)
                if enabled:
                    needed.set()
    finally:
        needed.set()


async def send_apart(beside: Beside, stop: Stop, needed: asyncio.Event, log: FilteringBoundLogger) -> None:
    """Keeps a process running that sends to webhooks, from when it is needed until `stop`.

    Raises ServeError if it has nowhere to measure.
    """
    await needed.wait()
    if not stop.requested.is_set():
        place = beside.place()
        await supervise.keep(supervise.sender(place.servers, place.measurements, place.first), stop=stop, log=log)
