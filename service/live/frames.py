"""Frames of streams, as server-sent events or as lines of JSON. `frame_contents` has the types of their JSON."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"

Form: TypeAlias = str
"""One of these media types."""

Kind: TypeAlias = Literal["snapshot", "event", "reset", "presence", "dropped"]

TableKind: TypeAlias = Literal["snapshot", "event", "presence", "dropped"]
"""The kinds of frames of a table's stream."""

LogKind: TypeAlias = Literal["snapshot", "reset", "event", "dropped"]
"""The kinds of frames of a player's and the lobby's stream."""

WITHOUT_ID: frozenset[Kind] = frozenset({"presence", "dropped"})
"""The kinds of frames that are no position in the stream, and have no `id`."""

Reason: TypeAlias = Literal["slow", "stopping", "token", "private", "unreadable", "room", "quota"]

RETRY_MS = 1000
"""Milliseconds after which a client whose stream has ended may reconnect."""


class Dropped(Struct, frozen=True):
    """Why the service ends a stream, and when its subscriber may come again."""

    reason: Annotated[
        Reason,
        Meta(
            description="The client does not read, the process stops, the token is no longer valid, the reader may no "
            "longer look at the private table, this version cannot read what the table has recorded, all streams are "
            "taken and this one gives way, or the quota of the address or the player is used up."
        ),
    ]
    detail: Annotated[str, Meta(description="The reason in words.")]
    retry_ms: Annotated[int, Meta(description="Milliseconds to wait before the next stream is opened.")]


def frame(form: Form, kind: Kind, data: bytes, stream_id: int | None = None) -> bytes:
    """A frame with this JSON; `stream_id` is the position up to which its subscriber has everything."""
    if form == NDJSON:
        shown = b"" if stream_id is None else b'"id":%d,' % stream_id
        return b'{"frame":"%b",%b"data":%b}\n' % (kind.encode(), shown, data)
    # The id stands last: some libraries take it for read at its line, and would lose data that are cut off after it.
    shown = b"" if stream_id is None else b"id: %d\n" % stream_id
    return b"event: %b\ndata: %b\n%b\n" % (kind.encode(), data, shown)


def table_frame(form: Form, kind: TableKind, data: bytes, stream_id: int | None = None) -> bytes:
    """A frame of a table's stream; see `frame`."""
    return frame(form, kind, data, stream_id)


def log_frame(form: Form, kind: LogKind, data: bytes, stream_id: int) -> bytes:
    """A frame of a player's or the lobby's stream; see `frame`."""
    return frame(form, kind, data, stream_id)


def ping(form: Form, stream_id: int | None = None) -> bytes:
    """A sign that the stream is alive: a comment or an empty line. With `stream_id`, it moves `Last-Event-ID`.

    Many libraries take each block of server-sent events for an event. So a block always has a name and data, and a
    comment ends none.
    """
    if form == NDJSON:
        return b"\n"
    return b": ping\n" if stream_id is None else b"event: ping\nid: %d\ndata: {}\n\n" % stream_id


def begun(form: Form) -> bytes:
    """What precedes a stream's first frame: a browser would keep the pause that the last frame of one before asked for.

    No blank line follows, so the field belongs to the first frame.
    """
    return b"" if form == NDJSON else b"retry: %d\n" % RETRY_MS


DETAILS: Mapping[Reason, str] = {
    "slow": "too much waited for this reader; a new stream goes on after the last id",
    "stopping": "this process stops; a new stream goes on after the last id",
    "token": "the token is no longer valid",
    "private": "the table is private, and this reader may no longer look at it",
    "unreadable": "this version of the service cannot read what the table has recorded",
    "room": "all streams are taken, and this one gives way; a new stream goes on after the last id",
    "quota": "the quota of cost is used up; a new stream goes on after the last id",
}


ROOM_MS = 5000
"""RETRY_MS for a stream that gave way: a new one is refused while every other holder has fewer."""


def dropped(form: Form, reason: Reason, retry_ms: int = RETRY_MS) -> bytes:
    """The last frame of a stream that the service ends."""
    data = msgspec.json.encode(Dropped(reason, DETAILS[reason], retry_ms))
    last = frame(form, "dropped", data)
    return last if form == NDJSON else b"retry: %d\n%b" % (retry_ms, last)
