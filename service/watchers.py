"""Opens what works by itself in a process, as `roles` names it.

Imported late in each function: a process loads only what its role names.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

from projections.connection import connect
from projections.runner import Projector
from service.config import RoleName
from service.services import Services

Work: TypeAlias = Callable[[asyncio.Event], Awaitable[None]]
"""Background work, which ends when the event is set."""

PROJECTOR_TIMEOUT_S = 10.0
"""Seconds that one batch may take in Redis; reads wait far less."""

WEBHOOK_CONNECTIONS = 4
"""Connections to Postgres for webhooks: many attempts may end at once, and must not use those that requests need."""


@asynccontextmanager
async def open_projector(services: Services, redis_url: str) -> AsyncIterator[Projector]:
    """What keeps the read models, within the context."""
    # A batch of a thousand events takes longer than a read may, so the projector has its own connections.
    async with connect(redis_url, timeout_s=PROJECTOR_TIMEOUT_S, connections=8) as redis:
        watch = services.metrics.projector
        yield Projector(services.log.source, services.reader, redis, services.logger, watch=watch)


async def open_watchers(
    stack: AsyncExitStack, services: Services, database_url: str, redis_url: str
) -> Mapping[str, Work]:
    """The work of the role's watchers by their names, to be run until the stack is left."""
    opener = OPENERS.get(services.settings.role)
    return {} if opener is None else await opener(stack, services, database_url, redis_url)


async def _projecting(
    stack: AsyncExitStack, services: Services, _database_url: str, redis_url: str
) -> Mapping[str, Work]:
    from service.audit import ContinuousAudit
    from service.live.archivist import Archivist
    from service.live.name_looks import NameLooks
    from service.live.timekeeper import Timekeeper
    from service.store.archive_store import ArchiveStore
    from service.transparency.signer import RequestSigner, Signer

    projector = await stack.enter_async_context(open_projector(services, redis_url))
    log, tables, reader = services.log, services.tables, services.reader
    observed = services.metrics, services.logger
    timekeeper = Timekeeper(log.store, log.source, reader, tables.cache, tables.commands, *observed)
    return {
        "projector": projector.run,
        "archivist": Archivist(ArchiveStore(log.database), log.source, reader, *observed).run,
        "looks of names": NameLooks(services.players.accounts, *observed).run,
        "signer": Signer(log.transparency, log.tail, *observed).run,
        "signer of requests": RequestSigner(log.database, log.transparency, *observed).run,
        "audit": ContinuousAudit(log.store, log.source, reader, services.models, log.transparency, *observed).run,
        "timekeeper": timekeeper.run,
    }


async def _sending(stack: AsyncExitStack, services: Services, database_url: str, _redis_url: str) -> Mapping[str, Work]:
    from service.live.deliveries import SLOTS, SLOW_SLOTS, Deliveries
    from service.live.outbox import Outbox
    from service.live.sender import Sender
    from service.live.targets import Resolver, Targets
    from service.store.database import Database
    from service.store.outbox_store import OutboxStore
    from service.store.store import Store

    opening = Database(database_url, connections=WEBHOOK_CONNECTIONS, watch=services.outages)
    database = await stack.enter_async_context(opening)
    observed = services.metrics, services.logger
    stored = OutboxStore(database)
    resolver = Resolver(Targets(services.settings.webhook_networks), SLOTS + 4 * SLOW_SLOTS)
    clock = partial(datetime.now, UTC)
    deliveries = Deliveries(stored, Sender(resolver), *observed, clock=clock)
    read = Store(database), services.reader, services.log.tail
    outbox = Outbox(stored, *read, *observed, clock=clock, queued=deliveries.wake)
    return {"webhook outbox": outbox.run, "webhook sender": deliveries.run}


async def _playing(_stack: AsyncExitStack, services: Services, *_urls: str) -> Mapping[str, Work]:
    from service.bots.chance import new_secret
    from service.bots.members import Members
    from service.bots.player import BotPlayer
    from service.bots.tables import BotTables
    from service.bots.thinking import Thinking

    log, settings = services.log, services.settings
    player = BotPlayer(
        log.store,
        log.source,
        services.reader,
        services.tables.commands,
        BotTables(log.store, log.tail),
        Members(services.redis, services.logger),
        Thinking(settings.bot_secret or new_secret()),
        services.metrics,
        services.logger,
        pause_ms=settings.bot_pause_ms,
    )
    return {"player of bots": player.run}


OPENERS: Mapping[RoleName, Callable[[AsyncExitStack, Services, str, str], Awaitable[Mapping[str, Work]]]] = {
    "all": _projecting,
    "projector": _projecting,
    "webhooks": _sending,
    "bots": _playing,
}
