"""The processes that play for bots, apart from the one that serves: they take all the time that nobody else needs.

Unless they are run separately, the projecting process starts them for the first bot: many services have none, and
their start does not wait for them.
"""

import asyncio
import os
import secrets
import sys

from structlog.typing import FilteringBoundLogger

from service.bots.chance import LABEL
from service.live.working import until
from service.run import supervise
from service.run.beside import Beside
from service.run.stop import Stop
from service.services import Services
from service.store.database import StoreUnavailable
from service.transparency.keys import SECRET_BYTES, NoKey

LOOK_S = 1.0
"""Seconds between attempts to look for the first bot during an outage."""

NICENESS = 19
"""The niceness of these processes, which makes them the least urgent to the kernel."""


SWITCH_S = 0.0001
"""Seconds after which a thread that thinks gives way to an act; else an act waits fifty times as long for an answer."""


async def watch_bots(services: Services, stop: Stop, needed: asyncio.Event) -> None:
    """Sets `needed` when a bot was seated at a table that is not over, and at `stop`."""
    try:
        await until(stop.requested, _look(services, needed))
    finally:
        needed.set()


async def _look(services: Services, needed: asyncio.Event) -> None:
    while not needed.is_set():
        try:
            await services.bot_tables.first()
        except StoreUnavailable:
            await asyncio.sleep(LOOK_S)
        else:
            services.metrics.bots.needed(needed=True)
            needed.set()
    await asyncio.Event().wait()


async def play_apart(
    services: Services, beside: Beside, stop: Stop, needed: asyncio.Event, log: FilteringBoundLogger
) -> None:
    """Keeps the processes running that play for bots, from when they are needed until `stop`.

    Raises ServeError if they have nowhere to measure.
    """
    await needed.wait()
    if stop.requested.is_set():
        return
    place, secret = beside.place(), _secret(services)
    players = supervise.players(
        place.servers, place.measurements, place.first + 1, services.settings.processes_for_bots, secret
    )
    await asyncio.gather(*(supervise.keep(player, stop=stop, log=log) for player in players))


def _secret(services: Services) -> bytes:
    """The secret of the bots' chance: that of the settings, or one that follows from the signing key."""
    if services.settings.bot_secret is not None:
        return services.settings.bot_secret
    try:
        return services.transparency.derived(LABEL)
    except NoKey:
        return secrets.token_bytes(SECRET_BYTES)


def be_least_urgent() -> None:
    """Makes this process the least urgent one to the kernel, and what thinks in it less urgent than acts."""
    os.nice(NICENESS)
    sys.setswitchinterval(SWITCH_S)
