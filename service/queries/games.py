"""Games as they are described to clients."""

from typing import Any

import msgspec

from domain.kernel.game import Game
from service.http import schemas
from service.queries.game_schemas import game_schemas


def details(game: Game) -> schemas.GameDetails:
    """Everything about a game."""
    described = game_schemas(game)
    tables: dict[str, Any] = {name: msgspec.to_builtins(rows) for name, rows in game.rulebook.tables.items()}
    return schemas.GameDetails(
        **msgspec.structs.asdict(summary(game)),
        options=described["options"],
        contracts=tuple(tables.get("contracts", ())),
        bonuses=tuple(tables.get("bonuses", ())),
        outcomes=tuple(tables.get("outcomes", ())),
        rules=game.rulebook.rules,
        schemas=described,
    )


def summary(game: Game) -> schemas.GameSummary:
    """What a list says of a game."""
    return schemas.GameSummary(
        game.name,
        game.title,
        game.seats(game.options()),
        game.default_deals,
        game.unit,
        game.rulebook.version,
        game.rulebook.digest(),
    )
