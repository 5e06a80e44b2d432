"""The services of one process, as one value; `wiring` makes it."""

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.record.history import Reader
from projections import Projector, ReadModels
from service.auth.bearers import Bearers
from service.bots.player import BotPlayer
from service.bots.tables import BotTables
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
from service.compute.heavy_reads import HeavyReads
from service.compute.slow_hashes import SlowHashes
from service.config import Settings
from service.limits.quotas import Quotas
from service.live.deliveries import Deliveries
from service.live.hub import Hub
from service.live.late_feeds import Feeds
from service.live.lobby_stream import LobbyStreams
from service.live.outbox import Outbox
from service.live.player_stream import PlayerStreams
from service.live.presence import Attendance
from service.live.table_stream import TableStreams
from service.live.targets import Targets
from service.live.timekeeper import Timekeeper
from service.observability.metrics import Metrics
from service.queries.dispute_list import DisputeList
from service.queries.readiness import ReadinessCheck
from service.queries.table_queries import TableQueries
from service.store.accounts import Accounts
from service.store.bots_alone import BotsAlone
from service.store.database import Database
from service.store.invitations import Invitations
from service.store.reports import Reports
from service.store.store import Store
from service.store.webhook_store import WebhookStore
from service.store.writer import Writer
from service.transparency import RequestSigner, Signer, Transparency


class Services(Struct, frozen=True, kw_only=True):
    """What requests, background work and commands of the terminal use; the class of each service describes it."""

    settings: Settings
    log: FilteringBoundLogger
    metrics: Metrics

    reader: Reader
    database: Database
    store: Store
    reads: Store
    """For a table's events up to a version that is known; of a standby if the settings name one."""
    writer: Writer
    accounts: Accounts
    invitations: Invitations
    reports: Reports
    webhooks: WebhookStore
    transparency: Transparency
    models: ReadModels | None
    """None: tables are folded from the log, and lists are unavailable."""

    bearers: Bearers
    hashes: SlowHashes
    quotas: Quotas | None
    """None if the settings have no rate limit."""
    tables: TableCache
    seating: Seating
    spectators: Spectators
    commands: CommandHandler
    heavy: HeavyReads
    queries: TableQueries
    disputes: DisputeList
    readiness: ReadinessCheck
    webhook_targets: Targets

    live: Hub
    presence: Attendance
    feeds: Feeds
    table_streams: TableStreams
    player_streams: PlayerStreams
    lobby_streams: LobbyStreams

    projector: Projector
    timekeeper: Timekeeper
    bot_tables: BotTables
    bots_alone: BotsAlone
    bots: BotPlayer
    signer: Signer
    request_signer: RequestSigner
    outbox: Outbox
    deliveries: Deliveries
