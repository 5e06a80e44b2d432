"""The operations of the document: their parameters, bodies, and responses with headers, problems and links."""

from collections.abc import Iterator, Mapping
from typing import Any

from projections.cursors import STATEMENT
from service.describe.json_schema import Schema, ref, some
from service.http.content_negotiation import JSON
from service.http.examples import CONTENT_TAG, CURSORS, PLAYERS, TABLE
from service.http.forms import SHORTEST_TIME
from service.http.operation import Operation
from service.http.parameters import HEADERS as REQUEST_HEADERS
from service.http.parameters import IF_CHANGED
from service.http.problems import KINDS
from service.spec.components import COMPONENTS, component_of, without_null
from service.spec.example_bodies import Bodies
from service.spec.frame_schemas import frames_of
from service.spec.operation_problems import REFUSAL_HEADERS, ProblemResponses, codes

OAUTH_SCHEME = "authorization_code"
"""The name of OAuth's scheme. It sorts before *bearer*: of two schemes that set the same header, clients that
openapi-generator makes send the last one's, and it has them put OAuth's token there without the word `Bearer`.
"""

TEXT: Schema = {"type": "string"}
"""The schema of bodies that are not JSON."""


def complete_operation(
    declared: Operation, generated: Mapping[str, Any], bodies: Bodies, responses: ProblemResponses
) -> Schema:
    """The operation in the document: what Litestar generates from its signature, completed from the declaration.

    Its problem documents are added to the responses that operations share.
    """
    path = declared.path
    operation: Schema = {
        "operationId": declared.id,
        "tags": [declared.tag],
        "summary": declared.summary,
        "description": declared.description,
        "security": _security(declared) if path.startswith("/v1") else [],
        "x-cost": declared.cost,
    }
    parameters = [_parameter(parameter, bodies) for parameter in generated.get("parameters", ())]
    parameters += [_request_header(declared, name) for name in declared.headers]
    if declared.open_query is not None:
        parameters.append(_open_query(declared.open_query))
    if parameters:
        operation["parameters"] = parameters
    if declared.body is not None or declared.takes is not None:
        examples = {key: {"value": value} for key, value in bodies.requests[declared.id].items()}
        if declared.takes is not None:
            schema = TEXT | {"format": "binary"}
        else:
            schema = component_of("Action" if declared.body is Any else declared.body.__name__)
        operation["requestBody"] = {
            "required": declared.takes is not None or declared.body_required,
            "content": {declared.takes or JSON: {"schema": schema, "examples": examples}},
        }
    operation["responses"] = dict(_answers(declared, generated, operation, bodies, responses))
    return operation


def _security(declared: Operation) -> list[Schema]:
    """Who may call: without a token, with a player's own, with a client's."""
    needed = declared.client_scope
    scopes = [] if needed == "any" else [needed]
    return [
        *([] if declared.needs_token else [{}]),
        {"bearer": []},
        *([] if needed is None else [{OAUTH_SCHEME: scopes}]),
    ]


def _parameter(generated: Mapping[str, Any], bodies: Bodies) -> Schema:
    """A parameter. An optional one is never null: it has a value or is left out."""
    schema: Schema = {key: _number(value) for key, value in without_null(generated["schema"]).items()}
    description = schema.pop("description", None) or generated.get("description", "")
    (example,) = schema.pop("examples", None) or [bodies.games[0].name]  # Only names of games have no example.
    if generated["in"] == "path" and schema.get("type") == "integer":
        schema |= {"minimum": 1, "maximum": 2**31 - 1}
    if schema.get("format") == "date-time":
        # The format tells people more than the pattern that the service checks.
        schema.pop("pattern", None)
        schema["minLength"] = SHORTEST_TIME
    return {
        "name": generated["name"],
        "in": generated["in"],
        "description": description,
        "required": generated["required"],
        "schema": schema,
        "example": example,
    }


def _request_header(declared: Operation, name: str) -> Schema:
    """A header that the operation reads."""
    of_content = name == "If-None-Match" and not declared.tagged_by_version
    description, example, limits = IF_CHANGED if of_content else REQUEST_HEADERS[name]
    return {
        "name": name,
        "in": "header",
        "description": description,
        "required": False,
        "schema": {"type": "string", **limits},
        "example": example,
    }


def _open_query(name: str) -> Schema:
    """The fields of an act in the query, besides the parameter of this name. On the wire each is its own parameter."""
    value: Schema = {
        "anyOf": [
            {"type": "string"},
            {"type": "integer"},
            {"type": "boolean"},
            {"type": "array", "items": {"type": "string"}},
        ]
    }
    return {
        "name": "fields",
        "in": "query",
        "description": f"With `{name}`: fields of the act, each by its own name, as in `?{name}=play&card=Ks`. The "
        "items of a list are given one by one.",
        "required": False,
        "style": "form",
        "explode": True,
        "schema": {"type": "object", "additionalProperties": value},
        "example": {"card": "Ks"},
    }


