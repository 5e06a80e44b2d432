"""Checks of a record's form: hash chain, envelopes, seals, and openings of cards."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from domain.audit.findings import FailedCheck, Findings, unreadable
from domain.record.disclosure import Disclosure
from domain.record.recorded import GENESIS, Recorded, commitment, rehash, sections
from domain.seats import PUBLIC, Audience
from domain.table.events import TextErased

_UUID7 = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_FORMS = {
    "table": _UUID7,
    "action": _UUID7,
    "at": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z"),
}

_seals = msgspec.json.Decoder(dict[str, str])


def chain(records: Iterable[Recorded], found: Findings) -> None:
    """Versions run from 1 without a gap, and every event carries the hash that it must."""
    previous = GENESIS
    due = 1
    for record in records:
        if record.version != due:
            found.failed(FailedCheck("chain", due, record.version, due, "another version stands in its place"))
        computed = rehash(record, previous)
        if computed == record.hash:
            found.passed("chain", record.version)
        else:
            found.failed(FailedCheck("chain", record.version, record.hash.hex(), computed.hex(), "hash"))
        previous = record.hash
        # After a gap the count goes on from there; after a version out of order, as if it had been right.
        due = max(due, record.version) + 1


def envelopes(records: Sequence[Recorded], found: Findings) -> None:
    """Table and game are the same throughout, positions rise, times and actions have their form."""
    if not records:
        return
    first = before = records[0]
    formed = dict.fromkeys(_FORMS, "")
    for record in records:
        for name, recorded in (("table", record.table), ("action", record.action), ("at", record.at)):
            # An event has its table, and often its action and time, in common with the one before.
            if recorded is None or recorded == formed[name]:
                continue
            if _FORMS[name].fullmatch(recorded):
                formed[name] = recorded
            else:
                found.failed(FailedCheck("envelope", record.version, recorded, None, f"the form of {name}"))
        if record.table != first.table:
            found.failed(FailedCheck("envelope", record.version, record.table, first.table, "table"))
        if record.game != first.game:
            found.failed(FailedCheck("envelope", record.version, record.game, first.game, "game"))
        if before is not record and record.position <= before.position and record.position:
            text = "the position does not come after the one before"
            found.failed(FailedCheck("envelope", record.version, record.position, before.position, text))
        before = record


def seals(records: Iterable[Recorded], found: Findings) -> None:
    """Every section that stands open is the one that the envelope commits to."""
    for record in records:
        if record.sealed == b"{}":
            continue
        try:
            promised = _promised(record)
            for audience, section in sections(record.sealed).items():
                computed = commitment(bytes.fromhex(section.salt), bytes(section.data))
                recorded = promised.get(audience)
                if recorded == computed and section.salt == section.salt.lower():
                    found.passed("seals", record.version)
                else:
                    found.failed(FailedCheck("seals", record.version, recorded, computed, audience))
        except Exception as error:  # whatever is wrong with a section, it is found, not raised
            found.failed(unreadable("seals", record.version, error))


def openings(records: Sequence[Recorded], audience: Audience, found: Findings) -> None:
    """Every section that the audience may open by now is open, unless its words were erased; and no other."""
    disclosure = Disclosure.of_records(records)
    erased = erased_sections(records)
    for record in records:
        if record.seals == b"{}" and record.sealed == b"{}":
            continue
        try:
            open_by_now = disclosure.open_to(audience, record, _promised(record))
            promised = {section for section in open_by_now if (record.version, section) not in erased}
            there = set(sections(record.sealed))
            missing = promised - there
        except Exception as error:  # as above
            found.failed(unreadable("openings", record.version, error))
            continue
        for text, differing in (("missing", missing), ("not to be open", there - promised)):
            if differing:
                what = f"{', '.join(sorted(differing))}: {text}"
                found.failed(FailedCheck("openings", record.version, sorted(there), sorted(promised), what))
        if not missing and there <= promised:
            found.passed("openings", record.version)


def _promised(record: Recorded) -> dict[str, str]:
    return _seals.decode(record.seals)


def erased_sections(records: Iterable[Recorded]) -> set[tuple[int, str]]:
    """The sections whose words were erased, as later events tell. Only free text can be."""
    found: set[tuple[int, str]] = set()
    for record in records:
        if record.type == TextErased.TYPE:
            try:
                erasure = msgspec.json.decode(record.public, type=TextErased)
            except msgspec.DecodeError:
                continue  # it is found where the event is read
            if erasure.audience == PUBLIC and erasure.version < record.version:
                found.add((erasure.version, erasure.audience))
    return found
