"""Whole games played in memory, to be narrated."""

from functools import cache

import msgspec

from domain.kernel.game import Game
from domain.record.recorded import Recorded
from service.cli.replay import from_records
from service.describe.narration import Event
from tests.support.games import EVERYBODY, Live, chance, finished
from tests.support.registry import GAMES, fewest_deals

NAMES = dict(zip(EVERYBODY, ("Ada", "Berta", "Carl", "Dora"), strict=False))


def played(game: Game, **options: object) -> list[Recorded]:
    """The records of a short game whose players pick from the offers."""
    return _played(game.name, tuple(options.items()))


@cache
def _played(name: str, options: tuple[tuple[str, object], ...]) -> list[Recorded]:
    game = GAMES[name]
    tables: type[Live] = type("Table", (Live,), {"game": game})
    settled = msgspec.convert(dict(options), game.options)
    return finished(tables.started(deals=fewest_deals(game, settled), options=settled), chance("narrated")).records


def open_events(game: Game, **options: object) -> list[Event]:
    """The events of such a game, with everything open."""
    return from_records(played(game, **options))
