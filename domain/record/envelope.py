"""An event outside the log: its envelope around its stored bytes, with the sections that an audience may open."""

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from domain.kernel.event import redact
from domain.record.recorded import Recorded, sections
from domain.seats import HOUSE, Audience


class EventEnvelope(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An event as it is served and exported; fields in the order of the documentation."""

    table: str
    game: str
    version: int
    position: int
    deal: int | None
    type: str
    schema: int
    at: str
    actor: str
    action: str | None
    public: msgspec.Raw
    seals: msgspec.Raw
    sealed: msgspec.Raw
    """The open sections, by audience."""
    hash: str
    """In hex."""

    def recorded(self) -> Recorded:
        """The event as a record with these sections alone. Raises ValueError if the hash is not hexadecimal."""
        stored = {name: bytes(getattr(self, name)) for name in ("public", "seals", "sealed")}
        return Recorded(**asdict(self) | stored | {"hash": bytes.fromhex(self.hash)})


_plain = msgspec.json.Encoder()


def enveloped(record: Recorded, audience: Audience, *, over: bool) -> EventEnvelope:
    """The event with the sections that the audience may open when it happens, or with all sections if it is `over`."""
    sealed = record.sealed
    if not (over or audience == HOUSE or sealed == b"{}"):
        # A record's sections are in canonical order, and the remaining ones keep it.
        sealed = _plain.encode(redact(sections(sealed), audience))
    return EventEnvelope(
        record.table,
        record.game,
        record.version,
        record.position,
        record.deal,
        record.type,
        record.schema,
        record.at,
        record.actor,
        record.action,
        msgspec.Raw(record.public),
        msgspec.Raw(record.seals),
        msgspec.Raw(sealed),
        record.hash.hex(),
    )


def served(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """The event as JSON for the audience; see `enveloped`."""
    return _plain.encode(enveloped(record, audience, over=over))
