"""Verification of an exported record from the file alone, and from trusted keys if any are given.

Every line must be the canonical bytes of its value. How lines end is a finding of its own, and no fault. The record is
audited as the log is. Each event must be in the tree whose signed checkpoint the file carries, and the whole file must
be signed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.audit.findings import TEXTS, Audit, Check
from domain.kernel.canonical import canonical
from domain.record.envelope import EventEnvelope
from domain.record.export import FORMAT, FORMAT_1, Header, Trailer, Trailer1, encode_line, signed_text, with_line_feeds
from domain.record.history import Reader
from domain.record.merkle import leaf_hash, root_from_inclusion
from domain.record.note import (
    BadKey,
    VerifierKey,
    announcement_text,
    parse_checkpoint,
    parse_key,
    parse_note,
)
from domain.record.recorded import Recorded

Ed25519: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Whether a signature (64 bytes) by a public key (32 bytes) over a message is good (RFC 8032).

The arguments are the key, the signature and the message.
"""

Conforming: TypeAlias = Callable[[Mapping[str, Any]], str | None]
"""What in an exported event, a JSON object with all members of one, its type does not allow; None if nothing."""

Verdict: TypeAlias = Literal["intact", "unpinned", "altered", "unknown", "unreadable"]
"""`unpinned`: no fault, but no key was given, so anybody may have signed it.
`unknown`: no fault, but this version does not know the record's rules or one of its events, so cannot judge it.
`unreadable`: the file is not an export.
"""

T = TypeVar("T", bound=Struct)

BIGGEST = 2**53
"""Integers in canonical JSON are smaller than this, and greater than its negative."""

CHECKS: dict[str, str] = {
    "form": "Each line is exactly the canonical bytes of its value.",
    "header": "The first line names the table, its last event and whom it was exported for.",
    **TEXTS,
    "inclusion": "Each event stands at its position in the log's tree.",
    "checkpoint": "The checkpoint of the log is signed.",
    "signature": "The file is signed as a whole.",
    "signer": "Each key is announced by the one before it, and one of them was given.",
}
"""The sentence for each check that passed, in the order in which checks are reported."""

UNPINNED = "The signer is not pinned: anyone could have signed this. Give the log's key, as its keeper publishes it."

LINE_ENDS = "Its line ends are not an export's, or a byte order mark comes first: mail, editors and git leave files so."


class Verification(Struct, frozen=True):
    """The outcome: the verdict, the checks made, and the events that could not be checked."""

    verdict: Verdict
    table: str | None
    game: str | None
    audience: str | None
    events: int
    checks: tuple[Check, ...]
    unchecked: tuple[str, ...]
    line_ends: str | None = None
    """The finding that the lines do not end as they were exported, which is no fault; None if they do."""


