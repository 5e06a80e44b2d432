"""The schemas of the document: those of the games, and those of the bodies of requests and responses.

The handlers' types leave open what depends on a game: actions, views, rows of tables. This module completes them.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from domain.kernel.game import Game
from domain.kernel.rulebook import SERVED
from domain.kernel.table_view import TableView
from domain.seats import Level
from service.auth.scopes import ClientScope, Scope
from service.describe.game_schemas import game_components, row_components, table_components
from service.describe.json_schema import Schema, any_of, one_of, pascal, record, ref, some, with_named_values
from service.describe.type_schemas import CARD, components_of
from service.http.operation import declared_operations
from service.http.problems import KINDS, Fault, ProblemDocument
from service.http.schemas import TableRequest
from service.live.notices import KINDS as NOTICES
from service.spec.frame_schemas import frame_components, held_types, of_any_type

COMPONENTS = "#/components/schemas/"

RENAMED = {
    "AddedToken": "NewToken",
    "DisputeRequest": "Disputing",
    "GameList": "Games",
    "OfferedAct": "Offer",
    "OwnToken": "Token",
    "OwnWebhook": "Webhook",
    "ProblemDocument": "Problem",
    "PublicPlayer": "Player",
    "PublishedDispute": "Dispute",
    "RangeStep": "Step",
    "TableView": "View",
}
"""Names of components by the names of their types, if the component's name means something else in the code."""


NAMED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "Scope": (get_args(Scope), "What a player's own token may be used for."),
    "ClientScope": (get_args(ClientScope), "What a client that acts for a player may do."),
    "NoticeKind": (NOTICES, "What a player is told."),
    "BotLevel": (get_args(Level), "How well a bot plays."),
}
"""Values that several bodies contain: the component's name, the values, and a description."""

OPEN: Mapping[str, tuple[Schema, str]] = {
    "Document": ({}, "A document in the form that its own specification defines."),
    "JsonSchema": ({}, "A self-contained JSON Schema (2020-12)."),
    "OfGame": ({}, "An object of a game's own: `schemas` of `GET /v1/games/{game}` describes it."),
    "Meanings": ({"type": "string"}, "What fields mean, by name; or what values are called, by value."),
}
"""Objects with any members: the component's name, the schema of the values, and a description."""

OBJECT: Schema = {"type": "object", "additionalProperties": True}
"""An object with any members."""

ACTION: Schema = {
    "description": "An action of a seat: its type, and the fields of an offer of that type.",
    "type": "object",
    "properties": {"type": {"type": "string", "description": "The action's type, which its offer has."}},
    "required": ["type"],
    "additionalProperties": True,
}


def all_components(handlers: Sequence[HTTPRouteHandler], games: Sequence[Game]) -> dict[str, Schema]:
    """The schemas of the games, and those of the bodies of requests and responses, by name."""
    types = [kind for kind in (*body_types(handlers), *held_types()) if kind is not TableView]
    sent = [kind for kind in types if kind.__struct_config__.forbid_unknown_fields]
    received = [kind for kind in types if kind not in sent]
    components = components_of([*received, *sent, ProblemDocument, Fault], RENAMED, (*sent, ProblemDocument, Fault))
    components |= table_components(games)
    for game in games:
        components |= game_components(game)
    if len(games) == 1:
        components["Card"] = components["Card"] | {"enum": list(games[0].pack)}
    titles = [pascal(game.name) for game in games]
    components["Event"] = any_of(
        "An event of a table or of its game.", ["TableEvent", *(f"{title}Event" for title in titles)]
    )
    actions = [f"{title}Action" for title in titles]
    components["Action"] = (
        components[actions[0]] if len(actions) == 1 else any_of("An action of a seat, of its table's game.", actions)
    )
    components["View"] = one_of(
        "A table's view: all that its audience may know, and nothing else.",
        "game",
        {game.name: f"{title}View" for game, title in zip(games, titles, strict=True)},
    )
    components |= _read_model_components(components["LedgerLine"])
    components |= frame_components(components["TableOpenedEvent"])
    components |= {
        name: {"description": text, "type": "object", "additionalProperties": values}
        for name, (values, text) in OPEN.items()
    }
    _specialise(components, games)
    names = {tuple(sorted(values)): name for name, (values, _) in NAMED.items()}
    components = {name: with_named_values(schema, names) for name, schema in components.items()}
    components |= {
        name: {"description": text, "type": "string", "enum": list(values)} for name, (values, text) in NAMED.items()
    }
    return {name: _with_named_alternatives(schema) for name, schema in components.items()}


