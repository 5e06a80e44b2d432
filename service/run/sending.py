"""The process that sends to webhooks, beside the one that serves: strangers choose whom it talks to, and how long.

It shares no event loop with what keeps the time of tables, projects and signs. Unless it is run apart, the process that
projects starts it with the first webhook: most services have none, and a start does not wait for it.
"""

import asyncio
from contextlib import suppress

from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers
from service.run import measurements, supervise
from service.run.stop import Stop
from service.store.database import StoreUnavailable
from service.wiring import Services

LOOK_S = 1.0
"""Seconds between two looks at whether any webhook is enabled."""


async def watch_webhooks(services: Services, stop: Stop, needed: asyncio.Event) -> None:
    """Measures whether any webhook is enabled, until `stop`; sets `needed` when one is, and at `stop`."""
    while not stop.requested.is_set():
        await stop.wait(LOOK_S)
        with suppress(StoreUnavailable):
            enabled = await services.webhooks.enabled()
            services.metrics.webhooks_enabled(enabled=enabled)
            if enabled:
                needed.set()
    needed.set()


async def send_apart(
    services: Services,
    servers: Servers,
    worker: supervise.Worker | None,
    stop: Stop,
    needed: asyncio.Event,
    log: FilteringBoundLogger,
) -> None:
    """Keeps a process running that sends to webhooks, from when it is needed until `stop`.

    It is `worker`, which measures where this process does, or else one whose measurements this process exposes with its
    own. Raises ServeError where there is no place to measure in.
    """
    await needed.wait()
    if stop.requested.is_set():
        return
    if worker is not None:
        await supervise.keep(worker, stop=stop, log=log)
        return
    with measurements.directory() as directory:
        services.metrics.join(directory)
        await supervise.keep(supervise.sender(servers, directory, 0), stop=stop, log=log)
