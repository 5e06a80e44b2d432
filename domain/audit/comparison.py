"""Comparison of a recorded event with the same event computed again: all that it says, openly and sealed.

Its words are not compared: a sentence may be mended, and what was recorded before is as good as ever. They are bound by
hash and seal.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.audit.findings import FailedCheck, Findings
from domain.kernel.canonical import canonical
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line, worded
from domain.record.recorded import Recorded, sections
from domain.seats import HOUSE, PUBLIC
from domain.table.events import DealScored, GameFinished, lines_of
from domain.table.following import says_why_itself
from domain.table.rules import BASIS

_FIXED = frozenset({HOUSE, PUBLIC})
"""The audiences for which every event of a type has a section, if any has."""


def check_payload(record: Recorded, event: Event[Payload], findings: Findings) -> None:
    """Checks that the event, written again, gives the recorded bytes, and has the sections that its type always has."""
    written = canonical(event.public)
    if written != record.public:
        _unequal_bytes(record, "public", record.public, written, findings)
        return
    # Most events have no section: their cost is that of an audit.
    if event.public.SECTIONS:
        seals = set(msgspec.json.decode(record.seals, type=dict[str, str]))
        if not seals.issuperset(event.public.SECTIONS.keys() & _FIXED):
            due = sorted(event.public.SECTIONS.keys() & _FIXED)
            findings.failed(FailedCheck("payload", record.version, sorted(seals), due, "its sections"))
            return
    if record.sealed != b"{}":
        for audience, section in sections(record.sealed).items():
            written, data = canonical(event.sealed[audience]), bytes(section.data)
            if written != data:
                _unequal_bytes(record, f"sealed for {audience}", data, written, findings)
                return
    findings.passed("payload", record.version)


def _unequal_bytes(record: Recorded, what: str, recorded: bytes, computed: bytes, findings: Findings) -> None:
    texts = recorded.decode(errors="replace"), computed.decode()
    findings.failed(FailedCheck("payload", record.version, *texts, what))


def compare_events(game: Game, event: Event[Payload], computed: Event[Payload], findings: Findings) -> None:
    """Compares the recorded event with the computed one of the same type, whole: each field and all sections.

    Each is compared under the check that the type names for it, and under the rule that the game names for the check.
    Of words only this is compared: both lines of a pair have the same.
    """
    recorded, due, version = event.public, computed.public, event.version
    if recorded != due:
        due = in_words_of(recorded, due)
        _check_pairs(version, due.FIELD_CHECKS.get("lines", due.CHECK), lines_of(recorded), findings)
    if recorded == due and event.sealed == computed.sealed:
        # That all is equal costs one look; what each field rests on is still named.
        findings.passed(due.CHECK, version, rule_of(game, due.CHECK, due))
        for field, check in due.FIELD_CHECKS.items():
            if check == "ledger":
                _compare_lines(version, getattr(recorded, field), getattr(due, field), findings)
            elif getattr(due, field) is not UNSET:
                findings.passed(check, version, rule_of(game, check, due))
        return
    for field, name in zip(due.__struct_fields__, due.__struct_encode_fields__, strict=True):
        check = due.FIELD_CHECKS.get(field, due.CHECK)
        if check == "ledger":
            _compare_lines(version, getattr(recorded, field), getattr(due, field), findings)
        else:
            values = getattr(recorded, field), getattr(due, field)
            findings.compare(check, version, name, *values, rule_of(game, check, due))
    rule = rule_of(game, due.CHECK, due)
    findings.compare(due.CHECK, version, "sealed", event.sealed, computed.sealed, rule)


def in_words_of(recorded: Payload, computed: Payload) -> Any:
    """The computed payload in the words of the recorded one, which is of the same type.

    Words are the texts of lines, and the reason that a game's own rules give for its end.
    """
    lines = lines_of(computed)
    if lines:
        computed = replace(computed, lines=worded(lines, lines_of(recorded)))
    if isinstance(recorded, GameFinished) and isinstance(computed, GameFinished):
        reasons = recorded.reason, computed.reason
        if not any(map(says_why_itself, reasons)):
            computed = replace(computed, reason=recorded.reason)
    return computed


def equal_but_for_words(recorded: Payload, computed: Payload) -> bool:
    """Whether the two say the same, words left aside."""
    if recorded == computed:
        return True
    return type(recorded) is type(computed) and bool(recorded == in_words_of(recorded, computed))


def _check_pairs(version: int, check: str, lines: Sequence[Line], findings: Findings) -> None:
    """Checks that a line and its counter-line, which is booked after it, say the same."""
    for place, (line, counter) in enumerate(zip(lines[::2], lines[1::2], strict=False)):
        if line.text != counter.text:
            where = f"lines[{2 * place}] and lines[{2 * place + 1}]: the text"
            findings.failed(FailedCheck(check, version, line.text, counter.text, where, line.rule))


def rule_of(game: Game, check: str, payload: Payload) -> str | None:
    """The numbered rule that the check of an event with this payload rests on; None if the game names none.

    An outcome rests on the rule of the first line that is booked for it.
    """
    rule = BASIS.get(payload.TYPE) or game.basis.get(payload.TYPE) or BASIS.get(check) or game.basis.get(check)
    if rule is None and check == "outcome" and isinstance(payload, DealScored) and payload.lines:
        return payload.lines[0].rule
    return rule


def _compare_lines(version: int, recorded: Sequence[Line], computed: Sequence[Line], findings: Findings) -> None:
    """Compares what a deal booked line by line, each line under its own rule, and the number of lines."""
    for place, (booked, due) in enumerate(zip(recorded, computed, strict=False)):
        findings.compare("ledger", version, f"lines[{place}]", booked, due, due.rule)
    findings.compare("ledger", version, "the number of lines", len(recorded), len(computed))
