"""Assembles the services of one process."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol, TypeVar

import structlog
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from projections import Projector, ReadModels, connect
from projections.connection import Client, connect_node, is_cluster
from service.auth.bearers import Bearers
from service.bots.members import Members
from service.bots.player import BotPlayer
from service.bots.tables import BotTables
from service.bots.thinking import Thinking
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
from service.compute.folds import KeptFolds
from service.compute.heavy_reads import HeavyReads
from service.compute.jobs import JobContext, Setup
from service.compute.process_pool import ProcessPool
from service.compute.slow_hashes import SlowHashes
from service.config import Settings, load_registry
from service.limits.quotas import Quotas, RedisQuota
from service.limits.slots import Slots
from service.live.deliveries import SLOTS, SLOW_SLOTS, Deliveries
from service.live.folds import LiveFolds
from service.live.hub import Hub
from service.live.late_feeds import Feeds
from service.live.lobby_stream import LobbyStreams
from service.live.outbox import Outbox
from service.live.player_stream import PlayerStreams
from service.live.presence import Attendance
from service.live.relay import Relay
from service.live.sender import Sender
from service.live.table_stream import TableStreams
from service.live.targets import Resolver, Targets
from service.live.timekeeper import Timekeeper
from service.observability.metrics import Metrics
from service.observability.outages import OutageLog
from service.queries.dispute_list import DisputeList
from service.queries.readiness import ReadinessCheck
from service.queries.table_queries import TableQueries
from service.services import Services
from service.store.accounts import Accounts
from service.store.bots_alone import BotsAlone
from service.store.database import Database
from service.store.invitations import Invitations
from service.store.log_source import LogSource
from service.store.outbox_store import OutboxStore
from service.store.recent import Recent
from service.store.reports import Reports
from service.store.revocations import Revocations
from service.store.standby import open_reads
from service.store.store import Store
from service.store.tail import Tail
from service.store.webhook_store import WebhookStore
from service.store.writer import Writer
from service.transparency import Keyring, RequestSigner, Signer, Transparency

PROJECTOR_TIMEOUT_S = 10.0
"""Seconds that one batch may take in Redis; reads wait far less."""


WEBHOOK_CONNECTIONS = 4
"""Connections to Postgres for webhooks: many attempts may end at once, and must not use those that requests need."""


BOT_SECRET_BYTES = 32
"""The length of the bots' secret, where none is set."""


class Closable(Protocol):
    """Something that is closed at the end."""

    async def close(self) -> None:
        """Releases what it holds."""


C = TypeVar("C", bound=Closable)


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
        opening = Database(database_url, direct=settings.database_direct_url, watch=OutageLog(metrics, log))
        database = await stack.enter_async_context(opening)
        tail = await stack.enter_async_context(Tail(database, metrics.work["listening to the log"]))
        recent = Recent()
        source = LogSource(Store(database), tail, recent)
        # Messages between processes do not wait behind reads, and listening has no timeout.
        passing, listening = (connect_node(redis_url, connections=1) for _ in range(2))
        relay = _closed(stack, Relay(passing, listening, log, counted=not is_cluster(redis_url)))
        live = Hub(source, tail, Slots.of(settings), metrics, log, relayed=relay)
        # In this order: what the log's followers read is there when they wake.
        told = (recent.add, tail.appended, live.appended, relay.pass_on)
        writer = _closed(stack, Writer(Store(database), measured=metrics.appended, told=told))
        # A batch of a thousand events takes longer than a read may, so the projector has its own connections.
        reading: Client = await stack.enter_async_context(connect(redis_url))
        projecting: Client = await stack.enter_async_context(
            connect(redis_url, timeout_s=PROJECTOR_TIMEOUT_S, connections=8)
        )
        services = assembled(
            settings,
            reader,
            metrics,
            log,
            database=database,
            reads=await stack.enter_async_context(open_reads(database, settings.standby_url)),
            webhook_database=await stack.enter_async_context(Database(database_url, connections=WEBHOOK_CONNECTIONS)),
            tail=tail,
            source=source,
            writer=writer,
            live=live,
            redis=reading,
            projector_redis=projecting,
            pool=_closed(stack, _pool(settings, database_url, metrics, log)),
        )
        _closed(stack, services.presence)
        await stack.enter_async_context(_revocations(services))
        yield services


