"""The OpenAPI document: what Litestar generates from the handlers, mended and completed.

Litestar knows paths, parameters and types. It does not know what msgspec types forbid, what tells members of a
union apart, what a body or an answer depends on at run time (an action on its table's game, a view on its game),
problem documents, headers, links and examples.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from litestar import Litestar
from litestar.openapi import OpenAPIConfig
from litestar.types import ControllerRouterHandler

from domain.kernel.decider import Game
from domain.kernel.seats import PUBLIC
from service import schemas as bodies
from service.errors import KINDS, MEDIA_TYPE, Fault, ProblemDocument
from service.openapi import problems
from service.openapi.examples import CURSOR, KEY, TOKEN_ID, answers, harvest, requests
from service.openapi.links import links
from service.openapi.sample import DAY, PLAYERS, TABLE, happened, plain, plays, shown
from service.openapi.schemas import (
    Schema,
    any_of,
    game_components,
    one_of,
    pascal,
    reachable,
    record,
    ref,
    relocated,
    row_components,
    some,
    struct_components,
    table_components,
)

COMPONENTS = "#/components/schemas/"
JSON = "application/json"
CSV = "text/csv"
TEXT: Schema = {"type": "string"}
"""What is sent line by line."""

DESCRIPTION = """\
Card games of the ombre family, played over HTTP. Every act is an immutable event; views, ledgers and replays are \
folds of the events that their audience was told.

To play: register (`POST /v1/players`) and keep the token; open a table or find one; sit down; the game starts when \
all seats are taken. Then ask for your offers (`GET …/offers`), pick one, and send it as your action \
(`POST …/actions`). Every combination that an offer describes is accepted and everything else is refused, so a \
client needs to know no rules.

Send the token as `Authorization: Bearer …`. Reading public things needs none. Errors are problem documents \
(RFC 9457); `code` tells them apart. What belongs to a table carries its version as `ETag`."""

TAGS = {
    "Players": "Registering, profiles, records.",
    "Tokens": "One's own tokens.",
    "Games": "The games offered, their rules and schemas.",
    "Tables": "Opening, finding and joining tables.",
    "Play": "Offers and actions.",
    "Record": "Events, and tables as they were.",
    "Ledgers": "Booked lines and totals.",
    "Disputes": "Disputed lines, and what arbiters rule.",
    "Log": "Signed heads of the whole log, and proofs under them.",
    "Operations": "For whoever runs the service.",
    "Specification": "This document.",
}

RENAMED = {
    "Opening": "TableRequest",
    "Seating": "SeatRequest",
    "LineAt": "DisputedLine",
    "ProblemDocument": "Problem",
}
"""Types whose names say enough where they are defined only, or are taken by what games are made of."""

GIVEN = {"TableView": "View"}
"""Types in whose place the interface has unions over the games."""

EXAMPLES: Mapping[str, Any] = {
    "table": TABLE,
    "player": PLAYERS[0],
    "token": TOKEN_ID,
    "id": [PLAYERS[0]],
    "game": "crocodile",
    "version": 12,
    "deal": 1,
    "dispute": 1,
    "position": 1,
    "size": 1,
    "first": 1,
    "second": 2,
    "min_version": 1,
    "rules_version": 1,
    "status": "open",
    "cursor": CURSOR,
    "limit": 50,
    "after": 0,
    "from": 1,
    "to": 10,
    "as": "me",
    "since": f"{DAY}T00:00:00Z",
    "until": f"{DAY}T23:59:59Z",
    "If-Match": '"31"',
    "If-None-Match": '"31"',
    "Idempotency-Key": KEY,
}
"""Examples of parameters."""


_TAGS = r'^(\*|"[0-9]+"(, ?"[0-9]+")*)$'
SHAPES: Mapping[str, Schema] = {
    "If-Match": {"pattern": _TAGS},
    "If-None-Match": {"pattern": _TAGS},
    "Idempotency-Key": {"pattern": "^[ -~]+$", "minLength": 1, "maxLength": 255},
    "since": {"format": "date-time"},
    "until": {"format": "date-time"},
}
"""What handlers check of parameters by themselves, so that their types do not say it."""


def document(handlers: Sequence[ControllerRouterHandler], games: Sequence[Game], version: str) -> dict[str, Any]:
    """The document of these routes and games."""
    config = OpenAPIConfig(title="codille", version=version)
    generated = Litestar(handlers, openapi_config=config).openapi_schema.to_schema()
    components = _components(generated, games)
    shown_bodies = _Bodies(games)
    paths = {
        path: {method: _operation(path, operation, shown_bodies) for method, operation in sorted(methods.items())}
        for path, methods in sorted(generated["paths"].items())
    }
    _add_examples(components, paths, shown_bodies)
    used = sorted(reachable(paths, components))
    mended: dict[str, Any] = relocated(
        {
            "openapi": "3.1.0",
            "info": {"title": "codille", "version": version, "summary": "Card games of the ombre family"}
            | {"description": DESCRIPTION},
            "servers": [{"url": "/", "description": "Where this document is served."}],
            "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
            "paths": paths,
            "components": {
                "schemas": {name: components[name] for name in used},
                "headers": HEADERS,
                "securitySchemes": {
                    "bearer": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "A token of a player, from registering or from `POST /v1/tokens`.",
                    }
                },
            },
        },
        COMPONENTS,
    )
    return mended


DIFFERENT = frozenset({"openTable", "act", "getGame", "getTable", "getOffers"})
"""The operations whose bodies are shown for each game. Of the others those of the first game say enough."""


class _Bodies:
    """Examples of bodies, by operation and name."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.games = games
        self.happened = {game.name: happened(game) for game in games}
        self.requests: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        for game in games:
            played = shown(game)
            for operation, named in requests(game, played, self.happened[game.name]).items():
                self._add(self.requests, operation, game, named)
            for operation, body in answers(game, played).items():
                self._add(self.answers, operation, game, {game.title: body})

    def _add(self, found: dict[str, dict[str, Any]], operation: str, game: Game, named: Mapping[str, Any]) -> None:
        own = found.setdefault(operation, {})
        for name, body in named.items():
            if game is self.games[0] or (operation in DIFFERENT and body not in own.values()):
                own[f"{name}, {game.title}" if name in own else name] = body