def verify(
    data: bytes, reader: Reader, ed25519: Ed25519, conforming: Conforming, keys: Sequence[str] = ()
) -> Verification:
    """Checks an export, with `keys`, the trusted verifier keys of its log.

    If any are given, the file must name one of them; keys that signed later are announced in the file. Without `keys`,
    any log may have signed it. Raises BadKey if one of `keys` is not a verifier key, and nothing else, whatever the
    file holds.
    """
    pinned = frozenset(parse_key(trimmed(key)) for key in keys)
    exported = with_line_feeds(data)
    *lines, _ = exported.split(b"\n")
    header = header_in(lines[0])
    if header is None:
        text = f"This is no export of the format {FORMAT}, nor of {FORMAT_1}."
        return Verification("unreadable", None, None, None, 0, (_result("form", text),), ())
    failed = list(_check_form(lines))
    last = lines[-1] if len(lines) > 1 else b""
    trailer = _decode(last, Trailer) if header.format == FORMAT else _decode(last, Trailer1)
    if trailer is None:
        failed.append(
            _result("form", f"The last line is missing or broken: the file is cut off after line {len(lines)}.")
        )
    records = list(_records(lines[1:] if trailer is None else lines[1:-1], failed))
    failed += _check_header(header, records)
    audited = _audit(reader, records, header.audience)
    unchecked = [one.text for one in audited.unchecked]
    passed = [check for check in audited.checks if check.passed]
    failed += [check for check in audited.checks if not check.passed]
    if trailer is not None:
        before = exported[: len(exported) - len(last) - 1]
        proofs = [*_check_inclusion(trailer, records), *_check_checkpoint(trailer, ed25519)]
        if isinstance(trailer, Trailer1):
            proofs += _check_first_signers(trailer, ed25519, pinned)
            digest = sha256(before).digest()
            proofs += _check_signature(trailer.signature, _keys(trailer), header.table, digest, ed25519)
        else:
            digest = sha256(before + encode_line(replace(trailer, signature=""))).digest()
            proofs += _check_keys(trailer, ed25519, pinned)
            proofs += _check_signature(trailer.signature, _keys(trailer)[-1:], header.table, digest, ed25519)
        failed += [check for check in proofs if not check.passed]
        passed += [check for check in proofs if check.passed]
    if not failed and audited.verdict != "not-judged":
        failed += _check_members(lines[1:-1], conforming)
    if not pinned:
        unchecked.append(UNPINNED)
    verdict: Verdict = "altered" if failed else "unknown" if audited.verdict == "not-judged" else "intact"
    checks = [*_passed_line_checks(failed, len(lines), len(records)), *passed, *failed]
    order = list(CHECKS)
    return Verification(
        "unpinned" if verdict == "intact" and not pinned else verdict,
        header.table,
        records[0].game if records else None,
        header.audience,
        len(records),
        tuple(sorted(checks, key=lambda check: order.index(check.name))),
        tuple(unchecked),
        None if exported == data else LINE_ENDS,
    )


def _audit(reader: Reader, records: Sequence[Recorded], audience: str) -> Audit:
    """The audit of the events. A record without events is altered."""
    if not records:
        return Audit("altered", (Check("acts", False, None, (), None, None, "There is no event after line 1."),))
    return audit(reader, records, audience=audience)


def _result(name: str, text: str, *, passed: bool = False, events: tuple[int, ...] = ()) -> Check:
    return Check(name, passed, None, events, None, None, text)


def _passed_line_checks(failed: Sequence[Check], lines: int, events: int) -> Iterator[Check]:
    """The checks of lines that passed."""
    names = {check.name for check in failed}
    if "form" not in names:
        yield _result("form", f"{CHECKS['form']} {lines} lines.", passed=True)
    if "header" not in names:
        yield _result("header", CHECKS["header"], passed=True, events=(events,))


def _check_form(lines: Sequence[bytes]) -> Iterator[Check]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line.decode(), parse_int=_integer, parse_float=_refused, parse_constant=_refused)
            if canonical(value) != line:
                yield _result("form", f"Line {number} is not the canonical form of its value.")
        except (ValueError, RecursionError):
            yield _result("form", f"Line {number} is not JSON, or has a number that is no integer of at most 53 bits.")


def _integer(digits: str) -> int:
    number = int(digits)
    if not -BIGGEST < number < BIGGEST:
        raise ValueError
    return number


def _refused(_: str) -> NoReturn:
    raise ValueError