def assembled(
    settings: Settings,
    reader: Reader,
    metrics: Metrics,
    log: FilteringBoundLogger,
    *,
    database: Database,
    reads: Store,
    webhook_database: Database,
    tail: Tail,
    source: LogSource,
    writer: Writer,
    live: Hub,
    redis: Client | None,
    projector_redis: Client,
    pool: ProcessPool | None,
) -> Services:
    """The services over what was opened. Without `redis` this process knows of no other, and its tables are folded
    from the log; without `pool` long computations block the event loop. `reads` reads earlier events, perhaps of a
    standby.
    """
    store, accounts = Store(database), Accounts(database)
    transparency = Transparency(database, _keyring(settings))
    models = None if redis is None else ReadModels(redis, source, reader.games)
    leases = None if redis is None else RedisQuota(redis)
    tables = TableCache(store, reader)
    seating = Seating(tables)
    spectators = Spectators(tables, seating, store, reader)
    commands = CommandHandler(store, writer, reader, tables, spectators, log)
    folds = KeptFolds(reads, reader)
    heavy = HeavyReads(JobContext(reads, transparency, reader, folds), pool)
    queries = TableQueries(tables, spectators, store, models, reader, heavy)
    presence = Attendance(tables, log, metrics, redis)
    feeds, live_folds = Feeds(live, reads, spectators), LiveFolds(reader, folds)
    bot_tables = BotTables(store, tail)
    bots = BotPlayer(
        *(store, source, reader, commands, bot_tables),
        Members(redis, log),
        Thinking(settings.bot_secret or secrets.token_bytes(BOT_SECRET_BYTES)),
        metrics,
        log,
        pause_ms=settings.bot_pause_ms,
    )
    deliveries, outbox = _webhooks(settings, webhook_database, reader, tail, metrics, log)
    return Services(
        settings=settings,
        log=log,
        metrics=metrics,
        reader=reader,
        database=database,
        store=store,
        reads=reads,
        writer=writer,
        accounts=accounts,
        invitations=Invitations(database),
        reports=Reports(database),
        webhooks=WebhookStore(database),
        transparency=transparency,
        models=models,
        bearers=Bearers(accounts),
        hashes=SlowHashes(),
        quotas=None if settings.rate_limit is None else Quotas(settings, leases),
        tables=tables,
        seating=seating,
        spectators=spectators,
        commands=commands,
        heavy=heavy,
        queries=queries,
        disputes=DisputeList(store, reader, spectators),
        readiness=ReadinessCheck(store, models, transparency, metrics.work.halted),
        webhook_targets=Targets(settings.webhook_networks),
        live=live,
        presence=presence,
        feeds=feeds,
        table_streams=TableStreams(feeds, seating, queries, live_folds, presence),
        player_streams=PlayerStreams(live, queries, store, tables, seating, live_folds),
        lobby_streams=LobbyStreams(live, queries, store, tables),
        projector=Projector(source, reader, projector_redis, log, watch=metrics.projector),
        timekeeper=Timekeeper(store, source, reader, tables, commands, metrics, log),
        bot_tables=bot_tables,
        bots_alone=BotsAlone(database),
        bots=bots,
        signer=Signer(transparency, tail, metrics, log),
        request_signer=RequestSigner(database, transparency, metrics, log),
        outbox=outbox,
        deliveries=deliveries,
    )


def _closed(stack: AsyncExitStack, opened: C) -> C:
    """Closes it when the stack is left; returns it."""
    stack.push_async_callback(opened.close)
    return opened


def _revocations(services: Services) -> Revocations:
    """Makes this process drop cached tokens and invitations as soon as they are revoked."""

    def revoked(digest: bytes | None) -> None:
        services.bearers.forget(digest)
        services.invitations.forget(digest)

    return Revocations(services.database, revoked, services.metrics.work["listening to revocations"])


def _webhooks(
    settings: Settings, database: Database, reader: Reader, tail: Tail, metrics: Metrics, log: FilteringBoundLogger
) -> tuple[Deliveries, Outbox]:
    """The sender of webhooks' messages, and the outbox that makes them from the log."""
    stored, resolver = OutboxStore(database), Resolver(Targets(settings.webhook_networks), SLOTS + 4 * SLOW_SLOTS)
    deliveries = Deliveries(stored, Sender(resolver), metrics, log, clock=_clock)
    outbox = Outbox(stored, Store(database), reader, tail, metrics, log, clock=_clock, queued=deliveries.wake)
    return deliveries, outbox


def _clock() -> datetime:
    return datetime.now(UTC)


def _keyring(settings: Settings) -> Keyring | None:
    """The signing key; None in a process that requests signatures from another."""
    if settings.role in ("api", "webhooks", "bots"):
        return None
    return Keyring(settings.signing_key, settings.data_dir, make=True)


def _pool(settings: Settings, database_url: str, metrics: Metrics, log: FilteringBoundLogger) -> ProcessPool:
    """The processes for this process's computations: half of the cores, shared by all processes that serve."""
    processes = max(1, (os.cpu_count() or 1) // (2 * settings.workers))
    return ProcessPool(Setup(database_url, settings.registry, settings.standby_url), metrics, log, processes=processes)
