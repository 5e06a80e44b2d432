"""A table's record as a file: lines of canonical JSON that prove themselves, as laid out in `api-spec/record.md`.

The first line says what it is, then one line an event, and the last line holds a signed checkpoint of the log, the
proofs that the events stand in it, and a signature over all that went before.
"""

import base64
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.record.envelope import EventEnvelope, enveloped
from domain.record.recorded import Recorded
from domain.seats import Audience

FORMAT: Final = "codille-export-v1"
SIGNED: Final = "codille/export"
"""The first line of the text that an export's signature covers."""
MEDIA_TYPE: Final = "application/x-ndjson"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    audience: Audience
    format: str
    head: str
    """The hash of the last event, in hex."""
    table: str
    version: int
    """Of the last event."""


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    checkpoint: str
    """A signed note: origin, size and root of the log's tree."""
    keys: tuple[str, ...]
    """The verifier keys of the notes' signatures."""
    proofs: tuple[tuple[str, ...], ...]
    """The inclusion proof of each event in that tree, nodes in hex."""
    signature: str
    """A signed note: what this is, the table, and the digest of all lines before this one."""


_canonical = msgspec.json.Encoder(order="sorted")


def encode_line(value: Header | EventEnvelope | Trailer) -> bytes:
    """The line, in canonical form, with its line feed."""
    return _canonical.encode(value) + b"\n"


def event_line(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """An event's line, with the sections that `enveloped` opens."""
    return encode_line(enveloped(record, audience, over=over))


def signed_text(table: str, digest: bytes) -> str:
    """What the signature covers; `digest` is the SHA-256 of all bytes before the last line."""
    return f"{SIGNED}\n{table}\n{base64.b64encode(digest).decode()}\n"


def trailer(checkpoint: str, keys: Sequence[str], proofs: Sequence[Sequence[bytes]], signature: str) -> Trailer:
    """The last line's content."""
    return Trailer(checkpoint, tuple(keys), tuple(tuple(node.hex() for node in path) for path in proofs), signature)