def _number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _answers(
    declared: Operation, generated: Mapping[str, Any], operation: Schema, bodies: Bodies, responses: ProblemResponses
) -> Iterator[tuple[str, Schema]]:
    """All responses of the operation, by status."""
    parameters = {parameter["name"] for parameter in operation.get("parameters", ())}
    by_status: dict[int, list[str]] = {}
    for code in codes(declared, parameters):
        by_status.setdefault(KINDS[code].status, []).append(code)
    (success,) = (answer for status, answer in generated["responses"].items() if int(status) < 400)
    yield str(declared.status), _success(declared, success, bodies)
    if "If-None-Match" in declared.headers:
        headers = _headers(declared.path, *_tag(declared), "Vary")
        unchanged = "The table is still at this version." if declared.tagged_by_version else "The content is the same."
        (tag,) = _tag(declared)
        yield "304", responses.unchanged(tag, unchanged, headers, metered=_metered(declared.path))
    for status, own in sorted(by_status.items()):
        headers = _headers(declared.path, *REFUSAL_HEADERS.get(status, ()))
        yield str(status), responses.response(status, own, headers, metered=_metered(declared.path))


def _tag(declared: Operation) -> tuple[str, ...]:
    """The name in `HEADERS` of a successful response's entity tag, if it has one."""
    if declared.tagged_by_version:
        return ("ExportETag",) if "ExportETag" in declared.answer_headers else ("ETag",)
    return ("ContentETag",) if "If-None-Match" in declared.headers else ()


def _success(declared: Operation, generated: Mapping[str, Any], bodies: Bodies) -> Schema:
    path = declared.path
    names = [
        *(["Location"] if declared.status == 201 else []),
        *(_tag(declared)),
        *(["Vary"] if path.startswith("/v1") else []),
        *(["Idempotency-Replayed"] if "Idempotency-Key" in declared.headers else []),
        *declared.answer_headers,
    ]
    answer: Schema = {"description": declared.answers, "headers": _headers(path, *names)}
    content: dict[str, Schema] = {
        media_type: {"schema": _body(body["schema"])} | _content_examples(bodies.answers.get(declared.id, {}))
        for media_type, body in generated.get("content", {}).items()
    }
    for media_type, (description, example) in declared.other_examples.items():
        schema: Schema = {"type": "string", "description": description}
        lines = [declared.line] if declared.line is not None else frames_of(declared.stream) if declared.stream else []
        if lines:
            schema |= {"contentMediaType": media_type, "contentSchema": some(lines)}
        content[media_type] = {"schema": schema, "example": example(bodies.sample)}
    if content:
        answer["content"] = content
    if declared.links:
        answer["links"] = {
            name: {"operationId": leads_to, "parameters": parameters, "description": f"Leads to {leads_to}."}
            for name, leads_to, parameters in declared.links
        }
    return answer


def _body(generated: Schema) -> Schema:
    """The schema of a body: a component, an object with any members, or text that is not JSON."""
    if "$ref" in generated:
        return component_of(generated["$ref"].removeprefix(COMPONENTS))
    return ref("Document") if generated.get("type") == "object" else generated or TEXT


def _content_examples(named: Mapping[str, Any]) -> Schema:
    """`example` for one example of a body, `examples` by name for several."""
    if len(named) == 1:
        return {"example": next(iter(named.values()))}
    return {"examples": {name: {"value": body} for name, body in named.items()}} if named else {}


def _headers(path: str, *names: str) -> Schema:
    everywhere = ("RateLimit", "RateLimit-Policy") if _metered(path) else ()
    # The kinds of entity tags are described separately, but have one name in a response.
    return {
        "ETag" if name.endswith("ETag") else name: {"$ref": f"#/components/headers/{name}"}
        for name in (*names, *everywhere, "X-Request-Id")
    }


def _metered(path: str) -> bool:
    """Whether requests to this path count against quotas."""
    return path.startswith("/v1")


def _header(description: str, example: str, **limits: str) -> Schema:
    return {"description": description, "schema": {"type": "string"} | limits, "example": example}


HEADERS: Schema = {
    "Accept": _header("The media type that a body must have.", JSON),
    "ContentETag": _header("An entity tag derived from the content in the encoding in which it is sent.", CONTENT_TAG),
    "ETag": _header("The table's version, as an entity tag.", '"31"', pattern='^"[1-9][0-9]*"$'),
    "ExportETag": _header(
        "Differs for each file: at one version of a table, callers open different sections, and checkpoints follow.",
        '"31-0f1e2d3c4b5a69788796a5b4c3d2e1f0"',
        pattern='^"[1-9][0-9]*-[0-9a-f]{32}"$',
    ),
    "Idempotency-Replayed": _header("The request was handled before; this is its first response.", "true"),
    "Link": _header(
        "For CSV: the next page.", f'</v1/players/{PLAYERS[0]}/ledger?cursor={CURSORS[STATEMENT]}>; rel="next"'
    ),
    "Location": _header("The address of what was created.", f"/v1/tables/{TABLE}"),
    "RateLimit": _header(
        "What is left of each quota that the request counts against, and the seconds until the quota is reset.",
        '"address";r=59999;t=42, "player";r=59999;t=42',
    ),
    "RateLimit-Policy": _header(
        "The quotas that the request counts against, with their windows in seconds. `address` and `player` count cost, "
        "which each operation names as `x-cost`, and 1 for each 20,000 bytes of a response after the first; the others "
        "count what is recorded, such as `tables-player`. Of an address's and those of its IPv6 networks, such as "
        "`address-48`, the one is named that leaves the least.",
        '"address";q=60000;w=60, "player";q=60000;w=60',
    ),
    "Retry-After": _header("Seconds to wait before the next request.", "1", pattern="^[0-9]+$"),
    "Vary": _header("The response depends on these headers.", "Authorization"),
    "WWW-Authenticate": _header("How to authenticate.", 'Bearer realm="codille"'),
    "X-Request-Id": _header("The request's id, as the service logs it; a client may give its own.", TABLE),
}
