"""Checks without the rules: the hash chain, the envelopes, the seals, and the choice of open sections."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

import msgspec

from domain.audit.findings import FailedCheck, Findings, Unchecked, unreadable
from domain.record.disclosure import Disclosure
from domain.record.recorded import GENESIS, Recorded, commitment, rehash, sections, time_in
from domain.seats import PUBLIC, Audience
from domain.table.events import TextErased
from domain.table.options import options_in
from domain.table.spectators import follow_late

UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""A UUID (RFC 9562) in lower case with hyphens."""

_UUID7 = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")


_seals = msgspec.json.Decoder(dict[str, str])


def check_chain(records: Iterable[Recorded], findings: Findings, before: Recorded | None = None) -> None:
    """Checks that versions run without a gap and that every event has the hash of its content.

    The events continue `before`, whose own hash is not checked; None: they are the first.
    """
    previous = GENESIS if before is None else before.hash
    due = 1 if before is None else before.version + 1
    for record in records:
        if record.version != due:
            findings.failed(FailedCheck("chain", due, record.version, due, "another version stands in its place"))
        computed = rehash(record, previous)
        if computed == record.hash:
            findings.passed("chain", record.version)
        else:
            findings.failed(FailedCheck("chain", record.version, record.hash.hex(), computed.hex(), "hash"))
        previous = record.hash
        # After a gap, counting continues from the version in the record; a version out of order counts as the due one.
        due = max(due, record.version) + 1


def check_envelopes(records: Sequence[Recorded], findings: Findings, *, times_rise: bool = True) -> None:
    """Checks that table and game never change, that positions rise, and that ids and times are well-formed.

    Times must exist and, if `times_rise`, neither go back nor lie before the time in the table's id.
    """
    if not records:
        return
    first = before = records[0]
    action: str | None = None
    at, earlier = _check_table_id(first, findings), "in the table's id"
    for record in records:
        # Events share table and game, and often action and time, so an equal value is not checked again.
        if record.table != first.table:
            findings.failed(FailedCheck("envelope", record.version, record.table, first.table, "table"))
        if record.game != first.game:
            findings.failed(FailedCheck("envelope", record.version, record.game, first.game, "game"))
        if record.action is None or record.action != action:
            action = record.action
            if action is None or not _UUID7.fullmatch(action):
                findings.failed(FailedCheck("envelope", record.version, action, None, "the form of action"))
        if record.at != at:
            if not _is_time(record.at):
                findings.failed(FailedCheck("envelope", record.version, record.at, None, "there is no such time"))
            else:
                if record.at < at and times_rise:
                    text = f"the time is earlier than that {earlier}"
                    findings.failed(FailedCheck("envelope", record.version, record.at, at, text))
                at, earlier = record.at, "of the event before"
        if before is not record and record.position <= before.position and record.position:
            text = "the position does not come after the one before"
            findings.failed(FailedCheck("envelope", record.version, record.position, before.position, text))
        before = record


def _check_table_id(first: Recorded, findings: Findings) -> str:
    """The time in the table's id. Empty, with a failed check added, if the id is not a UUIDv7."""
    if _UUID7.fullmatch(first.table):
        try:
            return time_in(first.table)
        except ValueError:
            pass
    findings.failed(FailedCheck("envelope", first.version, first.table, None, "the form of table"))
    return ""


def _is_time(text: str) -> bool:
    """Whether the text has the form of a recorded time, and the time exists."""
    if not _TIME.fullmatch(text):
        return False
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def check_seals(records: Iterable[Recorded], findings: Findings) -> None:
    """Checks that every open section matches the envelope's commitment."""
    for record in records:
        if record.sealed == b"{}":
            continue
        try:
            commitments = _commitments(record)
            for audience, section in sections(record.sealed).items():
                computed = commitment(bytes.fromhex(section.salt), bytes(section.data))
                recorded = commitments.get(audience)
                if recorded == computed and section.salt == section.salt.lower():
                    findings.passed("seals", record.version)
                else:
                    findings.failed(FailedCheck("seals", record.version, recorded, computed, audience))
        except Exception as error:  # every fault of a section is a failed check
            findings.failed(unreadable("seals", record.version, error))


def check_openings(
    records: Sequence[Recorded], audience: Audience, findings: Findings, known: Sequence[Recorded]
) -> None:
    """Checks that the open sections are exactly those that the audience may open now; erased words may be missing.

    The `known` events, which include these, determine which those are. Words may have been erased after the events
    that late spectators have seen so far (TL-6.1).
    """
    disclosure = Disclosure.of_records(known)
    late = audience == PUBLIC and not disclosure.over and _follows_late(records)
    erased = erased_sections(known)
    for record in records:
        if record.seals == b"{}" and record.sealed == b"{}":
            continue
        try:
            open_by_now = disclosure.open_to(audience, record, _commitments(record))
            expected = {section for section in open_by_now if (record.version, section) not in erased}
            present = set(sections(record.sealed))
            missing = expected - present
            if late and missing == {PUBLIC}:
                text = (
                    f"The words of event {record.version} are missing: they may have been erased after the last event."
                )
                findings.not_checked(Unchecked((record.version,), text))
                missing = set()
        except Exception as error:  # as above
            findings.failed(unreadable("openings", record.version, error))
            continue
        for text, differing in (("missing", missing), ("not to be open", present - expected)):
            if differing:
                what = f"{', '.join(sorted(differing))}: {text}"
                findings.failed(FailedCheck("openings", record.version, sorted(present), sorted(expected), what))
        if not missing and present <= expected:
            findings.passed("openings", record.version)


def _follows_late(records: Sequence[Recorded]) -> bool:
    """Whether the table's spectators see its events late."""
    try:
        return follow_late(options_in(records[0].public))
    except (IndexError, msgspec.DecodeError):
        return False  # rederivation reads the event too and reports the fault


def _commitments(record: Recorded) -> dict[str, str]:
    return _seals.decode(record.seals)


def erased_sections(records: Iterable[Recorded]) -> set[tuple[int, str]]:
    """The sections, by version and audience, that later events declare erased. Only free text can be erased."""
    erased: set[tuple[int, str]] = set()
    for record in records:
        if record.type == TextErased.TYPE:
            try:
                erasure = msgspec.json.decode(record.public, type=TextErased)
            except msgspec.DecodeError:
                continue  # rederivation reads the event too and reports the fault
            if erasure.audience == PUBLIC and erasure.version < record.version:
                erased.add((erasure.version, erasure.audience))
    return erased
