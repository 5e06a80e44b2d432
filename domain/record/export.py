"""A table's record as a file of canonical JSON lines that can be verified alone, as laid out in `api-spec/record.md`.

The first line is the header. One line an event follows. The last line is the trailer: a signed checkpoint of the log,
the proofs that the events stand in its tree, and a signature over all lines before.
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
"""The first line of the text that an export's signature signs."""
MEDIA_TYPE: Final = "application/x-ndjson"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    audience: Audience
    format: str
    head: str
    """The hash of the last event, in hex."""
    table: str
    version: int
    """The version of the last event."""


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    checkpoint: str
    """A signed note: origin, size and root of the log's tree."""
    keys: tuple[str, ...]
    """The verifier keys of the notes' signatures."""
    proofs: tuple[tuple[str, ...], ...]
    """The inclusion proof of each event in that tree, nodes in hex."""
    signature: str
    """A signed note over `signed_text` of the table and the digest of all lines before this one."""


_canonical = msgspec.json.Encoder(order="sorted")


def encode_line(value: Header | EventEnvelope | Trailer) -> bytes:
    """The line in canonical form, with its line feed."""
    return _canonical.encode(value) + b"\n"


def event_line(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """An event's line, with the sections that `enveloped` opens."""
    return encode_line(enveloped(record, audience, over=over))


def signed_text(table: str, digest: bytes) -> str:
    """The text that the file's signature signs; `digest` is the SHA-256 of all bytes before the last line."""
    return f"{SIGNED}\n{table}\n{base64.b64encode(digest).decode()}\n"


def trailer(checkpoint: str, keys: Sequence[str], proofs: Sequence[Sequence[bytes]], signature: str) -> Trailer:
    """The trailer, its proofs in hex."""
    return Trailer(checkpoint, tuple(keys), tuple(tuple(node.hex() for node in path) for path in proofs), signature)
