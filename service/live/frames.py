"""Frames of streams, as server-sent events or as lines of JSON."""

from typing import Literal, TypeAlias

import msgspec

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"

Form: TypeAlias = str
"""One of these media types."""

Kind: TypeAlias = Literal["snapshot", "event", "reset", "presence", "dropped"]

RETRY_MS = 1000
"""Milliseconds after which a client whose stream has ended may come again."""


def frame(form: Form, kind: Kind, data: bytes, place: int | None = None) -> bytes:
    """A frame with this JSON; `place` is the place in the stream up to which its reader has everything."""
    if form == NDJSON:
        shown = b"" if place is None else b'"id":%d,' % place
        return b'{"frame":"%b",%b"data":%b}\n' % (kind.encode(), shown, data)
    shown = b"" if place is None else b"id: %d\n" % place
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), shown, data)


def ping(form: Form, place: int | None = None) -> bytes:
    """Shows that the stream is alive: a comment, or an empty line. Of an event stream it may move the place."""
    if form == NDJSON:
        return b"\n"
    return b": ping\n\n" if place is None else b": ping\nid: %d\n\n" % place


DETAILS = {
    "slow": "too much waited for this reader; a new stream goes on after the last id",
    "stopping": "this process stops; a new stream goes on after the last id",
    "token": "the token is no longer valid",
}


def dropped(form: Form, reason: str) -> bytes:
    """The last frame of a stream that the service ends."""
    data = msgspec.json.encode({"reason": reason, "detail": DETAILS[reason], "retry_ms": RETRY_MS})
    last = frame(form, "dropped", data)
    return last if form == NDJSON else b"retry: %d\n%b" % (RETRY_MS, last)
