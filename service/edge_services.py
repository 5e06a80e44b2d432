"""Opens the services that only requests of clients need."""

import os
from contextlib import AsyncExitStack

from service.auth.bearers import Bearers
from service.compute.heavy_reads import HeavyReads
from service.compute.jobs import JobContext, Setup
from service.compute.process_pool import ProcessPool
from service.compute.slow_hashes import SlowHashes
from service.limits.quotas import Quotas, RedisQuota
from service.limits.slots import Slots
from service.live.folds import LiveFolds
from service.live.hub import Hub
from service.live.late_feeds import Feeds
from service.live.lobby_stream import LobbyStreams
from service.live.player_stream import PlayerStreams
from service.live.presence import Attendance
from service.live.relay import Relay
from service.live.table_stream import TableStreams
from service.live.targets import Targets
from service.queries.archive_search import ArchiveSearch
from service.queries.dispute_list import DisputeList
from service.queries.table_queries import TableQueries
from service.services import EdgeServices, Services, StreamServices
from service.store.database import Database
from service.store.revocations import Revocations

SEARCHES, SEARCH_S = 2, 2.0
"""The searches of the archive that run at a time, and the seconds that Postgres gives each."""


async def open_edge(stack: AsyncExitStack, services: Services, database_url: str, relay: Relay) -> EdgeServices:
    """The services of the edge over the others, until the stack is left."""
    settings, log, metrics = services.settings, services.logger, services.metrics
    # Half of the cores, shared by all processes that serve.
    processes = max(1, (os.cpu_count() or 1) // (2 * settings.workers))
    setup = Setup(database_url, settings.registry, settings.standby_url)
    pool = ProcessPool(setup, metrics, log, processes=processes)
    stack.push_async_callback(pool.close)
    live = Hub(services.log.source, services.log.tail, Slots.of(settings), metrics, log, relay)
    searching = Database(database_url, connections=SEARCHES, statement_s=SEARCH_S, custom_plans=True)
    edge = edge_over(services, live, pool, await stack.enter_async_context(searching))
    stack.push_async_callback(edge.presence.close)

    def revoked(digest: bytes | None) -> None:
        """Makes this process drop cached tokens and invitations as soon as they are revoked."""
        edge.bearers.forget(digest)
        services.players.invitations.forget(digest)

    listening = metrics.work["listening to revocations"]
    await stack.enter_async_context(Revocations(services.log.database, revoked, listening))
    return edge


def edge_over(services: Services, live: Hub, pool: ProcessPool | None, searching: Database) -> EdgeServices:
    """The services of the edge. Without `pool` long computations block the event loop; `searching` is for searches of
    the archive.
    """
    settings, reader, log, tables = services.settings, services.reader, services.log, services.tables
    heavy = HeavyReads(JobContext(log.reads, log.transparency, reader, tables.folds), pool)
    queries = TableQueries(tables.cache, tables.spectators, log.store, services.models, reader, heavy)
    presence = Attendance(tables.cache, services.logger, services.metrics, services.redis)
    feeds, folds = Feeds(live, log.reads, tables.spectators), LiveFolds(reader, tables.folds)
    return EdgeServices(
        bearers=Bearers(services.players.accounts),
        hashes=SlowHashes(),
        quotas=None if settings.rate_limit is None else Quotas(settings, RedisQuota(services.redis)),
        webhook_targets=Targets(settings.webhook_networks),
        queries=queries,
        archive=ArchiveSearch(searching, services.players.accounts, reader),
        disputes=DisputeList(log.store, reader, tables.spectators),
        heavy=heavy,
        live=live,
        presence=presence,
        streams=StreamServices(
            feeds=feeds,
            tables=TableStreams(feeds, tables.seating, queries, folds, folds.apart(), presence),
            players=PlayerStreams(live, queries, log.store, tables.cache, tables.seating, folds, folds.apart()),
            lobby=LobbyStreams(live, queries, log.store, tables.cache),
        ),
    )
