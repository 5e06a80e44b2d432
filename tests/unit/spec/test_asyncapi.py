"""The AsyncAPI document has every frame and notice, with examples that fit, and the schemas of the OpenAPI document.

That it is what the code makes is looked at with the other files; that it is AsyncAPI, by the linters.
"""

import json
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from hmac import digest
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.registry import GAMES
from domain.table.events import events_of
from service.live.frame_contents import FRAMES
from service.live.frames import DETAILS, RETRY_MS, ROOM_MS, Kind, LogKind, TableKind
from service.live.hub import LOBBY
from service.live.notices import KINDS
from service.observability.stream_metrics import StreamKind
from service.spec.messages import MEANINGS
from tests.support.asyncapi import DOCUMENT, errors, messages_of, resolved
from tests.support.openapi import operation_at

OPENAPI = json.loads((Path(__file__).parents[3] / "api-spec" / "openapi.json").read_text())
CHANNELS = DOCUMENT["channels"]
MESSAGES = [(channel, name) for channel, one in CHANNELS.items() for name in one["messages"]]


def references(part: Any) -> Iterator[str]:
    match part:
        case {"$ref": str(reference)}:
            yield reference
        case dict():
            for value in part.values():
                yield from references(value)
        case list():
            for value in part:
                yield from references(value)


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_message_has_words_and_examples_that_fit(channel: str) -> None:
    for name, message in CHANNELS[channel]["messages"].items():
        assert message["summary"], name
        assert message["title"], name
        assert message["examples"], name
        for example in message["examples"]:
            assert errors(message["payload"], example["payload"]) == [], name
            assert errors(message.get("headers", True), example.get("headers", {})) == [], name


@pytest.mark.parametrize("stream", get_args(StreamKind))
def test_a_stream_that_ends_asks_for_a_pause_of_any_length(stream: StreamKind) -> None:
    for reason, pause_ms in (("stopping", RETRY_MS), ("room", ROOM_MS), ("quota", 37_000)):
        data = {"reason": reason, "detail": DETAILS[reason], "retry_ms": pause_ms}
        assert messages_of(stream, {"event": "dropped", "retry": pause_ms}, data) == ["dropped"], reason


@pytest.mark.parametrize("stream", get_args(StreamKind))
def test_every_frame_of_a_stream_stands_in_its_channel_by_itself_and_as_a_line(stream: StreamKind) -> None:
    messages = CHANNELS[stream]["messages"]
    kinds = {
        message["headers"]["properties"]["event"]["const"]
        for message in messages.values()
        if "event" in message.get("headers", {}).get("properties", {})
    }
    lines = {example["payload"]["frame"] for example in messages["line"]["examples"]}
    pings = set() if stream == "table" else {"ping"}
    assert (kinds, lines) == (FRAMES[stream].keys() | pings, set(FRAMES[stream]))


def test_streams_list_the_frames_that_they_can_send() -> None:
    sent = {"table": TableKind, "player": LogKind, "lobby": LogKind}
    assert {stream: set(kinds) for stream, kinds in FRAMES.items()} == {
        stream: set(get_args(kinds)) for stream, kinds in sent.items()
    }


def test_every_kind_of_frame_has_a_meaning() -> None:
    assert set(MEANINGS) == set(get_args(Kind))


def events(channel: str) -> Iterator[tuple[Any, Any]]:
    """The examples of events in a channel, each with the schema of its message."""
    for message in CHANNELS[channel]["messages"].values():
        for example in message["examples"]:
            payload = example["payload"]
            if isinstance(payload, dict) and "hash" in payload:
                yield message["payload"], payload


def test_every_event_stands_in_the_stream_of_a_table() -> None:
    told = {(game, event["type"]) for schema, event in events("table") for game in _games(schema)}
    assert told >= {(name, payload.TYPE) for name, game in GAMES.items() for payload in events_of(game)}


def _games(payload: Any) -> list[str]:
    """The games whose events fit the schema."""
    reference = payload["allOf"][0] if "allOf" in payload else payload
    game = resolved(reference["$ref"])["properties"]["game"]
    game = resolved(game["$ref"]) if "$ref" in game else game
    return [game["const"]] if "const" in game else list(game.get("enum", ()))


def test_the_lobby_tells_of_the_events_that_change_lists() -> None:
    assert {event["type"] for _, event in events("lobby")} == LOBBY


def test_no_example_of_an_event_opens_what_the_public_may_not_know() -> None:
    for _, event in events("table"):
        assert event["sealed"].keys() <= {"public"}


def test_every_notice_has_an_example_that_is_rightly_signed() -> None:
    messages = CHANNELS["webhook"]["messages"]
    assert set(messages) == set(KINDS)
    _, _, secret = DOCUMENT["components"]["securitySchemes"]["signature"]["description"].partition("whsec_")
    key = b64decode(secret.partition("`")[0])
    for kind, message in messages.items():
        (example,) = message["examples"]
        assert example["payload"]["type"] == kind
        headers, body = example["headers"], msgspec.json.encode(example["payload"])
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        assert b64decode(headers["webhook-signature"].removeprefix("v1,")) == digest(key, signed, sha256)


def test_schemas_are_those_of_the_openapi_document() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema == _without(OPENAPI["components"]["schemas"][name]), name


def _without(schema: Any) -> Any:
    """The schema without discriminators and examples, except properties of these names."""
    match schema:
        case {"properties": dict(named), **rest}:
            return _without(rest) | {"properties": {name: _without(part) for name, part in named.items()}}
        case dict():
            return {k: _without(v) for k, v in schema.items() if k not in ("discriminator", "examples")}
        case list():
            return [_without(part) for part in schema]
        case _:
            return schema


def test_queries_are_those_of_the_openapi_document() -> None:
    for operation in DOCUMENT["operations"].values():
        if operation["action"] == "receive":
            address = resolved(operation["channel"]["$ref"])["address"]
            declared = operation_at(OPENAPI, "get", address)["parameters"]
            query = operation["bindings"]["http"]["query"]["properties"]
            assert set(query) == {one["name"] for one in declared if one["in"] == "query"}


def test_references_lead_to_what_is_there_and_all_that_is_there_is_used() -> None:
    used = set(references(DOCUMENT))
    for reference in used:
        resolved(reference)
    assert used >= {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert used >= {f"#/channels/{channel}/messages/{name}" for channel, name in MESSAGES}
