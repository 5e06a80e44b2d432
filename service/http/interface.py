"""What an application makes once for all requests: the documents that are the same for everybody, and decoders."""

from functools import cached_property
from typing import Literal

import msgspec
from msgspec import Struct

from domain.record.history import Reader
from service.compute.built_documents import BuiltDocuments, NotBuilt
from service.config import Settings
from service.describe.bots import bots
from service.describe.game_details import GameList, details, summary
from service.describe.texts import english
from service.http.body import Decoders
from service.http.content_negotiation import JSON
from service.http.problems import unavailable
from service.pages import File, rendered
from service.pages.games import game_page, games_page
from service.pages.kit_files import Kits

GENERIC = "generic"
"""The name of the documents that describe any game."""


class Interface:
    """The documents that the interface serves, encoded, and the decoders of the bodies that it takes."""

    def __init__(self, settings: Settings, reader: Reader) -> None:
        """Raises ConfigError if a document of the settings does not exist."""
        self.openapi, self.asyncapi = map(File.read, settings.documents())
        self.games = _file(GameList(tuple(map(summary, reader.games.values()))))
        self.bots = _file(bots())
        self.decoders = Decoders()
        self.kits = Kits()
        self._reader = reader
        self._details: dict[tuple[str, int], File] = {}
        self._pages: dict[tuple[str, int], File] = {}
        self._built = BuiltDocuments(settings.spec_dir)
        self._by_need: dict[str, File] = {}

    async def document(self, kind: Literal["openapi", "asyncapi"], need: str) -> File:
        """The OpenAPI or AsyncAPI document for one game, or the `generic` one. Raises Problem while it is not built."""
        path = f"{kind}/{need}.json"
        if path not in self._by_need:
            try:
                self._by_need[path] = File.of(await self._built.read(path), JSON)
            except NotBuilt:
                raise unavailable("the document is not built yet") from None
        return self._by_need[path]

    def game_details(self, name: str, rules_version: int | None) -> File:
        """The details of a game under these rules, by default the newest. Raises UnknownEvent.

        They take long to encode, so each is encoded at the first request for it.
        """
        game = self._reader.game(name, rules_version)
        key = (name, game.rulebook.version)
        if key not in self._details:
            self._details[key] = _file(details(game))
        return self._details[key]

    @cached_property
    def games_page(self) -> File:
        """The page of the games offered."""
        return rendered(games_page(self._reader.games.values(), english()))

    async def game_page(self, name: str, rules_version: int | None) -> File:
        """The page of a game under these rules, by default the newest. Raises UnknownEvent.

        It is rendered once. Before the documents are built, it is rendered each time, without a recorded deal.
        """
        game = self._reader.game(name, rules_version)
        key = (name, game.rulebook.version)
        if key not in self._pages:
            newest = self._reader.games[name]
            versions = [one.rulebook.version for one in (*newest.earlier, newest)]
            try:
                played = msgspec.json.decode(await self._built.read(f"examples/{name}/record.json"))
            except NotBuilt:
                return rendered(game_page(game, versions, None, english()))
            self._pages[key] = rendered(game_page(game, versions, played, english()))
        return self._pages[key]


def _file(content: Struct) -> File:
    return File.of(msgspec.json.encode(content), JSON)
