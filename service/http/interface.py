"""What an application makes once for all requests: the documents that are the same for everybody, and decoders."""

import msgspec
from msgspec import Struct

from domain.record.history import Reader
from service.config import Settings
from service.describe.game_details import GameList, details, summary
from service.http.body import Decoders
from service.http.content_negotiation import JSON
from service.pages import File


class Interface:
    """The documents that the interface serves, encoded, and the decoders of the bodies that it takes."""

    def __init__(self, settings: Settings, reader: Reader) -> None:
        """Raises ConfigError if a document of the settings does not exist."""
        self.openapi, self.asyncapi = map(File.read, settings.documents())
        self.games = _file(GameList(tuple(map(summary, reader.games.values()))))
        self.decoders = Decoders()
        self._reader = reader
        self._details: dict[tuple[str, int], File] = {}

    def game_details(self, name: str, rules_version: int | None) -> File:
        """The details of a game under these rules, by default the newest. Raises UnknownEvent.

        They take long to encode, so each is encoded at the first request for it.
        """
        game = self._reader.game(name, rules_version)
        key = (name, game.rulebook.version)
        if key not in self._details:
            self._details[key] = _file(details(game))
        return self._details[key]


def _file(content: Struct) -> File:
    return File.of(msgspec.json.encode(content), JSON)
