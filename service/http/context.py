"""What the handlers are answered from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec
from litestar.handlers import BaseRouteHandler
from structlog.typing import FilteringBoundLogger

from domain.kernel.game import Game
from domain.record.history import Reader
from service.auth.bearers import Bearers
from service.commands.handler import Tables
from service.config import Settings
from service.http import schemas
from service.http.middleware.limit import Quota
from service.observability.metrics import Metrics
from service.pages import File
from service.queries.games import details, summary
from service.queries.tables import Models, Reads
from service.store.accounts import Accounts
from service.store.store import Store
from service.transparency import Transparency

ACTION = {"action": True}
"""The option of a handler whose body is an action of its table's game."""

SPECIFICATION = Path(__file__).parents[2] / "api-spec"
"""The committed specification. It stands beside the packages, in a checkout as in a wheel."""


class Needs(Protocol):
    """What the interface needs of the service."""

    @property
    def tables(self) -> Tables:
        """Commands, and tables as of the log's head."""

    @property
    def accounts(self) -> Accounts:
        """Players and tokens."""

    @property
    def bearers(self) -> Bearers:
        """Who presents a token; hears of revocations."""

    @property
    def models(self) -> Models | None:
        """The read models, if there are any."""

    @property
    def store(self) -> Store:
        """The log."""

    @property
    def reader(self) -> Reader:
        """Reads records."""

    @property
    def transparency(self) -> Transparency:
        """Signs checkpoints of the log, and proves what they cover."""

    @property
    def quota(self) -> Quota | None:
        """What all processes have leased of rate limits; None counts alone."""

    @property
    def log(self) -> FilteringBoundLogger:
        """Where to write lines to."""

    @property
    def metrics(self) -> Metrics:
        """What is measured."""


class Edge:
    """The services behind the handlers, and what is prepared once for all requests."""

    def __init__(self, settings: Settings, services: Needs) -> None:
        self.settings = settings
        self.tables = services.tables
        self.accounts = services.accounts
        self.bearers = services.bearers
        self.store = services.store
        self.metrics = services.metrics
        self.log = services.log
        self.reader = services.reader
        self.transparency = services.transparency
        self.games: Mapping[str, Game] = services.reader.games
        self.reads = Reads(services.tables, services.models, services.reader)
        # What does not change is encoded once; what takes long, when somebody asks for it.
        listed = schemas.Games(tuple(map(summary, self.games.values())))
        self.games_listed = msgspec.json.encode(listed)
        self.document = File.read(SPECIFICATION / "openapi.json")
        self._described: dict[tuple[str, int], bytes] = {}
        self._actions: Mapping[str, msgspec.json.Decoder[Any]] = {
            name: msgspec.json.Decoder(game.actions) for name, game in self.games.items()
        }
        self._bodies: dict[str, msgspec.json.Decoder[Any]] = {}

    def game_described(self, name: str, rules_version: int | None) -> bytes:
        """All about a game under these rules, without them the newest, as JSON. Raises UnknownEvent."""
        game = self.reader.game(name, rules_version)
        key = (name, game.rulebook.version)
        if key not in self._described:
            self._described[key] = msgspec.json.encode(details(game))
        return self._described[key]

    async def decoder(self, handler: BaseRouteHandler, table: object) -> "msgspec.json.Decoder[Any]":
        """What decodes the handler's body: its own type, or the actions of the table's game."""
        if "action" in handler.opt:
            return self._actions[(await self.reads.game(str(table))).name]
        decoder = self._bodies.get(handler.handler_id)
        if decoder is None:
            field = handler.parsed_fn_signature.parameters["data"]
            decoder = self._bodies[handler.handler_id] = msgspec.json.Decoder(field.annotation)
        return decoder
