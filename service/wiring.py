"""Assembles the services of one process, as far as its role opens them."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
from msgspec.structs import replace
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from domain.record.recorded import Recorded
from projections.connection import Client, connect, connect_node, is_cluster
from projections.models import ReadModels
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
from service.compute.folds import KeptFolds
from service.config import Settings, load_registry
from service.live.relay import Relay
from service.observability.metrics import Metrics
from service.observability.outages import OutageLog
from service.queries.readiness import ReadinessCheck
from service.roles import ROLES
from service.services import LogServices, PlayerServices, Services, TableServices
from service.store.accounts import Accounts
from service.store.bots_alone import BotsAlone
from service.store.client_tokens import ClientTokens
from service.store.database import Database
from service.store.invitations import Invitations
from service.store.log_source import LogSource, Recent
from service.store.reports import Reports
from service.store.standby import open_reads
from service.store.store import Store
from service.store.tail import Tail
from service.store.webhook_store import WebhookStore
from service.store.writer import Writer
from service.transparency import Keyring, Transparency


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
        outages = OutageLog(metrics, log)
        opening = Database(database_url, direct=settings.database_direct_url, watch=outages)
        database = await stack.enter_async_context(opening)
        tail = await stack.enter_async_context(Tail(database, metrics.work["listening to the log"]))
        recent = Recent()
        # Messages between processes do not wait behind reads, and listening has no timeout.
        passing, listening = (connect_node(redis_url, connections=1) for _ in range(2))
        relay = Relay(passing, listening, log, counted=not is_cluster(redis_url))
        stack.push_async_callback(relay.close)
        # In this order: what the log's followers read is there when they wake.
        told: list[Callable[[Sequence[Recorded]], None]] = [recent.add, tail.appended, relay.pass_on]
        writer = Writer(Store(database), measured=metrics.appended, told=told)
        stack.push_async_callback(writer.close)
        services = assembled(
            settings,
            reader,
            metrics,
            outages,
            log,
            database=database,
            reads=await stack.enter_async_context(open_reads(database, settings.standby_url)),
            tail=tail,
            source=LogSource(Store(database), tail, recent),
            writer=writer,
            redis=await stack.enter_async_context(connect(redis_url)),
        )
        if "interface" in ROLES[settings.role].opens:
            # Imported late: a process that answers nobody starts sooner without, and needs less memory.
            from service.edge_services import open_edge

            edge = await open_edge(stack, services, database_url, relay)
            told.append(edge.live.appended)
            services = replace(services, edge=edge)
        yield services


def assembled(
    settings: Settings,
    reader: Reader,
    metrics: Metrics,
    outages: OutageLog,
    log: FilteringBoundLogger,
    *,
    database: Database,
    reads: Store,
    tail: Tail,
    source: LogSource,
    writer: Writer,
    redis: Client,
) -> Services:
    """The services over what was opened, without the edge's. `reads` reads earlier events, perhaps of a standby."""
    store = Store(database)
    transparency = Transparency(database, _keyring(settings))
    models = ReadModels(redis, source, reader.games)
    cache = TableCache(store, reader)
    seating = Seating(cache)
    spectators = Spectators(cache, seating, store, reader)
    return Services(
        settings=settings,
        logger=log,
        metrics=metrics,
        outages=outages,
        reader=reader,
        log=LogServices(
            database=database,
            store=store,
            reads=reads,
            writer=writer,
            tail=tail,
            source=source,
            transparency=transparency,
            readiness=ReadinessCheck(store, models, transparency, metrics.work.halted),
        ),
        players=PlayerServices(
            accounts=Accounts(database),
            clients=ClientTokens(database),
            invitations=Invitations(database),
            reports=Reports(database),
            webhooks=WebhookStore(database),
            bots_alone=BotsAlone(database),
        ),
        tables=TableServices(
            cache=cache,
            seating=seating,
            spectators=spectators,
            commands=CommandHandler(store, writer, reader, cache, spectators, log),
            folds=KeptFolds(reads, reader),
        ),
        redis=redis,
        models=models,
    )


def _keyring(settings: Settings) -> Keyring | None:
    """The signing key; None in a process that requests signatures from another."""
    if "signing key" not in ROLES[settings.role].opens:
        return None
    return Keyring(settings.signing_key, settings.data_dir, make=True)