def _components(generated: Mapping[str, Any], games: Sequence[Game]) -> dict[str, Schema]:
    """All schemas: those of the games, and those of the bodies of requests and answers."""
    types = [vars(bodies)[name] for name in generated["components"]["schemas"] if name in vars(bodies)]
    sent = [kind for kind in types if issubclass(kind, bodies.Request)]
    received = [kind for kind in types if kind not in sent]
    components = struct_components(received, sent=(*sent, ProblemDocument, Fault), renamed=RENAMED)
    components |= table_components(games)
    for game in games:
        components |= game_components(game)
    titles = [pascal(game.name) for game in games]
    components["Event"] = any_of(
        "An event of a table's life or of its game.", ["TableEvent", *(f"{title}Event" for title in titles)]
    )
    components["Action"] = any_of(
        "What a seat may ask for: one of its table's game.", [f"{title}Action" for title in titles]
    )
    components["View"] = one_of(
        "A table as far as an audience may know it: all that the audience was told, and nothing else.",
        "game",
        {game.name: f"{title}View" for game, title in zip(games, titles, strict=True)},
    )
    components |= _books(components["LedgerLine"])
    _specialise(components, games)
    return components


def _specialise(components: dict[str, Schema], games: Sequence[Game]) -> None:
    """Says in the schemas of bodies what the types of the handlers leave open."""

    def put(name: str, **properties: Schema) -> None:
        for key, schema in properties.items():
            described = components[name]["properties"][key].get("description")
            components[name]["properties"][key] = ({"description": described} if described else {}) | schema

    def each(rows: str) -> Schema:
        names = [found for game in games if (found := row_components(game).get(rows))]
        return {"type": "array", "items": some(names)}

    components |= _requests(components["TableRequest"], games)
    put("Acted", events=_list("Event"))
    put("Events", items=_list("Event"))
    put("Step", event=ref("Event"), view=ref("View"))
    put("Offers", offers=_list("Offer"))
    put("Ledger", lines=_list("BookedLine"))
    put("Statement", items=_list("StatementLine"))
    put("Player", record={"anyOf": [ref("PlayerRecord"), {"type": "null"}]})
    put("GameDetails", **{rows: each(rows) for rows in ("contracts", "bonuses", "outcomes")})
    put("Problem", offers=_list("Offer"), code={"type": "string", "enum": list(KINDS)})
    put("Problem", errors=_list("Fault"))
    for name in ("Problem", "Fault"):
        for key, schema in components[name]["properties"].items():
            # What does not apply is left out, never null.
            components[name]["properties"][key] = _without_null(schema)


