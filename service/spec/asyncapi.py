"""The AsyncAPI document: streams and webhooks, which the OpenAPI document has only as operations.

It is derived from the OpenAPI document, and shares its schemas, parameters and problems.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from service.describe.json_schema import LOCAL, Schema, reachable, relocated
from service.http.examples import TABLE, Sample
from service.http.operations.webhooks import NEW_EXAMPLE
from service.live.frames import RETRY_MS
from service.live.lobby_stream import MOST_LISTED
from service.live.log_positions import WINDOW
from service.observability.stream_metrics import StreamKind
from service.spec.components import COMPONENTS
from service.spec.document import EVERYTHING, LICENCE, Need
from service.spec.frame_schemas import STREAMS
from service.spec.messages import Messages, frame_messages, notice_messages, problem_message, request_message
from service.spec.shared_parts import parameters_of

DESCRIPTION = """\
What codille sends unasked: streams, which a client reads over HTTP as long as it likes, and webhooks, which \
codille calls. Everything else is in the OpenAPI document, at `/v1/openapi.json`, which has the same schemas.

A stream is the response to a GET. With `Accept: text/event-stream`, or without the header, it is server-sent events: \
the kind of frame is `event`, its position in the stream `id`, and its JSON `data`. With \
`Accept: application/x-ndjson` each line is a JSON object with the members `frame`, `id` and `data`. Comments, or \
empty lines, show that the stream is alive. Every block of server-sent events has data, so that a library may take \
each for an event."""

PATHS: Mapping[StreamKind, str] = {
    "table": "/v1/tables/{table}/events/stream",
    "player": "/v1/players/me/stream",
    "lobby": "/v1/tables/stream",
}
"""The path of each stream."""

_AGAIN = f"from more than {WINDOW:,} positions back it starts again, with a frame `reset` instead of the snapshot."

RESUMING: Mapping[StreamKind, str] = {
    "table": "Each event of the table comes once and in order. The `id` is the table's version. With `Last-Event-ID` "
    "or `after` there is no snapshot: the events after that version come first, and 0 begins with the first event. "
    "Then a frame `presence` says who is connected now, since no event does. "
    "With `view=true` the caller's view comes with each event, and with `offers=true` the caller's offers with the "
    "last event of each act.",
    "player": "The `id` is a position of the log. With `Last-Event-ID` or `after` the stream goes on after it; "
    + _AGAIN
    + " Missed notices say what was so at their time; the table says whose turn it is now.",
    "lobby": f"The snapshot lists the {MOST_LISTED} newest tables that are open, and as many that are playing. The "
    "`id` is a position of the log. With `Last-Event-ID` or `after` the stream goes on after it; " + _AGAIN,
}
"""How each stream begins and resumes."""

ENDING = (
    " When a stream ends, open a new one after the last `id`. The frame `dropped`, which has no `id`, says why the "
    f"service ends it. A stream of server-sent events begins with a line `retry: {RETRY_MS}`. A refused request gets a "
    "problem document."
)

WEBHOOK = (
    "Requests that codille sends to the URL of a player's webhook, following Standard Webhooks 1.0.0. A "
    "notice may come more than once, under the same `webhook-id`, and not always in order: its `position` says where "
    "it belongs. A 2xx response within 15 seconds means that it was received; only its status is read. "
    "Otherwise it is sent again, at growing intervals, for four days. After 410 the webhook is disabled."
)
SIGNED = (
    "`v1,` and the HMAC-SHA256, in base64, over `webhook-id`, `webhook-timestamp` and the bytes of the body, joined by "
    f"full stops. Examples are signed with the secret `{NEW_EXAMPLE['secret']}`."
)
TAGS = {"Streams": "What happens, as it happens.", "Webhooks": "Notices sent to a URL of the player's."}
HTTP = "0.3.0"
"""The version of AsyncAPI's HTTP bindings."""

SERVERS: Schema = {
    "local": {
        "host": "127.0.0.1:8000",
        "protocol": "http",
        "description": "The service as `make run` starts it.",
    },
    "public": {
        "host": "{host}",
        "protocol": "https",
        "description": "A service behind a reverse proxy.",
        "variables": {"host": {"description": "The name of the service.", "examples": ["codille.example.org"]}},
    },
    "receiver": {
        "host": "{receiver}",
        "protocol": "https",
        "description": "What a webhook's URL leads to.",
        "variables": {"receiver": {"description": "The receiver's name.", "examples": ["bot.example"]}},
    },
}
SECURITY: Schema = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A player's token, from `POST /v1/players` or `POST /v1/tokens`.",
    },
    "signature": {"type": "httpApiKey", "name": "webhook-signature", "in": "header", "description": SIGNED},
}