def _decode(line: bytes, type: type[T]) -> T | None:
    try:
        return msgspec.json.decode(line, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _records(lines: Sequence[bytes], failed: list[Check]) -> Iterator[Recorded]:
    """The events of these lines. A line without an event is skipped and added to `failed`."""
    for number, line in enumerate(lines, 2):
        record = event_in(line)
        if record is None:
            failed.append(_result("form", f"Line {number} holds no event, or a hash that is not 64 small hex digits."))
        else:
            yield record


def trimmed(key: str) -> str:
    """The key without what a file that was carried may have around it."""
    return key.strip().strip("\ufeff").strip()


def header_in(line: bytes) -> Header | None:
    """The header in the first line of an export; None if the line is not one."""
    header = _decode(line, Header)
    return header if header is not None and header.format in (FORMAT, FORMAT_1) else None


def event_in(line: bytes) -> Recorded | None:
    """The event in a line of an export; None if the line holds none."""
    try:
        envelope = msgspec.json.decode(line, type=EventEnvelope)
        record = envelope.recorded()
    except (ValueError, RecursionError):
        return None
    return record if record.hash.hex() == envelope.hash and len(record.hash) == 32 else None


def _check_members(lines: Sequence[bytes], conforming: Conforming) -> Iterator[Check]:
    """Checks the members of these events, all of which are known here and right in all else."""
    for number, line in enumerate(lines, 2):
        text = conforming(msgspec.json.decode(line))
        if text is not None:
            what = f"Line {number} has a value that its type does not allow: {text}."
            yield _result("payload", what, events=(number - 1,))


_AUDIENCE = re.compile(r"public|seat:[0-9]")


def _check_header(header: Header, records: Sequence[Recorded]) -> Iterator[Check]:
    if not _AUDIENCE.fullmatch(header.audience):
        yield _result("header", f"The first line names an audience that there is not: {header.audience!r}.")
    if not records:
        return
    end = records[-1]
    for name, recorded_, computed in (
        ("table", header.table, end.table),
        ("version", header.version, end.version),
        ("head", header.head, end.hash.hex()),
    ):
        if recorded_ != computed:
            text = (
                f"The first line and the last event differ in {name}: events are missing, or not these were exported."
            )
            yield Check("header", False, None, (end.version,), recorded_, computed, text)


def _check_inclusion(trailer: Trailer | Trailer1, records: Sequence[Recorded]) -> Iterator[Check]:
    """Checks that each event is in the checkpoint's tree."""
    try:
        size, root = parse_checkpoint(trailer.checkpoint)
    except ValueError as error:
        yield _result("checkpoint", f"The last line holds no checkpoint of the log: {error}.")
        return
    if len(trailer.proofs) != len(records):
        yield _result(
            "inclusion", f"There are {len(records)} events, and proofs for {len(trailer.proofs)} in the last line."
        )
    included = []
    for record, path in zip(records, trailer.proofs, strict=False):
        try:
            nodes = [bytes.fromhex(node) for node in path]
            if [node.hex() for node in nodes] != list(path) or any(len(node) != 32 for node in nodes):
                raise ValueError
            computed = root_from_inclusion(leaf_hash(record.hash), record.position - 1, size, nodes)
        except ValueError:
            what = f"The proof of event {record.version} (line {record.version + 1}) is not well-formed."
            yield _result("inclusion", what, events=(record.version,))
            continue
        if computed == root:
            included.append(record.version)
            continue
        what = (
            f"Event {record.version} (line {record.version + 1}) does not stand at position {record.position} of the "
            "log, or its proof is another one's."
        )
        yield Check("inclusion", False, None, (record.version,), root.hex(), computed.hex(), what)
    if included:
        what = f"{CHECKS['inclusion']} The tree has {size} leaves."
        yield _result("inclusion", what, passed=True, events=tuple(included))


def _check_keys(trailer: Trailer, ed25519: Ed25519, pinned: frozenset[VerifierKey]) -> Iterator[Check]:
    """Checks that each key announces the next and, if any keys are pinned, that one of the file's keys is.

    Trust in a key extends to the keys that sign after it, and the last of them signs the file.
    """
    keys = _keys(trailer)
    if not keys or len(keys) != len(trailer.keys) or len(set(keys)) != len(keys):
        yield _result("signer", "The last line names no key, one that is none, or one of them twice.")
        return
    if len(trailer.announcements) != len(keys) - 1:
        what = f"The last line names {len(keys)} keys and holds {len(trailer.announcements)} announcements."
        yield _result("signer", what)
        return
    for before, after, announcement in zip(keys, keys[1:], trailer.announcements, strict=False):
        try:
            announced = _signed(announcement, keys, ed25519)
        except ValueError:
            announced = "", []
        if announced != (announcement_text(after), [before]):
            yield _result("signer", f"{after} in the last line is not announced by the key before it.")
            return
    if pinned and pinned.isdisjoint(keys):
        yield _result("signer", f"It is signed by {keys[-1]}, which is none of the keys given, nor announced by one.")
    elif pinned:
        yield _result("signer", CHECKS["signer"], passed=True)


def _check_checkpoint(trailer: Trailer | Trailer1, ed25519: Ed25519) -> Iterator[Check]:
    """Checks that keys of the log have signed the checkpoint."""
    try:
        _, signers = _signed(trailer.checkpoint, _keys(trailer), ed25519)
    except ValueError as error:
        yield _result("checkpoint", f"The checkpoint in the last line is no note of the log's keys: {error}.")
        return
    yield _result("checkpoint", f"{CHECKS['checkpoint']} {_by(signers)}", passed=True)


def _check_first_signers(trailer: Trailer1, ed25519: Ed25519, pinned: frozenset[VerifierKey]) -> Iterator[Check]:
    """Checks the keys of an export of the first format: each has signed something and, if any are pinned, each is.

    Keys in this format do not announce each other.
    """
    keys = _keys(trailer)
    if not keys or len(keys) != len(trailer.keys) or len(set(keys)) != len(keys):
        yield _result("signer", "The last line names no key, one that is none, or one of them twice.")
        return
    signers: set[VerifierKey] = set()
    for note in (trailer.checkpoint, trailer.signature):
        with suppress(ValueError):  # the checks of the checkpoint and of the signature report the fault
            signers.update(_signed(note, keys, ed25519)[1])
    for key in keys:
        if key not in signers:
            yield _result("signer", f"The last line names {key}, which has signed nothing.")
            return
        if pinned and key not in pinned:
            yield _result("signer", f"It is signed by {key}, which is none of the keys given.")
            return
    if pinned:
        yield _result("signer", "Its keys were all given.", passed=True)


def _check_signature(
    signature: str, keys: Sequence[VerifierKey], table: str, digest: bytes, ed25519: Ed25519
) -> Iterator[Check]:
    """Checks that one of these keys has signed this digest of the file's other bytes."""
    try:
        text, signers = _signed(signature, keys, ed25519)
        if len(parse_note(signature)[1]) != 1:
            raise ValueError("others have signed it, too")
    except ValueError as error:
        yield _result("signature", f"The signature in the last line is no note of the last key: {error}.")
        return
    due = signed_text(table, digest)
    if text == due:
        yield _result("signature", f"{CHECKS['signature']} {_by(signers)}", passed=True)
    else:
        what = "The signature in the last line is for other bytes than those of this file: something was changed."
        yield Check("signature", False, None, (), text, due, what)


def _keys(trailer: Trailer | Trailer1) -> list[VerifierKey]:
    """The valid keys in the last line."""
    keys = []
    for text in trailer.keys:
        with suppress(BadKey):
            keys.append(parse_key(text))
    return keys


def _signed(note: str, keys: Sequence[VerifierKey], ed25519: Ed25519) -> tuple[str, list[VerifierKey]]:
    """The text of a note, and those of the keys that have signed it, at least one.

    Signatures of other keys are ignored (C2SP signed-note). Raises ValueError if it is not a note, none of the keys has
    signed it, or a signature that names one of them is false or repeated.
    """
    text, signatures = parse_note(note)
    known = {(key.name, key.id): key for key in keys}
    signers: list[VerifierKey] = []
    for signature in signatures:
        key = known.get((signature.name, signature.id))
        if key is None:
            continue
        if key in signers:
            raise ValueError(f"the signature of {key.name} ({key.id.hex()}) stands there twice")
        if not ed25519(key.public, signature.signature, text.encode()):
            raise ValueError(f"it is not signed by {key.name} ({key.id.hex()}), as it says")
        signers.append(key)
    if not signers:
        raise ValueError("none of the log's keys has signed it")
    return text, signers


def _by(signers: Sequence[VerifierKey]) -> str:
    return f"By {', '.join(f'{key.name} ({key.id.hex()})' for key in signers)}."
