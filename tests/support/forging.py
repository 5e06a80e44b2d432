"""Forged records: something in an event is changed, and every seal and hash made anew, so that only the rules tell."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain.kernel.canonical import canonical
from domain.record.recorded import GENESIS, Recorded, commitment, rehash

Change = Callable[[dict[str, Any]], object]
"""Changes a payload where it stands."""


def nothing(_: dict[str, Any]) -> None:
    """Changes nothing."""


def forged(
    records: Sequence[Recorded], version: int, public: Change = nothing, sealed: Change = nothing
) -> list[Recorded]:
    """The records with the event of this version changed: what it says to all, and its sections, by audience."""
    event = records[version - 1]
    said, sections = msgspec.json.decode(event.public), msgspec.json.decode(event.sealed)
    public(said)
    sealed(sections)
    seals = {
        to: commitment(bytes.fromhex(section["salt"]), canonical(section["data"])) for to, section in sections.items()
    }
    changed = msgspec.structs.replace(
        event,
        public=canonical(said),
        sealed=canonical(sections),
        seals=canonical(msgspec.json.decode(event.seals) | seals),
    )
    return rehashed([*records[: version - 1], changed, *records[version:]])


def rehashed(records: Sequence[Recorded]) -> list[Recorded]:
    """The records with versions that count and every hash made anew."""
    previous, made = GENESIS, []
    for version, record in enumerate(records, 1):
        numbered = msgspec.structs.replace(record, version=version)
        made.append(msgspec.structs.replace(numbered, hash=rehash(numbered, previous)))
        previous = made[-1].hash
    return made
