"""The services of one process, in groups; `wiring` makes them. The class of each service describes it.

Types are imported for the type checker alone: a process loads only what its role opens.
"""

from typing import TYPE_CHECKING, cast

from msgspec import Struct

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

    from domain.record.history import Reader
    from projections.connection import Client
    from projections.models import ReadModels
    from service.auth.bearers import Bearers
    from service.commands.cache import Seating, TableCache
    from service.commands.handler import CommandHandler
    from service.commands.spectators import Spectators
    from service.compute.folds import KeptFolds
    from service.compute.heavy_reads import HeavyReads
    from service.compute.slow_hashes import SlowHashes
    from service.config import Settings
    from service.limits.quotas import Quotas
    from service.live.hub import Hub
    from service.live.late_feeds import Feeds
    from service.live.lobby_stream import LobbyStreams
    from service.live.player_stream import PlayerStreams
    from service.live.presence import Attendance
    from service.live.table_stream import TableStreams
    from service.live.targets import Targets
    from service.observability.metrics import Metrics
    from service.observability.outages import OutageLog
    from service.queries.archive_search import ArchiveSearch
    from service.queries.dispute_list import DisputeList
    from service.queries.readiness import ReadinessCheck
    from service.queries.table_queries import TableQueries
    from service.store.accounts import Accounts
    from service.store.bots_alone import BotsAlone
    from service.store.client_tokens import ClientTokens
    from service.store.database import Database
    from service.store.invitations import Invitations
    from service.store.log_source import LogSource
    from service.store.reports import Reports
    from service.store.store import Store
    from service.store.tail import Tail
    from service.store.webhook_store import WebhookStore
    from service.store.writer import Writer
    from service.transparency import Transparency


class LogServices(Struct, frozen=True, kw_only=True):
    """The log in Postgres."""

    database: "Database"
    store: "Store"
    reads: "Store"
    """For a table's events up to a version that is known; of a standby if the settings name one."""
    writer: "Writer"
    tail: "Tail"
    source: "LogSource"
    transparency: "Transparency"
    readiness: "ReadinessCheck"


class PlayerServices(Struct, frozen=True, kw_only=True):
    """What is stored of players, apart from the log."""

    accounts: "Accounts"
    clients: "ClientTokens"
    invitations: "Invitations"
    reports: "Reports"
    webhooks: "WebhookStore"
    bots_alone: "BotsAlone"


class TableServices(Struct, frozen=True, kw_only=True):
    """Tables, folded from the log."""

    cache: "TableCache"
    seating: "Seating"
    spectators: "Spectators"
    commands: "CommandHandler"
    folds: "KeptFolds"


class StreamServices(Struct, frozen=True, kw_only=True):
    """Streams of events."""

    feeds: "Feeds"
    tables: "TableStreams"
    players: "PlayerStreams"
    lobby: "LobbyStreams"


class EdgeServices(Struct, frozen=True, kw_only=True):
    """What only requests of clients need."""

    bearers: "Bearers"
    hashes: "SlowHashes"
    quotas: "Quotas | None"
    """None if the settings have no rate limit."""
    webhook_targets: "Targets"
    queries: "TableQueries"
    archive: "ArchiveSearch"
    disputes: "DisputeList"
    heavy: "HeavyReads"
    live: "Hub"
    presence: "Attendance"
    streams: StreamServices


class Services(Struct, frozen=True, kw_only=True):
    """What requests, background work and commands of the terminal use."""

    settings: "Settings"
    logger: "FilteringBoundLogger"
    metrics: "Metrics"
    outages: "OutageLog"
    reader: "Reader"
    log: LogServices
    players: PlayerServices
    tables: TableServices
    redis: "Client"
    models: "ReadModels"
    edge: EdgeServices = cast("EdgeServices", None)
    """None in a role without the interface, where nothing asks for it."""
