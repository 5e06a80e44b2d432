"""Signatures of others on the notes in an export (C2SP signed-note) are ignored; false ones of its own keys are not."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.audit.verification import Verification
from domain.kernel.canonical import canonical
from domain.record.export import Trailer
from domain.record.recorded import Recorded
from tests.golden.games import records as golden_records
from tests.support.checker.export import wrong_with
from tests.support.exports import MemoryTransparency, exported, placed, signed_file, transparency_over, verified

SECOND_SECRET = b"\2" * 32
WITNESSES = [f"— witness.example/{number} {base64.b64encode(bytes([number]) * 76).decode()}\n" for number in range(20)]


@pytest.fixture(scope="module")
def closed() -> list[Recorded]:
    return placed(golden_records("crocodile", "left-and-closed"))


@pytest.fixture
def log(closed: list[Recorded]) -> MemoryTransparency:
    return transparency_over(closed)


def parts(log: MemoryTransparency, made: Sequence[Recorded]) -> tuple[bytes, dict[str, Any]]:
    """An export without its last line, and that line."""
    *lines, last = exported(made, transparency=log).splitlines(keepends=True)
    return b"".join(lines), json.loads(last)


def resigned(log: MemoryTransparency, before: bytes, trailer: dict[str, Any]) -> bytes:
    return signed_file(before, msgspec.convert(trailer, Trailer), log)


def failed(found: Verification) -> list[str]:
    return [check.name for check in found.checks if not check.passed]


def with_lines(log: MemoryTransparency, made: Sequence[Recorded], *lines: str) -> bytes:
    """An export whose checkpoint has these lines after its own signature."""
    before, trailer = parts(log, made)
    return resigned(log, before, trailer | {"checkpoint": trailer["checkpoint"] + "".join(lines)})


def test_lines_of_unknown_keys_on_a_checkpoint_are_ignored(closed: list[Recorded], log: MemoryTransparency) -> None:
    before, trailer = parts(log, closed)
    first = resigned(
        log, before, trailer | {"checkpoint": trailer["checkpoint"].replace("\n\n", f"\n\n{WITNESSES[0]}")}
    )
    for data in (first, with_lines(log, closed, *WITNESSES), with_lines(log, closed, WITNESSES[0], WITNESSES[0])):
        assert failed(verified(data, log.verifier)) == []
        assert wrong_with(data, log.verifier) == []


def test_lines_of_unknown_keys_on_an_announcement_are_ignored(closed: list[Recorded], log: MemoryTransparency) -> None:
    pinned = log.verifier
    log.rotate(SECOND_SECRET)
    before, trailer = parts(log, closed)
    (announcement,) = trailer["announcements"]
    data = resigned(log, before, trailer | {"announcements": [announcement + WITNESSES[0]]})
    assert failed(verified(data, pinned)) == []
    assert wrong_with(data, pinned) == []
    # The new key is one of the log's, and does not announce itself.
    own = log.sign(announcement.partition("\n\n")[0] + "\n").rpartition("\n\n")[2]
    data = resigned(log, before, trailer | {"announcements": [announcement + own]})
    assert failed(verified(data, pinned)) == ["signer"]


@pytest.mark.parametrize("kind", ["false", "short", "doubled"])
def test_a_line_of_a_known_key_must_be_true(closed: list[Recorded], log: MemoryTransparency, kind: str) -> None:
    _, trailer = parts(log, closed)
    true = trailer["checkpoint"].rpartition("\n\n")[2]
    _, name, encoded = true.split()
    id_ = base64.b64decode(encoded)[:4]
    signature = {"false": bytes(64), "short": bytes(40), "doubled": base64.b64decode(encoded)[4:]}[kind]
    line = f"— {name} {base64.b64encode(id_ + signature).decode()}\n"
    for lines in ([line], [WITNESSES[0], line]):
        assert failed(verified(with_lines(log, closed, *lines), log.verifier)) == ["checkpoint"]


def test_a_checkpoint_that_only_others_have_signed_is_none(closed: list[Recorded], log: MemoryTransparency) -> None:
    before, trailer = parts(log, closed)
    alone = trailer["checkpoint"].partition("\n\n")[0] + "\n\n" + "".join(WITNESSES)
    data = resigned(log, before, trailer | {"checkpoint": alone})
    assert failed(verified(data, log.verifier)) == ["checkpoint"]
    assert wrong_with(data, log.verifier) != []


def test_the_signature_of_the_file_has_one_line(closed: list[Recorded], log: MemoryTransparency) -> None:
    before, trailer = parts(log, closed)
    data = before + canonical(trailer | {"signature": trailer["signature"] + WITNESSES[0]}) + b"\n"
    assert failed(verified(data, log.verifier)) == ["signature"]
    assert wrong_with(data, log.verifier) != []
