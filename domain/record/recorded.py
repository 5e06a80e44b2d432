"""The event record: envelope, seals and hash chain, as laid out in `api-spec/record.md`.

One `Recorded` is one row of the log. `public` is open to everyone. Each sealed section is for one audience, and only
that audience may open it until the deal is over. The envelope commits to the sections by hash, so hiding one changes
neither numbering nor hashes.
"""

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.canonical import canonical
from domain.kernel.event import Event

GENESIS = bytes(32)
"""The `previous` hash for a table's first event."""

EVENT_TAG = b"codille-event-v1\n"


class Recorded(Struct, frozen=True, gc=False):
    """One event as the log stores it.

    `public`, `seals` and `sealed` are RFC 8785 bytes, stored and served unchanged. `public` is the payload, `seals` an
    object of commitments by audience, `sealed` an object of sections by audience, each `{"data": …, "salt": hex}`.
    """

    table: str
    """UUIDv7, lower case with hyphens."""
    game: str
    version: int
    """The event's number in its table's record: 1, 2, 3, …"""
    deal: int | None
    type: str
    schema: int
    at: str
    """RFC 3339 in UTC with microseconds: `2026-11-20T10:00:00.123456Z`. Never earlier than the event before in the
    table, nor than the time in the table's id.
    """
    actor: str
    """`seat:N`, `house`, `clock`, `bot:N` or `arbiter:ID`."""
    action: str | None
    """The service's own id of the action (UUIDv7)."""
    public: bytes
    seals: bytes
    sealed: bytes
    hash: bytes
    """32 bytes: `rehash` of all fields above except `sealed`, and of the previous event's hash."""
    position: int = 0
    """The event's number in the whole log, given at append and outside the hash; 0 until then."""


class SealedSection(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An opened sealed section: canonical bytes of its data, and its salt in hex.

    Its commitment would not cover another member.
    """

    data: msgspec.Raw
    salt: str


_encoder = msgspec.json.Encoder()
_sections = msgspec.json.Decoder(dict[str, SealedSection])


def rehash(event: Recorded, previous: bytes) -> bytes:
    """SHA-256 over the tag and the canonical header of an event that follows an event with the hash `previous`."""
    # In canonical order, which an object of these members is encoded in as it stands.
    header = {
        "action": event.action,
        "actor": event.actor,
        "at": event.at,
        "deal": event.deal,
        "game": event.game,
        "previous": previous.hex(),
        "public": sha256(event.public).hexdigest(),
        "schema": event.schema,
        "seals": msgspec.Raw(event.seals),
        "table": event.table,
        "type": event.type,
        "version": event.version,
    }
    return sha256(EVENT_TAG + _encoder.encode(header)).digest()


def seal(chance: bytes, version: int, sections: Mapping[str, object]) -> tuple[bytes, bytes]:
    """The `seals` and `sealed` bytes of an event with these sections by audience.

    Each section has a salt of its own, derived from `chance` (32 secret random bytes of the action).
    """
    if not sections:
        return b"{}", b"{}"
    commitments: dict[str, str] = {}
    opened: dict[str, SealedSection] = {}
    for audience in sorted(sections):
        data = canonical(sections[audience])
        salt = hmac.digest(chance, f"salt {version} {audience}".encode(), "sha256")
        commitments[audience] = commitment(salt, data)
        opened[audience] = SealedSection(msgspec.Raw(data), salt.hex())
    return _encoder.encode(commitments), _encoder.encode(opened)


def time_in(uuid: str) -> str:
    """The time in a UUIDv7 (RFC 9562), in the form of recorded times.

    Raises ValueError if the text is not a UUID, or its time is after the year 9999.
    """
    second, millisecond = divmod(int(uuid[:8] + uuid[9:13], 16), 1000)
    return f"{datetime.fromtimestamp(second, UTC):%Y-%m-%dT%H:%M:%S}.{millisecond:03}000Z"


def commitment(salt: bytes, data: bytes) -> str:
    """The commitment to a section, in hex: SHA-256 over its salt (32 bytes) and its canonical bytes."""
    return sha256(salt + data).hexdigest()


def sections(sealed: bytes) -> dict[str, SealedSection]:
    """The sections in `sealed` bytes, by audience. Raises msgspec.DecodeError if they are malformed."""
    return {} if sealed == b"{}" else _sections.decode(sealed)


def write(
    event: Event[Any], *, table: str, game: str, previous: bytes, at: str, action: str | None, chance: bytes
) -> Recorded:
    """The record of an event that follows an event with the hash `previous`. For `chance` see `seal`."""
    public = canonical(event.public)
    seals, sealed = seal(chance, event.version, event.sealed)
    payload = type(event.public)
    record = Recorded(
        table=table,
        game=game,
        version=event.version,
        deal=event.deal,
        type=payload.TYPE,
        schema=payload.SCHEMA,
        at=at,
        actor=event.actor,
        action=action,
        public=public,
        seals=seals,
        sealed=sealed,
        hash=b"",
    )
    return replace(record, hash=rehash(record, previous))
