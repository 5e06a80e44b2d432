"""A table's record as a file of canonical JSON lines that can be verified alone, as laid out in `api-spec/record.md`.

The first line is the header. One line follows for each event. The last line is the trailer: a signed checkpoint of the
log, the proofs that the events are in its tree, the log's keys, and a signature over the rest of the file.
"""

import base64
import codecs
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.record.envelope import EventEnvelope, enveloped
from domain.record.recorded import Recorded
from domain.seats import Audience

FORMAT: Final = "codille-export-v2"
FORMAT_1: Final = "codille-export-v1"
"""The format of the first exports, which are still verified but no longer written."""
SIGNED: Final = "codille/export"
"""The first line of the text that an export's signature signs."""
MEDIA_TYPE: Final = "application/x-ndjson"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    audience: Audience
    format: str
    head: str
    """The hash of the last event, in hex."""
    table: str
    version: int
    """The version of the last event."""


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of an export."""

    announcements: tuple[str, ...]
    """For each key after the first, the signed note in which the previous key announces it."""
    checkpoint: str
    """A signed note: origin, size and root of the log's tree."""
    keys: tuple[str, ...]
    """The log's verifier keys in the order of their use. The last one signs the file."""
    proofs: tuple[tuple[str, ...], ...]
    """The inclusion proof of each event in that tree, nodes in hex."""
    signature: str = ""
    """A signed note over the file's `signed_text`; empty before the file is signed."""


class Trailer1(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of an export of the first format."""

    checkpoint: str
    keys: tuple[str, ...]
    """The verifier keys that have signed the checkpoint or the file."""
    proofs: tuple[tuple[str, ...], ...]
    signature: str
    """A signed note over the `signed_text` of all other lines."""


_canonical = msgspec.json.Encoder(order="sorted")


def encode_line(value: Header | EventEnvelope | Trailer) -> bytes:
    """The line in canonical form, with its line feed."""
    return _canonical.encode(value) + b"\n"


def event_line(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """An event's line, with the sections that `enveloped` opens."""
    return encode_line(enveloped(record, audience, over=over))


def with_line_feeds(data: bytes) -> bytes:
    """The file with one line feed after each line and without a byte order mark, as it was before mail or an editor.

    A canonical line holds neither a carriage return nor a line feed, so what the lines say is not changed.
    """
    return data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").rstrip(b"\r\n") + b"\n"


def signed_text(table: str, digest: bytes) -> str:
    """The text that the file's signature signs; `digest` is the SHA-256 of the file with an empty signature."""
    return f"{SIGNED}\n{table}\n{base64.b64encode(digest).decode()}\n"


def trailer_begin(checkpoint: str, keys: Sequence[str], announcements: Sequence[str]) -> bytes:
    """The beginning of the last line, up to its proofs."""
    return encode_line(Trailer(tuple(announcements), checkpoint, tuple(keys), ())).removesuffix(UNSIGNED_END)


def trailer_proofs(proofs: Sequence[Sequence[bytes]], *, first: bool) -> bytes:
    """Some of the proofs in the last line, in the order of the events; `first` says whether they begin the list."""
    nodes = _canonical.encode([[node.hex() for node in path] for path in proofs])
    return nodes[1:-1] if first else b"," + nodes[1:-1]


_SIGNATURE = b'],"signature":'
UNSIGNED_END: Final = _SIGNATURE + b'""}\n'
"""The end of a file without a signature, after its proofs."""


def signed_end(signature: str) -> bytes:
    """The end of a signed file, after its proofs; it replaces `UNSIGNED_END`."""
    return _SIGNATURE + _canonical.encode(signature) + b"}\n"