def generic_components(handlers: Sequence[HTTPRouteHandler], game: Game) -> dict[str, Schema]:
    """The schemas of the bodies of requests and responses, without anything of a game's own.

    They describe any game; the given one only provides what all games share.
    """
    components = all_components(handlers, [game])
    own = components_of([TableView, TableRequest], RENAMED, [TableRequest])
    event = record(
        "An event of a table or of its game.", of_any_type(components["TableOpenedEvent"]), optional=["more"]
    )
    rows: Schema = {"type": "array", "items": OBJECT}
    return components | {
        "Action": ACTION,
        "Card": CARD,
        "Event": event,
        "GameDetails": completed(
            components["GameDetails"],
            dict.fromkeys(SERVED, rows) | {"tables": {"type": "object", "additionalProperties": rows}},
        ),
        "LobbyEvent": event | {"description": "An event that changes a list of tables."},
        "TableRequest": completed(own["TableRequest"], {"options": {"anyOf": [OBJECT, {"type": "null"}]}}),
        "SeatView": own["SeatView"] | {"additionalProperties": True},
        "View": completed(own["View"], {"options": OBJECT}) | {"additionalProperties": True},
    }


def _with_named_alternatives(schema: Schema) -> Schema:
    """The schema with titles for nullable enumerations; generated clients name their types after them."""
    if "properties" not in schema:
        return schema
    properties = {
        key: part
        if "anyOf" not in part
        else part | {"anyOf": [one | {"title": pascal(key)} if "enum" in one else one for one in part["anyOf"]]}
        for key, part in schema["properties"].items()
    }
    return schema | {"properties": properties}


def body_types(handlers: Sequence[HTTPRouteHandler]) -> list[type[Struct]]:
    """The types of all bodies of requests and responses, and the types in them, each once."""
    types: dict[type[Struct], None] = {}

    def add(kind: Any) -> None:
        if isinstance(kind, type) and issubclass(kind, Struct):
            if kind not in types:
                types[kind] = None
                for field in get_type_hints(kind, include_extras=True).values():
                    add(field)
        else:
            for part in get_args(kind):
                add(part)

    for declared in declared_operations(handlers):
        add(declared.body)
        add(declared.hints["return"])
    return list(types)


def _specialise(components: dict[str, Schema], games: Sequence[Game]) -> None:
    """Completes the schemas of bodies that the handlers' types leave open in part."""

    def put(name: str, **properties: Schema) -> None:
        components[name] = completed(components[name], properties)

    rows = [(table, name) for game in games for table, name in row_components(game).items()]

    def each(tables: Collection[str]) -> Schema:
        names = [name for table, name in rows if table in tables]
        # Programs that make clients want a type of items even where there are none.
        return (
            {"type": "array", "items": some(names)}
            if names
            else {"type": "array", "items": ref("Document"), "maxItems": 0}
        )

    components |= _requests(components["TableRequest"], games)
    put("Acted", events=_list("Event"))
    put("Events", items=_list("Event"))
    put("Step", event=ref("Event"), view=ref("View"))
    put("RecordLedger", lines=_list("BookedLine"))
    put("RecordStep", event=ref("Document"), view={"anyOf": [ref("View"), {"type": "null"}]})
    put("Offers", offers=_list("Offer"))
    put("Ledger", lines=_list("BookedLine"))
    put("ScoreRequest", facts=ref("OfGame"), options={"anyOf": [ref("OfGame"), {"type": "null"}]})
    put("JudgeRequest", options={"anyOf": [ref("OfGame"), {"type": "null"}]})
    put("GivenDeal", acts=_list("OfGame"))
    put("JudgedEvent", public=ref("OfGame"), sealed=ref("OfGame"))
    put("SeatOffers", offers=_list("Offer"))
    put("DealFacts", facts=ref("OfGame"), options=ref("OfGame"))
    put("FoundDeal", options=ref("OfGame"))
    put("ScoredDeal", fields=ref("OfGame"))
    put("DisputeDetails", lines=_list("BookedLine") | {"description": "The disputed lines, as the ledger has them."})
    put("Statement", items=_list("StatementLine"))
    put("Player", record={"anyOf": [ref("PlayerRecord"), {"type": "null"}]})
    put("GameDetails", **{table: each({table}) for table in SERVED})
    put("GameDetails", tables=_by_name(each({table for table, _ in rows}.difference(SERVED))))
    put("GameDetails", options=ref("JsonSchema"), schemas=_by_name(ref("JsonSchema")))
    put("GameWords", terms=_by_name(ref("Meanings")), promises=_by_name(ref("Meanings")))
    put("FieldMeanings", options=ref("Meanings"), view=ref("Meanings"))
    put("FieldMeanings", **{of: _by_name(ref("Meanings")) for of in ("acts", "events")})
    put("NewToken", scopes=_list("Scope"))
    for name in ("Token", "OwnProfile"):
        put(name, scopes={"type": "array", "items": {"anyOf": [ref("Scope"), ref("ClientScope")]}})
    put("TableSnapshot", view=ref("View"), offers=_list("Offer"))
    put("Notice", view=ref("View"))
    put("LobbySnapshot", tables=_list("TableSummary"))
    put("Problem", offers=_list("Offer"), code={"type": "string", "enum": list(KINDS)})
    put("Problem", errors=_list("Fault"))
    for name in ("Problem", "Fault"):
        for key, schema in components[name]["properties"].items():
            # A member that does not apply is left out, never null.
            components[name]["properties"][key] = without_null(schema)


