"""The messages of the AsyncAPI document, with examples from the sample tables: frames of streams, and notices.

The OpenAPI document has the notices as requests to receivers of webhooks.
"""

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Literal, TypeAlias

import msgspec

from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from service.describe.json_schema import LOCAL, Schema, pascal, record, ref, some
from service.http.examples import WEBHOOK_ID, Sample, SampleTable, plain
from service.http.operations.webhooks import DELIVERY_EXAMPLE, NEW_EXAMPLE
from service.http.problems import MEDIA_TYPE
from service.live.frame_contents import FRAMES
from service.live.frames import NDJSON, RETRY_MS, SSE, WITHOUT_ID, Kind, ping
from service.live.live_event import Turn, turn_of
from service.live.notices import KINDS, OF_EVENTS
from service.live.notices import Kind as NoticeKind
from service.live.outbox import messages_of
from service.live.sender import SECRET_PREFIX, headers_of
from service.observability.stream_metrics import StreamKind
from service.spec.frame_schemas import (
    Line,
    event_with_offers,
    event_with_view,
    example_lines,
    frames_of,
    held,
    place_of,
)
from service.store.outbox_store import Claimed

Messages: TypeAlias = dict[str, Schema]
"""Messages of a channel by name."""

MEANINGS: Mapping[Kind, str] = {
    "snapshot": "Where the stream begins.",
    "reset": "Where the stream starts again, since too much has happened after the last `id`.",
    "event": "What has happened.",
    "presence": "Which seats are connected. It is not recorded.",
    "dropped": "The last frame of a stream that the service ends.",
}
"""The description of each kind of frame."""

NOTICES: Mapping[NoticeKind, str] = {
    "your-turn": "It is the player's turn.",
    "game-started": "The game has started.",
    "deal-scored": "A deal is over and booked.",
    "game-over": "The game is over.",
    "table-closed": "The table was closed before its game started: by who opened it, or as it did not fill in time.",
    "dispute-ruled": "An arbiter has ruled on a dispute.",
    "rematch": "Another player wants a rematch: the table is open, and the seat is kept for the player.",
}
"""The description of each kind of notice."""