def _requests(request: Schema, games: Sequence[Game]) -> dict[str, Schema]:
    """Tables to open: each game has options of its own."""
    made: dict[str, Schema] = {}
    for game in games:
        properties = request["properties"] | {
            "game": {"description": "The game's name.", "type": "string", "const": game.name},
            "options": {
                "description": "The options to settle; the others are as the game has them.",
                "anyOf": [ref(f"{pascal(game.name)}Options"), {"type": "null"}],
            },
        }
        made[f"{pascal(game.name)}TableRequest"] = request | {
            "description": f"A table of {game.title} to open: the number of deals (without it its own), options.",
            "properties": properties,
        }
    named = {game.name: f"{pascal(game.name)}TableRequest" for game in games}
    return made | {"TableRequest": one_of("A table to open, by its game.", "game", named)}


def _list(name: str) -> Schema:
    return {"type": "array", "items": ref(name)}


def _books(line: Schema) -> dict[str, Schema]:
    """Ledger lines as the ledgers show them."""
    integer: Schema = {"type": "integer", "minimum": 1}
    where: Schema = {
        "version": integer | {"description": "The version of the event that booked the line."},
        "deal": {
            "description": "The deal that the line belongs to; null outside deals.",
            "anyOf": [integer, {"type": "null"}],
        },
    }
    which: Schema = {
        "table": {"type": "string", "format": "uuid", "description": "The table's id."},
        "game": {"type": "string", "description": "The table's game."},
        "at": {"type": "string", "format": "date-time", "description": "When the line was booked."},
        "balance": {"type": "integer", "description": "The player's balance in this game after the line."},
    }
    count: dict[str, Schema] = {
        "games": {"type": "integer", "minimum": 0, "description": "Games finished."},
        "wins": {"type": "integer", "minimum": 0, "description": "Games won, shared wins included."},
    }
    return {
        "BookedLine": record("A ledger line, and the event that booked it.", line["properties"] | where),
        "StatementLine": record(
            "A ledger line, where it was booked, and the balance after it.", line["properties"] | where | which
        ),
        "PlayerRecord": record(
            "What a player has played.",
            {
                **count,
                "by_game": {
                    "type": "array",
                    "items": record(
                        "What a player has played of one game.",
                        {
                            "game": {"type": "string", "description": "The game's name."},
                            "total": {"type": "integer", "description": "The sum of all booked lines."},
                            **count,
                        },
                    ),
                    "description": "Game by game. Totals are in each game's own unit, so nothing adds them up.",
                },
            },
        ),
    }


def _operation(path: str, generated: Mapping[str, Any], shown_bodies: _Bodies) -> Schema:
    """The operation, mended."""
    name = generated["operationId"]
    operation: Schema = {
        "operationId": name,
        "tags": generated["tags"],
        "summary": generated["summary"],
        "description": generated["description"],
        "security": generated.get("security") or ([{}, {"bearer": []}] if path.startswith("/v1") else []),
    }
    if parameters := generated.get("parameters"):
        operation["parameters"] = [_parameter(parameter) for parameter in parameters]
    if "requestBody" in generated:
        (content,) = generated["requestBody"]["content"].values()
        schema = ref("Action") if name == "act" else _reference(content["schema"])
        examples = {key: {"value": value} for key, value in shown_bodies.requests[name].items()}
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema, "examples": examples}},
        }
    operation["responses"] = dict(_answers(path, generated, operation, shown_bodies.answers.get(name, {})))
    return operation


def _parameter(generated: Mapping[str, Any]) -> Schema:
    """A parameter; one that may be left out is not null when it is there."""
    name = generated["name"]
    schema: Schema = {key: _number(value) for key, value in _without_null(generated["schema"]).items()}
    description = schema.pop("description", None) or generated.get("description", "")
    if name in SHAPES:
        schema = {"type": "string"} | SHAPES[name]
    if generated["in"] == "path" and schema.get("type") == "integer":
        schema |= {"minimum": 1, "maximum": 2**31 - 1}
    return {
        "name": name,
        "in": generated["in"],
        "description": description,
        "required": generated["required"],
        "schema": schema,
        "example": EXAMPLES[name],
    }


