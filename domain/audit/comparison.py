"""Comparison of a recorded event with its recomputed form: every public field and every sealed section.

Words are not compared: a sentence may be corrected later, and earlier records stay valid. Hash and seal protect the
words.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.audit.findings import FailedCheck, Findings
from domain.kernel.canonical import canonical
from domain.kernel.dealing import places_learnt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line, worded
from domain.record.recorded import Recorded, sections
from domain.seats import HOUSE, PUBLIC, Audience, seat_audience
from domain.table.events import CardsDealt, DealScored, GameFinished, lines_of
from domain.table.following import says_why_itself
from domain.table.rules import BASIS
from domain.table.state import Table

_seals = msgspec.json.Decoder(dict[str, str])


def is_recorded(event: Event[Payload], record: Recorded) -> bool:
    """Whether the record has this event byte for byte, by the same actor and sealed for the same audiences."""
    public = event.public
    if (record.type, record.schema, record.actor) != (public.TYPE, public.SCHEMA, event.actor):
        return False
    sealed = {audience: canonical(section) for audience, section in event.sealed.items()}
    recorded = {audience: bytes(section.data) for audience, section in sections(record.sealed).items()}
    return (
        canonical(public) == record.public
        and recorded == sealed
        and sealed.keys() == _seals.decode(record.seals).keys()
    )


def check_payload(game: Game, table: Table, record: Recorded, event: Event[Payload], findings: Findings) -> None:
    """Checks that encoding the event again gives the recorded bytes, and that it is sealed for whom its type says."""
    written = canonical(event.public)
    if written != record.public:
        _unequal_bytes(record, "public", record.public, written, findings)
        return
    # Most events have no section, and this check runs on every one.
    if event.public.SECTIONS or record.seals != b"{}":
        seals = sorted(_seals.decode(record.seals))
        due = sorted(_sealed_for(game, table, event.public))
        if seals != due:
            findings.failed(FailedCheck("payload", record.version, seals, due, "its sections"))
            return
    if record.sealed != b"{}":
        for audience, section in sections(record.sealed).items():
            written, data = canonical(event.sealed[audience]), bytes(section.data)
            if written != data:
                _unequal_bytes(record, f"sealed for {audience}", data, written, findings)
                return
    findings.passed("payload", record.version)


def _sealed_for(game: Game, table: Table, public: Payload) -> Iterator[Audience]:
    """The audiences for which an event has a section.

    If its type has sections for seats, they are those that the payload names, or else all.
    """
    for kind in public.SECTIONS:
        if kind != "seat":
            yield kind
        elif isinstance(public, CardsDealt):
            standing = replace(table.standing, deal=public.deal, dealer=public.dealer)
            yield from places_learnt(game.dealing.portions(standing)).keys() - {HOUSE, PUBLIC}
        else:
            named = [getattr(public, field) for field in ("seat", "to") if field in public.__struct_fields__]
            yield from map(seat_audience, named or range(len(table.players)))


def _unequal_bytes(record: Recorded, what: str, recorded: bytes, computed: bytes, findings: Findings) -> None:
    texts = recorded.decode(errors="replace"), computed.decode()
    findings.failed(FailedCheck("payload", record.version, *texts, what))


def compare_events(game: Game, event: Event[Payload], computed: Event[Payload], findings: Findings) -> None:
    """Compares the recorded event with the computed one of the same type: every field and all sections.

    Each field is compared under the check that the type names for it, and under the rule that the game names for the
    check. The words need only be the same on both lines of a pair.
    """
    recorded, due, version = event.public, computed.public, event.version
    if recorded != due:
        due = in_words_of(recorded, due)
        _check_pairs(version, due.FIELD_CHECKS.get("lines", due.CHECK), lines_of(recorded), findings)
    if recorded == due and event.sealed == computed.sealed:
        # Equality costs one comparison; each field's check is still reported.
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
    """The computed payload with the words of the recorded one, which is of the same type.

    Words are the texts of lines, and the reason for a game's end that its own rules give.
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
    """Whether the two payloads are equal, apart from words."""
    if recorded == computed:
        return True
    return type(recorded) is type(computed) and bool(recorded == in_words_of(recorded, computed))


def _check_pairs(version: int, check: str, lines: Sequence[Line], findings: Findings) -> None:
    """Checks that each line and the counter-line booked after it have the same text."""
    for index, (line, counter) in enumerate(zip(lines[::2], lines[1::2], strict=False)):
        if line.text != counter.text:
            where = f"lines[{2 * index}] and lines[{2 * index + 1}]: the text"
            findings.failed(FailedCheck(check, version, line.text, counter.text, where, line.rule))


def rule_of(game: Game, check: str, payload: Payload) -> str | None:
    """The numbered rule behind the check of an event with this payload; None if the game names none.

    An outcome has the rule of the first line that is booked for it.
    """
    rule = BASIS.get(payload.TYPE) or game.basis.get(payload.TYPE) or BASIS.get(check) or game.basis.get(check)
    if rule is None and check == "outcome" and isinstance(payload, DealScored) and payload.lines:
        return payload.lines[0].rule
    return rule


def _compare_lines(version: int, recorded: Sequence[Line], computed: Sequence[Line], findings: Findings) -> None:
    """Compares a deal's lines one by one, each under its own rule, and their number."""
    for index, (booked, due) in enumerate(zip(recorded, computed, strict=False)):
        findings.compare("ledger", version, f"lines[{index}]", booked, due, due.rule)
    findings.compare("ledger", version, "the number of lines", len(recorded), len(computed))
