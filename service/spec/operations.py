"""The operations of the document: their parameters, bodies, and answers with headers, problems and links."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.http.problems import KINDS, MEDIA_TYPE
from service.queries.game_schemas import Schema, ref
from service.spec import problems
from service.spec.components import reference, without_null
from service.spec.examples import CURSOR, KEY, TOKEN_ID, Bodies
from service.spec.links import links
from service.spec.sample import DAY, PLAYERS, TABLE

JSON = "application/json"
CSV = "text/csv"
TEXT: Schema = {"type": "string"}
"""What is sent line by line."""

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


def mended_operation(path: str, generated: Mapping[str, Any], shown_bodies: Bodies) -> Schema:
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
        schema = ref("Action") if name == "act" else reference(content["schema"])
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
    schema: Schema = {key: _number(value) for key, value in without_null(generated["schema"]).items()}
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
    if name == "exportTable":
        answer["headers"]["ETag"] = {"$ref": "#/components/headers/ExportETag"}
    content = {
        media_type: {"schema": reference(body["schema"]) if "$ref" in body["schema"] else body["schema"] or TEXT}
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
    "ExportETag": _header(
        "Another one for each file: at one version of the table, others can open more, and the log's head moves on.",
        '"31-0f1e2d3c4b5a69788796a5b4c3d2e1f0"',
        pattern='^"[1-9][0-9]*-[0-9a-f]{32}"$',
    ),
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
}