def _number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _without_null(schema: Schema) -> Schema:
    """The schema of the value where there is one."""
    for union in ("oneOf", "anyOf"):
        if union in schema:
            others = [option for option in schema[union] if option != {"type": "null"}]
            rest = {key: value for key, value in schema.items() if key != union}
            return others[0] | rest if len(others) == 1 else rest | {union: others}
    found = dict(schema)
    if isinstance(found.get("type"), list):
        (found["type"],) = (kind for kind in found["type"] if kind != "null")
        found["enum"] = [value for value in found["enum"] if value is not None]
    return found


def _reference(schema: Mapping[str, Any]) -> Schema:
    """The component that a generated schema refers to."""
    name = schema["$ref"].removeprefix(COMPONENTS)
    return ref(GIVEN.get(name, RENAMED.get(name, name)))


def _answers(
    path: str, generated: Mapping[str, Any], operation: Schema, shown_bodies: Mapping[str, Any]
) -> Iterator[tuple[str, Schema]]:
    """All answers by status, problem documents included."""
    codes: dict[int, list[str]] = {}
    for code in problems.codes(operation, path):
        codes.setdefault(KINDS[code].status, []).append(code)
    for status, answer in sorted(generated["responses"].items()):
        if int(status) < 400:
            yield status, _success(path, int(status), answer, operation, shown_bodies)
            if "If-None-Match" in _parameters(operation):
                headers = _headers(path, "ETag", "Vary")
                yield "304", {"description": "The table is still at this version.", "headers": headers}
        elif own := codes.pop(int(status), None):
            yield status, _problem(path, int(status), answer["description"], own)
    if codes:
        raise LookupError(f"{operation['operationId']} does not declare that it may answer {codes}")


def _success(
    path: str, status: int, generated: Mapping[str, Any], operation: Schema, shown_bodies: Mapping[str, Any]
) -> Schema:
    name = operation["operationId"]
    own = [
        *(["Location"] if status == 201 else []),
        *(["ETag"] if path.startswith("/v1/tables/") or name == "openTable" else []),
        *(["Vary"] if path.startswith("/v1") else []),
        *(["Idempotency-Replayed"] if "Idempotency-Key" in _parameters(operation) else []),
        *(["Link"] if name == "getPlayerLedger" else []),
    ]
    answer: Schema = {"description": _MEANING.get(name, "Done."), "headers": _headers(path, *own)}
    content = {
        media_type: {"schema": _reference(body["schema"]) if "$ref" in body["schema"] else body["schema"] or TEXT}
        | _shown(shown_bodies)
        for media_type, body in generated.get("content", {}).items()
    }
    if name == "getPlayerLedger":
        content[CSV] = {"schema": {"type": "string", "description": "A header and a row for every line."}} | {
            "example": CSV_EXAMPLE
        }
    if content:
        answer["content"] = content
    if following := links(name):
        answer["links"] = following
    return answer


def _shown(named: Mapping[str, Any]) -> Schema:
    """The examples of a body: by name, where there are several."""
    if len(named) == 1:
        return {"example": next(iter(named.values()))}
    return {"examples": {name: {"value": body} for name, body in named.items()}} if named else {}


def _problem(path: str, status: int, description: str, codes: Sequence[str]) -> Schema:
    headers = {401: ("WWW-Authenticate",), 415: ("Accept",), 429: ("Retry-After",), 503: ("Retry-After",)}
    listed = ", ".join(f"`{code}`" for code in codes)
    return {
        "description": f"{description} Codes: {listed}.",
        "headers": _headers(path, *headers.get(status, ())),
        "content": {
            MEDIA_TYPE: {
                "schema": ref("Problem"),
                "examples": {code: {"summary": KINDS[code].title, "value": problems.example(code)} for code in codes},
            }
        },
    }


def _parameters(operation: Schema) -> set[str]:
    return {parameter["name"] for parameter in operation.get("parameters", ())}


def _headers(path: str, *names: str) -> Schema:
    everywhere = ("RateLimit", "RateLimit-Policy") if path.startswith("/v1") else ()
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*names, *everywhere, "X-Request-Id")}


def _header(description: str, example: str, **limits: str) -> Schema:
    return {"description": description, "schema": {"type": "string"} | limits, "example": example}


