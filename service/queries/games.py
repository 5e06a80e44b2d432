"""The games offered, as clients read them."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.kernel.game import Game
from domain.kernel.rules import Rule
from service.queries.game_schemas import game_schemas
from service.queries.values import Json


class GameSummary(Struct, frozen=True):
    """A game that is offered, in short."""

    game: str
    title: str
    seats: int
    default_deals: int
    unit: str
    rules_version: int
    rules_digest: str


class GameList(Struct, frozen=True):
    """The games that are offered."""

    items: tuple[GameSummary, ...]


class GameDetails(GameSummary, frozen=True):
    """All that a client needs to know of a game: its tables of data, its numbered rules and its schemas."""

    options: Annotated[Json, Meta(description="The JSON Schema of the options.")]
    contracts: tuple[Json, ...]
    bonuses: tuple[Json, ...]
    outcomes: tuple[Json, ...]
    rules: tuple[Rule, ...]
    schemas: dict[str, Json]
    """JSON Schemas (2020-12) of options, actions, offers, view, events and ledger lines, each complete in itself."""


def details(game: Game) -> GameDetails:
    """All about a game under the rules that it holds."""
    schemas = game_schemas(game)
    tables: dict[str, Any] = {name: msgspec.to_builtins(rows) for name, rows in game.rulebook.tables.items()}
    return GameDetails(
        **msgspec.structs.asdict(summary(game)),
        options=schemas["options"],
        contracts=tuple(tables.get("contracts", ())),
        bonuses=tuple(tables.get("bonuses", ())),
        outcomes=tuple(tables.get("outcomes", ())),
        rules=game.rulebook.rules,
        schemas=schemas,
    )


def summary(game: Game) -> GameSummary:
    """The game in short."""
    return GameSummary(
        game.name,
        game.title,
        game.seats(game.options()),
        game.default_deals,
        game.unit,
        game.rulebook.version,
        game.rulebook.digest(),
    )
