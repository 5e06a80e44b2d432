"""An event as it is served: its envelope, with its stored bytes inside, and the sections that an audience may open."""

import msgspec
from msgspec import Struct

from domain.kernel.event import redact
from domain.record.recorded import Recorded, SealedSection, sections
from domain.seats import HOUSE, Audience


class _Envelope(Struct, frozen=True, gc=False):
    """An event as served; fields in the order of the documentation."""

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
    sealed: msgspec.Raw | dict[str, SealedSection]
    hash: str


_plain = msgspec.json.Encoder()


def served(record: Recorded, audience: Audience, *, over: bool) -> bytes:
    """The event as JSON for the audience, its stored bytes inside; every section is open when it is `over`."""
    opened: msgspec.Raw | dict[str, SealedSection]
    if over or audience == HOUSE or record.sealed == b"{}":
        opened = msgspec.Raw(record.sealed)
    else:
        opened = redact(sections(record.sealed), audience)
    return _plain.encode(
        _Envelope(
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
            opened,
            record.hash.hex(),
        )
    )