SIGNED_HEADERS: Mapping[str, tuple[Schema, str, object]] = {
    "webhook-id": (
        {"type": "string", "pattern": "^msg_[0-9a-f]{32}$"},
        "The message's id, the same at every attempt: a second request with it is a repetition.",
        DELIVERY_EXAMPLE["id"],
    ),
    "webhook-timestamp": (
        {"type": "string", "pattern": "^[0-9]+$"},
        "When the attempt was made, in seconds since 1970. An old one may be a replay by somebody else.",
        "1795168800",
    ),
    "webhook-signature": (
        {"type": "string"},
        "`v1,` and the HMAC-SHA256, in base64, over id, timestamp and body, joined by full stops. While a secret is "
        "rotated there are two, separated by a space. One valid signature is enough.",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
}
"""The headers of a message by name: their schemas, what they mean, and examples."""

SECRET = str(NEW_EXAMPLE["secret"])
"""The secret that signs the examples of notices."""


def frame_messages(stream: StreamKind, components: Mapping[str, Schema], samples: Sequence[Sample]) -> Messages:
    """The frames of a stream as server-sent events and as lines of JSON, and its signs of life."""
    lines = example_lines(samples[0])[frames_of(stream)[0]]
    messages: Messages = {}
    for kind, content in FRAMES[stream].items():
        component = held(stream, kind)
        if content is Recorded and "properties" not in components[component]:
            messages |= _event_messages(stream, components, samples)
        else:
            payload = _recorded(component) if content is Recorded else ref(component)
            examples = [line for line in lines if line["frame"] == kind]
            messages[kind] = _frame(stream, kind, payload, MEANINGS[kind], examples)
    if stream == "table":
        viewing, offering = event_with_view(samples[0]), event_with_offers(samples[0])
        text = "An event, with the caller's view after it: in streams with `view=true`."
        messages["eventWithView"] = _frame(stream, "event", ref("EventWithView"), text, [viewing])
        text = "The event with which an act ends, with the caller's offers after it: in streams with `offers=true`."
        messages["eventWithOffers"] = _frame(stream, "event", ref("EventWithOffers"), text, [offering])
        lines = [*lines, viewing, offering]
    else:
        text = "In server-sent events: nothing has happened up to the `id`. Among lines of JSON it is an empty line."
        ping: Line = {"frame": "ping", "id": next(line["id"] for line in lines), "data": {}}
        messages["ping"] = _frame(stream, "ping", record("It has no content.", {}), text, [ping])
    return messages | {"line": _line(stream, lines), "comment": _COMMENT}


def _recorded(component: str) -> Schema:
    """The schema of an event of this component in a stream."""
    return {"allOf": [ref(component), {"required": ["more"]}]}


def _event_messages(stream: StreamKind, components: Mapping[str, Schema], samples: Sequence[Sample]) -> Messages:
    """A message for each type of event, as the public receives it."""
    messages: Messages = {}
    for sample in samples:
        title = pascal(sample.game.name)
        known = _members("LobbyEvent", components) if stream == "lobby" else _members("TableEvent", components)
        own = {} if stream == "lobby" else _members(f"{title}Event", components)
        for type, event in sample.by_type.events.items():
            name = own.get(type) or known.get(type)
            if name is None or name in messages:
                continue
            stream_id = event["version"] if stream == "table" else event["position"]
            sealed = {audience: section for audience, section in event["sealed"].items() if audience == PUBLIC}
            line = {"frame": "event", "id": stream_id, "data": event | {"sealed": sealed, "more": False}}
            text = components[name]["description"]
            messages[name] = _frame(stream, "event", _recorded(name), text, [line]) | {"name": type}
    return messages


def _members(union: str, components: Mapping[str, Schema]) -> dict[str, str]:
    """The names of the components of a union of events, by type."""
    mapping = components[union]["discriminator"]["mapping"]
    return {type: reference.removeprefix(LOCAL) for type, reference in mapping.items()}


def _frame(
    stream: StreamKind, kind: Kind | Literal["ping"], payload: Schema, text: str, lines: Sequence[Line]
) -> Schema:
    """A frame as a server-sent event: its JSON is the payload, its other fields are the headers."""
    fields: Schema = {"event": {"type": "string", "const": kind, "description": "The kind of frame."}}
    if kind not in WITHOUT_ID:
        fields["id"] = place_of(stream)
    if kind == "dropped":
        pause = "Milliseconds after which a browser's `EventSource` reconnects."
        fields["retry"] = {"type": "integer", "minimum": 0, "description": pause}
    return {
        "name": kind,
        "title": f"Frame `{kind}`",
        "summary": text,
        "contentType": "application/json",
        "headers": record("The fields of the server-sent event, besides `data`.", fields),
        "payload": payload,
        "examples": [
            {"headers": _fields(line) | ({"retry": RETRY_MS} if kind == "dropped" else {}), "payload": line["data"]}
            for line in lines
        ],
    }


def _fields(line: Line) -> dict[str, Any]:
    return {"event": line["frame"]} | ({"id": line["id"]} if "id" in line else {})


def _line(stream: StreamKind, lines: Sequence[Line]) -> Schema:
    return {
        "name": "line",
        "title": "Any frame, as a line of JSON",
        "summary": "The frames of streams requested with `Accept: application/x-ndjson`.",
        "contentType": NDJSON,
        "payload": some(frames_of(stream)),
        "examples": [{"name": line["frame"], "payload": line} for line in lines],
    }


_COMMENT: Schema = {
    "name": "comment",
    "title": "Comment",
    "summary": "A comment, or an empty line, while nothing happens.",
    "contentType": "text/plain",
    "payload": {"type": "string", "pattern": r"^(: ping)?\n$"},
    "examples": [{"name": name, "payload": ping(form).decode()} for name, form in (("comment", SSE), ("line", NDJSON))],
}


def problem_message(operation: Mapping[str, Any], components: Mapping[str, Any]) -> Schema:
    """The message that refuses a request, with an example of each code, from the components of the OpenAPI document."""
    refused = [answer["$ref"].rpartition("/")[2] for answer in operation["responses"].values() if "$ref" in answer]
    codes = [code for name in refused for code in components["responses"][name]["content"][MEDIA_TYPE]["examples"]]
    named = {code: components["examples"][code] for code in codes}
    examples = [{"name": code, "payload": example["value"]} for code, example in named.items()]
    return {
        "name": "problem",
        "title": "Problem",
        "summary": "The response instead of a stream (RFC 9457). Its `status` is the response's.",
        "contentType": MEDIA_TYPE,
        "payload": ref("Problem"),
        "examples": examples,
    }


def request_message(operation: Mapping[str, Any]) -> Schema:
    """The request for a stream, which has headers and no body."""
    (given,) = (parameter for parameter in operation["parameters"] if parameter["in"] == "header")
    token: Schema = {"type": "string", "pattern": "^Bearer .+$", "description": "The player's token."}
    fields = {
        "Accept": {
            "type": "string",
            "enum": [SSE, NDJSON],
            "description": f"The form of the frames; {SSE} by default.",
        },
        "Authorization": token,
        given["name"]: given["schema"] | {"description": given["description"]},
    }
    needed = [] if {} in operation["security"] else ["Authorization"]
    headers = record("The request's headers.", fields, optional=[name for name in fields if name not in needed])
    example = {"Accept": NDJSON, "Authorization": "Bearer codille_…", given["name"]: given["example"]}
    return {
        "name": "request",
        "title": "Request",
        "summary": "The request, which has no body.",
        "headers": headers | {"additionalProperties": True},
        "payload": {"type": "null"},
        "examples": [{"headers": example, "payload": None}],
    }


def webhook_requests() -> dict[str, Any]:
    """The document's `webhooks`."""
    parameters: list[Schema] = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": schema, "example": example}
        for name, (schema, text, example) in SIGNED_HEADERS.items()
    ]
    content = {"schema": ref("NoticeBody"), "example": plain(DELIVERY_EXAMPLE["message"])}
    return {
        "notice": {
            "post": {
                "operationId": "receiveNotice",
                "summary": "A notice",
                "description": "Sent to the URL of a webhook, following Standard Webhooks 1.0.0. Check "
                "the signature over the bytes of the body as received.",
                "tags": ["Notices"],
                "parameters": parameters,
                "requestBody": {
                    "required": True,
                    "description": "The notice to the player.",
                    "content": {"application/json": content},
                },
                "responses": {
                    "2XX": {"description": "The notice was received. Only the status is read."},
                    "410": {"description": "No more notices are wanted: the webhook is disabled."},
                    "default": {"description": "The notice is sent again later."},
                },
                "security": [],
            }
        }
    }