HEADERS: Schema = {
    "Accept": _header("The media type that a body must have.", JSON),
    "ETag": _header("The table's version, as an entity tag.", '"31"', pattern='^"[1-9][0-9]*"$'),
    "Idempotency-Replayed": _header("The request was handled before; this is its first answer.", "true"),
    "Link": _header("Of CSV: the next page.", f'</v1/players/{PLAYERS[0]}/ledger?cursor={CURSOR}>; rel="next"'),
    "Location": _header("Where the new thing is.", f"/v1/tables/{TABLE}"),
    "RateLimit": _header("Requests that remain, and the seconds until they are more.", '"minute";r=59999;t=42'),
    "RateLimit-Policy": _header("Requests a minute.", '"minute";q=60000;w=60'),
    "Retry-After": _header("Seconds to wait before coming again.", "1", pattern="^[0-9]+$"),
    "Vary": _header("The answer depends on these headers.", "Authorization"),
    "WWW-Authenticate": _header("How to authenticate.", 'Bearer realm="codille"'),
    "X-Request-Id": _header("The request's id, as in the log; a client may give its own.", TABLE),
}

CSV_EXAMPLE = (
    "at,game,table,deal,version,account,with,seat,amount,balance,kind,rule,text,events\r\n"
    f"{DAY}T10:05:57.250000Z,crocodile,{TABLE},1,51,player:{PLAYERS[0]},player:{PLAYERS[1]},0,3,3,contract,CR-9.2,"
    '"Tournee, victory: +1 × 3",12 50\r\n'
)

_MEANING = {
    "registerPlayer": "The player is registered.",
    "erasePlayer": "The profile is erased.",
    "getPlayer": "The profile.",
    "getPlayers": "The profiles.",
    "getPlayerLedger": "A page of lines, newest first.",
    "listTokens": "A page of tokens.",
    "getToken": "The token.",
    "addToken": "The token is valid.",
    "revokeToken": "The token is revoked.",
    "listGames": "The games.",
    "getGame": "The game.",
    "openTable": "The table is open.",
    "listTables": "A page of tables, newest first.",
    "getTable": "The view.",
    "closeTable": "The table is closed.",
    "takeSeat": "The seat is taken.",
    "leaveSeat": "The seat is free.",
    "getOffers": "The offers.",
    "act": "The action was taken, and its events are durable.",
    "listEvents": "A page of events.",
    "getReplay": "The view at that version.",
    "getReplayRange": "The steps.",
    "getTableLedger": "The ledger.",
    "getLeaderboard": "A page of players.",
    "getLiveness": "The process is alive.",
    "getReadiness": "The process can serve.",
    "getMetrics": "The measurements.",
    "getOpenApi": "This document.",
}


def _add_examples(components: dict[str, Schema], paths: Mapping[str, Schema], shown_bodies: _Bodies) -> None:
    """Gives every component an example: the first part of all bodies that it describes."""
    found: dict[str, Any] = {}
    for game in shown_bodies.games:
        title = pascal(game.name)
        happened = shown_bodies.happened[game.name]
        for event in happened.events.values():
            harvest(ref("Event"), event, components, found)
        for action in happened.actions.values():
            harvest(ref(f"{title}Action"), action, components, found)
        for offer in happened.offers.values():
            harvest(ref("Offer"), offer, components, found)
        for table, name in row_components(game).items():
            harvest(ref(name), plain(game.rulebook.tables[table][0]), components, found)
    for schema, example in _examples(paths):
        harvest(schema, example, components, found)
    for game in shown_bodies.games:
        view = ref(f"{pascal(game.name)}View")
        shown_in_views = reachable(view, components)
        for played in plays(game):
            if shown_in_views <= found.keys():
                break
            for version in played.views(PUBLIC):
                harvest(view, version, components, found)
    found["Action"] = next(iter(shown_bodies.requests["act"].values()))
    for name, example in found.items():
        components[name] = components[name] | {"examples": [example]}


def _examples(part: Any) -> Iterator[tuple[Schema, Any]]:
    """All examples of bodies with their schemas."""
    match part:
        case {"schema": schema, "examples": named}:
            yield from ((schema, example["value"]) for example in named.values())
        case {"schema": schema, "example": example}:
            yield schema, example
        case dict():
            for value in part.values():
                yield from _examples(value)
        case _:
            return
