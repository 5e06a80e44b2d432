"""Assembles the services of one process."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol, TypeVar

import structlog
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from projections import Projector, ReadModels, connect
from service.auth.bearers import Bearers
from service.commands.cache import TableCache
from service.commands.handler import CommandHandler
from service.compute.jobs import Setup
from service.compute.process_pool import ProcessPool
from service.config import Settings, load_registry
from service.http.context import InterfaceServices
from service.limits.quotas import RedisQuota
from service.limits.slots import Slots
from service.live.deliveries import SLOTS, SLOW_SLOTS, Deliveries
from service.live.hub import Hub
from service.live.outbox import Outbox
from service.live.presence import Attendance
from service.live.relay import Relay
from service.live.sender import Sender
from service.live.targets import Resolver, Targets
from service.live.timekeeper import Timekeeper
from service.observability.metrics import Metrics
from service.observability.outages import OutageLog
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.invitations import Invitations
from service.store.log_source import LogSource
from service.store.recent import Recent
from service.store.revocations import Revocations
from service.store.store import Store
from service.store.tail import Tail
from service.store.webhook_store import WebhookStore
from service.store.writer import Writer
from service.transparency import Keyring, RequestSigner, Signer, Transparency

PROJECTOR_TIMEOUT_S = 10.0
"""Seconds that one batch may take in Redis; reads wait far less."""


WEBHOOK_CONNECTIONS = 4
"""Connections to Postgres for webhooks: many attempts may end at once, and must not use those that requests need."""


class Closable(Protocol):
    """Something that is closed at the end."""

    async def close(self) -> None:
        """Releases what it holds."""


C = TypeVar("C", bound=Closable)


class Services(InterfaceServices):
    """The services of one process: those behind the interface, and background work."""

    database: Database
    writer: Writer
    models: ReadModels
    projector: Projector
    outbox: Outbox
    deliveries: Deliveries
    timekeeper: Timekeeper
    signer: Signer
    request_signer: RequestSigner


@asynccontextmanager
async def open_services(
    settings: Settings, database_url: str, redis_url: str, metrics: Metrics | None = None
) -> AsyncIterator[Services]:
    """The services over these servers, which may be away now or later. Must be opened in the event loop that uses them.

    On leaving, waiting commands are written and all connections closed. Raises ConfigError if the settings' registry
    does not exist.
    """
    log: FilteringBoundLogger = structlog.get_logger()
    metrics = metrics or Metrics()
    reader = Reader(load_registry(settings.registry))
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(Database(database_url, watch=OutageLog(metrics, log)))
        store = Store(database)
        accounts, invitations = Accounts(database), Invitations(database)
        bearers = Bearers(accounts)
        await stack.enter_async_context(_revocations(database, bearers, invitations))
        tail = await stack.enter_async_context(Tail(database))
        recent = Recent()
        source = LogSource(store, tail, recent)
        # Messages between processes do not wait behind reads, and listening has no timeout.
        relay = _closed(stack, Relay(connect(redis_url, connections=1), connect(redis_url, connections=1), log))
        live = Hub(source, tail, Slots.of(settings), metrics, log, relayed=relay)
        # In this order: what the log's followers read is there when they wake.
        told = (recent.add, tail.appended, live.appended, relay.pass_on)
        writer = _closed(stack, Writer(store, measured=metrics.appended, told=told))
        # A batch of a thousand events takes longer than a read may, so the projector has its own connections.
        reading = await stack.enter_async_context(connect(redis_url))
        projecting = await stack.enter_async_context(connect(redis_url, timeout_s=PROJECTOR_TIMEOUT_S, connections=8))
        pool = _closed(stack, _pool(settings, database_url, metrics, log))
        transparency = Transparency(database, _keyring(settings))
        tables = TableCache(store, reader)
        presence = _closed(stack, Attendance(tables, log, metrics, reading))
        apart = await stack.enter_async_context(Database(database_url, connections=WEBHOOK_CONNECTIONS))
        deliveries, outbox = _webhooks(settings, apart, reader, tail, metrics, log)
        commands = CommandHandler(store, writer, reader, tables, log)
        yield Services(
            database=database,
            writer=writer,
            store=store,
            accounts=accounts,
            webhooks=WebhookStore(database),
            outbox=outbox,
            deliveries=deliveries,
            invitations=invitations,
            timekeeper=Timekeeper(store, source, reader, tables, commands, metrics, log),
            tables=tables,
            commands=commands,
            bearers=bearers,
            models=ReadModels(reading, source, reader.games),
            projector=Projector(source, reader, projecting, log, watch=metrics),
            reader=reader,
            pool=pool,
            quota=RedisQuota(reading),
            log=log,
            live=live,
            presence=presence,
            metrics=metrics,
            transparency=transparency,
            signer=Signer(transparency, tail, metrics, log),
            request_signer=RequestSigner(database, transparency, log),
        )


def _closed(stack: AsyncExitStack, opened: C) -> C:
    """Closes it when the stack is left; returns it."""
    stack.push_async_callback(opened.close)
    return opened


def _revocations(database: Database, bearers: Bearers, invitations: Invitations) -> Revocations:
    """Makes this process drop cached tokens and invitations as soon as they are revoked."""

    def revoked(digest: bytes | None) -> None:
        bearers.forget(digest)
        invitations.forget(digest)

    return Revocations(database, revoked)


def _webhooks(
    settings: Settings, database: Database, reader: Reader, tail: Tail, metrics: Metrics, log: FilteringBoundLogger
) -> tuple[Deliveries, Outbox]:
    """The sender of webhooks' messages, and the outbox that makes them from the log."""
    webhooks, resolver = WebhookStore(database), Resolver(Targets(settings.webhook_networks), SLOTS + 4 * SLOW_SLOTS)
    deliveries = Deliveries(webhooks, Sender(resolver), metrics, log, clock=_clock)
    outbox = Outbox(webhooks, Store(database), reader, tail, metrics, log, clock=_clock, queued=deliveries.wake)
    return deliveries, outbox


def _clock() -> datetime:
    return datetime.now(UTC)


def _keyring(settings: Settings) -> Keyring | None:
    """The signing key; None in a process that requests signatures from another."""
    return None if settings.role in ("api", "webhooks") else Keyring(settings.signing_key, settings.data_dir, make=True)


def _pool(settings: Settings, database_url: str, metrics: Metrics, log: FilteringBoundLogger) -> ProcessPool:
    """The processes for this process's computations: half of the cores, shared by all processes that serve."""
    processes = max(1, (os.cpu_count() or 1) // (2 * settings.workers))
    return ProcessPool(Setup(database_url, settings.registry), metrics, log, processes=processes)