def notice_messages(sample: Sample) -> Messages:
    """The notices sent to webhooks, each from the first event of a sample table that causes one."""
    fields = {name: schema | {"description": text} for name, (schema, text, _) in SIGNED_HEADERS.items()}
    headers = record("The headers of the request.", fields)
    return {
        kind: {
            "name": kind,
            "title": f"Notice `{kind}`",
            "summary": NOTICES[kind],
            "contentType": "application/json",
            "headers": headers | {"additionalProperties": True},
            "payload": {"allOf": [ref("NoticeBody"), {"properties": {"type": {"const": kind}}}]},
            "examples": [_delivered(played, kind, version) for played, version in islice(_causes(sample, kind), 1)],
        }
        for kind in KINDS
    }


def _delivered(played: SampleTable, kind: NoticeKind, version: int) -> Schema:
    """The notice of the event of this version as first sent, signed with the secret of the examples."""
    record = played.records[version - 1]
    message = next(one for one in messages_of(record, _turn(played, version)) if one.kind == kind)
    secret = b64decode(SECRET.removeprefix(SECRET_PREFIX))
    claimed = Claimed(WEBHOOK_ID, message.position, kind, message.id, message.body, "", 0, "", secret, None)
    sent = headers_of(claimed, datetime.fromisoformat(record.at))
    signed = {name: value for name, value in sent.items() if name in SIGNED_HEADERS}
    return {"headers": signed, "payload": msgspec.json.decode(message.body)}


def _turn(played: SampleTable, version: int) -> Turn:
    """Whose turn it is after the event of this version."""
    before = played.history(version - 1).table if version > 1 else None
    after = played.history(version).table
    return turn_of(played.game, before, after)


def _causes(sample: Sample, kind: NoticeKind) -> Iterator[tuple[SampleTable, int]]:
    """The events that cause this notice: table and version. In a game without turns none causes `your-turn`."""
    if kind == "your-turn":
        played = sample.disputed
        yield from (
            (played, at) for at in range(sample.played.midway()[0], played.version) if _turn(played, at).entering
        )
    else:
        for played in sample.tables:
            for one in played.records:
                if OF_EVENTS.get(one.type) == kind and any(_turn(played, one.version).players):
                    yield played, one.version