def asyncapi(
    openapi: Mapping[str, Any], samples: Sequence[Sample], version: str, need: Need = EVERYTHING
) -> dict[str, Any]:
    """The AsyncAPI document of the interface described by this OpenAPI document."""
    components = relocated(openapi["components"]["schemas"], LOCAL, COMPONENTS)
    shared = openapi["components"]["parameters"]
    requests = {
        stream: operation | {"parameters": parameters_of(operation, shared)}
        for stream, path in PATHS.items()
        for operation in [openapi["paths"][path]["get"]]
    }
    messages = {
        stream: {"request": request_message(operation), "problem": problem_message(operation, openapi["components"])}
        | frame_messages(stream, components, samples)
        for stream, operation in requests.items()
    }
    notices = notice_messages(samples[0])
    channels = {stream: _channel(stream, messages[stream]) for stream in PATHS} | {"webhook": _webhook(notices)}
    operations = {
        name: one for stream, operation in requests.items() for name, one in _operations(stream, operation, messages)
    }
    operations["sendNotice"] = _notice_operation(notices)
    used = sorted(reachable([messages, notices], components))
    document: dict[str, Any] = relocated(
        {
            "asyncapi": "3.0.0",
            "info": {
                "title": "codille",
                "version": version,
                "description": DESCRIPTION.replace(EVERYTHING.openapi, need.openapi),
                "license": {"name": LICENCE, "url": f"https://spdx.org/licenses/{LICENCE}.html"},
                "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
            },
            "defaultContentType": "application/json",
            "servers": SERVERS,
            "channels": channels,
            "operations": operations,
            "components": {
                "schemas": {name: _for_asyncapi(components[name]) for name in used},
                "securitySchemes": SECURITY,
            },
        },
        COMPONENTS,
    )
    return document


def _channel(stream: StreamKind, messages: Messages) -> Schema:
    channel: Schema = {
        "address": PATHS[stream],
        "title": f"The stream of {STREAMS[stream]}",
        "description": RESUMING[stream] + ENDING,
        "servers": [{"$ref": "#/servers/local"}, {"$ref": "#/servers/public"}],
        "messages": messages,
        "tags": [{"name": "Streams"}],
    }
    if "{table}" in PATHS[stream]:
        channel["parameters"] = {"table": {"description": "The table's id.", "examples": [TABLE]}}
    return channel


def _webhook(notices: Messages) -> Schema:
    return {
        "address": None,
        "title": "A webhook",
        "description": WEBHOOK,
        "servers": [{"$ref": "#/servers/receiver"}],
        "messages": notices,
        "tags": [{"name": "Webhooks"}],
    }


def _operations(
    stream: StreamKind, operation: Mapping[str, Any], messages: Mapping[StreamKind, Messages]
) -> list[tuple[str, Schema]]:
    """The operations of a stream's channel: the service receives the request, and sends the frames."""
    name, channel = operation["operationId"], {"$ref": f"#/channels/{stream}"}
    security = [] if {} in operation["security"] else [{"$ref": "#/components/securitySchemes/bearer"}]
    shared: Schema = {"channel": channel, "tags": [{"name": "Streams"}]} | ({"security": security} if security else {})
    frames = [one for one in messages[stream] if one not in ("request", "problem")]
    anybody = "" if security else " Without a token the stream contains what everybody may know."
    request: Schema = shared | {
        "action": "receive",
        "title": f"A request for the stream of {STREAMS[stream]}",
        "summary": "A client requests the stream.",
        "description": f"The response is the stream, or a problem document.{anybody}",
        "messages": _references(stream, ["request"]),
        "reply": {"channel": channel, "messages": _references(stream, ["problem"])},
        "bindings": {"http": {"method": "GET", "query": _query(operation), "bindingVersion": HTTP}},
    }
    frame: Schema = shared | {
        "action": "send",
        "title": operation["summary"],
        "summary": "The service sends frames for as long as the client reads them.",
        "description": operation["description"],
        "messages": _references(stream, frames),
    }
    return [(f"{name}Request", request), (name, frame)]


def _notice_operation(notices: Messages) -> Schema:
    return {
        "action": "send",
        "channel": {"$ref": "#/channels/webhook"},
        "title": "A notice",
        "summary": "The service tells a player's webhook what has happened.",
        "description": "Check the signature over the bytes of the body as received.",
        "tags": [{"name": "Webhooks"}],
        "security": [{"$ref": "#/components/securitySchemes/signature"}],
        "messages": _references("webhook", list(notices)),
        "bindings": {"http": {"method": "POST", "bindingVersion": HTTP}},
    }


def _references(channel: str, messages: Sequence[str]) -> list[Schema]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in messages]


def _query(operation: Mapping[str, Any]) -> Schema:
    """The schema of a request's query."""
    return {
        "type": "object",
        "properties": {
            parameter["name"]: parameter["schema"]
            | {"description": parameter["description"], "examples": [parameter["example"]]}
            for parameter in operation["parameters"]
            if parameter["in"] == "query"
        },
        "additionalProperties": False,
    }


def _for_asyncapi(schema: Any) -> Any:
    """The schema without discriminators and examples, which AsyncAPI puts elsewhere.

    Constants distinguish the alternatives of a union.
    """
    match schema:
        case dict():
            return {
                key: {name: _for_asyncapi(value) for name, value in part.items()}
                if key == "properties"
                else _for_asyncapi(part)
                for key, part in schema.items()
                if key not in ("discriminator", "examples")
            }
        case list():
            return [_for_asyncapi(part) for part in schema]
        case _:
            return schema
