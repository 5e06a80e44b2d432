"""The services and prepared values from which operations are answered."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from domain.kernel.game import Game
from domain.record.history import Reader
from projections import ReadModels
from service.auth.bearers import Bearers
from service.commands.cache import TableCache
from service.commands.handler import CommandHandler
from service.compute.folds import KeptFolds
from service.compute.heavy_reads import HeavyReads
from service.compute.jobs import JobContext
from service.compute.process_pool import ProcessPool
from service.config import Settings
from service.describe.game_details import GameList, details, summary
from service.http.body import Decoders
from service.http.content_negotiation import JSON
from service.limits.quotas import RedisQuota
from service.live.folds import LiveFolds
from service.live.hub import Hub
from service.live.lobby_stream import LobbyStreams
from service.live.player_stream import PlayerStreams
from service.live.presence import Attendance
from service.live.spectators import Feeds
from service.live.table_stream import TableStreams
from service.live.targets import Targets
from service.observability.metrics import Metrics
from service.pages import File
from service.queries.readiness import ReadinessCheck
from service.queries.table_queries import TableQueries
from service.store.accounts import Accounts
from service.store.invitations import Invitations
from service.store.store import Store
from service.store.webhook_store import WebhookStore
from service.transparency import Transparency


class InterfaceServices(Struct):
    """The services behind the interface; the class of each describes it."""

    store: Store
    accounts: Accounts
    webhooks: WebhookStore
    invitations: Invitations
    tables: TableCache
    commands: CommandHandler
    bearers: Bearers
    reader: Reader
    transparency: Transparency
    live: Hub
    presence: Attendance
    metrics: Metrics
    log: FilteringBoundLogger
    models: ReadModels | None
    """None: tables are folded from the log, and lists are unavailable."""
    pool: ProcessPool | None
    """Runs long computations; if None, they block the event loop."""
    quota: RedisQuota | None
    """Leases of rate limits; if None, each process counts alone."""


class ServiceContext:
    """The services behind the operations, and values prepared once for all requests."""

    def __init__(self, settings: Settings, services: InterfaceServices) -> None:
        self.settings = settings
        self.tables = services.tables
        self.commands = services.commands
        self.accounts = services.accounts
        self.webhooks = services.webhooks
        self.webhook_targets = Targets(settings.webhook_networks)
        self.invitations = services.invitations
        self.bearers = services.bearers
        self.store = services.store
        self.live = services.live
        self.presence = services.presence
        self.metrics = services.metrics
        self.log = services.log
        self.reader = services.reader
        self.transparency = services.transparency
        self.games: Mapping[str, Game] = services.reader.games
        folds = KeptFolds(services.store, services.reader)
        self.heavy = HeavyReads(
            JobContext(services.store, services.transparency, services.reader, folds), services.pool
        )
        self.queries = TableQueries(services.tables, services.store, services.models, services.reader, self.heavy)
        live_folds = LiveFolds(self.reader, folds)
        self.feeds = Feeds(self.live, self.store, self.tables)
        self.table_streams = TableStreams(self.feeds, self.queries, live_folds, self.presence)
        self.player_streams = PlayerStreams(self.live, self.queries, self.store, self.tables, live_folds)
        self.lobby_streams = LobbyStreams(self.live, self.queries, self.store, self.tables)
        self.readiness = ReadinessCheck(services.store, services.models, services.transparency)
        # Constant responses are encoded once; those that take long, at the first request for them.
        self.games_listed = _file(GameList(tuple(map(summary, self.games.values()))))
        self.openapi, self.asyncapi = map(File.read, settings.documents())
        self._game_details: dict[tuple[str, int], File] = {}
        self.decoders = Decoders()

    def game_details(self, name: str, rules_version: int | None) -> File:
        """The details of a game under these rules, by default the newest. Raises UnknownEvent."""
        game = self.reader.game(name, rules_version)
        key = (name, game.rulebook.version)
        if key not in self._game_details:
            self._game_details[key] = _file(details(game))
        return self._game_details[key]


def _file(content: Struct) -> File:
    return File.of(msgspec.json.encode(content), JSON)
