"""A table's record as a file: lines of canonical JSON that prove themselves, as laid out in `api-spec/record.md`.

The first line says what it is, then one line an event, and the last line holds a signed checkpoint of the log, the
proofs that the events stand in it, and a signature over all that went before.
"""

import base64
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.kernel.event import redact
from domain.record.recorded import Recorded, SealedSection, sections
from domain.seats import HOUSE, Audience

FORMAT: Final = "codille-export-v1"
SIGNED: Final = "codille/export"
"""The first line of the text that an export's signature covers."""
MEDIA_TYPE: Final = "application/x-ndjson"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. Fields stand in canonical order, here and below."""

    audience: Audience
    format: str
    head: str
    """The hash of the last event, in hex."""
    table: str
    version: int
    """Of the last event."""


class Line(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One event, as it is served."""

    action: str | None
    actor: str
    at: str
    deal: int | None
    game: str
    hash: str
    position: int
    public: msgspec.Raw
    schema: int
    sealed: msgspec.Raw | dict[str, SealedSection]
    seals: msgspec.Raw
    table: str
    type: str
    version: int


class Told(Line, frozen=True, gc=False, forbid_unknown_fields=True):
    """One event, as it is read."""

    sealed: msgspec.Raw


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


_encoder = msgspec.json.Encoder()


def line(value: Header | Trailer) -> bytes:
    """The first or the last line."""
    return _encoder.encode(value) + b"\n"


def event_line(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """An event's line, with the sections that the audience may open; all of them when it is `over`."""
    sealed: msgspec.Raw | dict[str, SealedSection]
    if over or audience == HOUSE or record.sealed == b"{}":
        sealed = msgspec.Raw(record.sealed)
    else:
        sealed = dict(sorted(redact(sections(record.sealed), audience).items()))
    told = Line(
        record.action,
        record.actor,
        record.at,
        record.deal,
        record.game,
        record.hash.hex(),
        record.position,
        msgspec.Raw(record.public),
        record.schema,
        sealed,
        msgspec.Raw(record.seals),
        record.table,
        record.type,
        record.version,
    )
    return _encoder.encode(told) + b"\n"


def recorded(told: Told) -> Recorded:
    """The event of a line. Raises ValueError where its hash is not in hex."""
    return Recorded(
        table=told.table,
        game=told.game,
        version=told.version,
        deal=told.deal,
        type=told.type,
        schema=told.schema,
        at=told.at,
        actor=told.actor,
        action=told.action,
        public=bytes(told.public),
        seals=bytes(told.seals),
        sealed=bytes(told.sealed),
        hash=bytes.fromhex(told.hash),
        position=told.position,
    )


def signed_text(table: str, digest: bytes) -> str:
    """What the signature covers; `digest` is the SHA-256 of all bytes before the last line."""
    return f"{SIGNED}\n{table}\n{base64.b64encode(digest).decode()}\n"


def trailer(checkpoint: str, keys: Sequence[str], proofs: Sequence[Sequence[bytes]], signature: str) -> Trailer:
    """The last line's content."""
    return Trailer(checkpoint, tuple(keys), tuple(tuple(node.hex() for node in path) for path in proofs), signature)