def completed(schema: Schema, properties: Mapping[str, Schema]) -> Schema:
    """The object's schema with these schemas of some of its properties, which keep their descriptions."""
    own = schema["properties"]
    described = {
        name: {"description": own[name]["description"]} | part if "description" in own[name] else part
        for name, part in properties.items()
    }
    return schema | {"properties": own | described}


def _requests(request: Schema, games: Sequence[Game]) -> dict[str, Schema]:
    """The requests to open a table, one for each game, since options differ by game."""
    made: dict[str, Schema] = {}
    for game in games:
        properties = request["properties"] | {
            "game": {"description": "The game's name.", "type": "string", "const": game.name},
            "options": {
                "description": "The options to set; the others keep the game's defaults.",
                "anyOf": [ref(f"{pascal(game.name)}Options"), {"type": "null"}],
            },
        }
        made[f"{pascal(game.name)}TableRequest"] = request | {
            "description": f"A table of {game.title} to open: the number of deals (by default its own) and options.",
            "properties": properties,
        }
    if len(games) == 1:
        return {"TableRequest": made.popitem()[1]}
    named = {game.name: f"{pascal(game.name)}TableRequest" for game in games}
    return made | {"TableRequest": one_of("A table to open, by its game.", "game", named)}


def _list(name: str) -> Schema:
    return {"type": "array", "items": ref(name)}


def _by_name(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _read_model_components(line: Schema) -> dict[str, Schema]:
    """The schemas of the read models' JSON: booked lines, statement lines and players' records."""
    integer: Schema = {"type": "integer", "minimum": 1}
    where: Schema = {
        "version": integer | {"description": "The version of the event that booked the line."},
        "line": {
            "type": "integer",
            "minimum": 0,
            "description": "The line's number among that event's lines, from 0.",
        },
        "deal": {
            "description": "The deal of the line, or of the line that it reverses; null outside deals.",
            "anyOf": [integer, {"type": "null"}],
        },
    }
    which: Schema = {
        "table": {"type": "string", "format": "uuid", "description": "The table's id."},
        "game": {"type": "string", "description": "The table's game."},
        "at": {"type": "string", "format": "date-time", "description": "When the line was booked."},
        "bots": {
            "type": "boolean",
            "description": "Whether bots took part as players, so that the line counts in no balance, no record and no "
            "leaderboard.",
        },
        "balance": {"type": "integer", "description": "The player's balance in the game after the line."},
        "sentence": {
            "type": "string",
            "description": "The line in the game's words, with players by their names and cards by their signs; the "
            "`text` where no sentence fits.",
        },
    }
    count: dict[str, Schema] = {
        "games": {"type": "integer", "minimum": 0, "description": "The number of finished games."},
        "wins": {"type": "integer", "minimum": 0, "description": "The number of games won, shared wins included."},
    }
    return {
        "BookedLine": record("A ledger line with the event that booked it.", line["properties"] | where),
        "StatementLine": record(
            "A ledger line with the table that booked it and the balance after it.", line["properties"] | where | which
        ),
        "PlayerRecord": record(
            "A player's record.",
            {
                **count,
                "by_game": _list("GameRecord")
                | {"description": "The record in each game. Each game has its own unit, so totals are not added up."},
            },
        ),
        "GameRecord": record(
            "A player's record in one game.",
            {
                "game": {"type": "string", "description": "The game's name."},
                "total": {"type": "integer", "description": "The sum of all booked lines."},
                **count,
            },
        ),
    }


def component_of(name: str) -> Schema:
    """A reference to the component of the type of this name."""
    return ref(RENAMED.get(name, name))


def without_null(schema: Schema) -> Schema:
    """The schema without the alternative null."""
    for union in ("oneOf", "anyOf"):
        if union in schema:
            others = [option for option in schema[union] if option != {"type": "null"}]
            rest = {key: value for key, value in schema.items() if key != union}
            return others[0] | rest if len(others) == 1 else rest | {union: others}
    single = dict(schema)
    if isinstance(single.get("type"), list):
        (single["type"],) = (kind for kind in single["type"] if kind != "null")
        single["enum"] = [value for value in single["enum"] if value is not None]
    return single
