"""Exports that earlier versions made verify as they did when they were made."""

import pytest

from domain.audit.verification import verify
from domain.record.history import Reader
from domain.registry import GAMES
from service.transparency.keys import ed25519
from tests.history.archives import ARCHIVES
from tests.support.for_each import Failures


@pytest.mark.parametrize("archive", ARCHIVES)
def test_each_export_of_an_earlier_version_is_intact(archive: str) -> None:
    exports = ARCHIVES[archive].exports
    assert exports
    failures = Failures()
    for name, export in exports.items():
        with failures.of({"export": name}):
            verified = verify(export, Reader(GAMES), ed25519)
            assert [check for check in verified.checks if not check.passed] == []
            assert verified.verdict == "intact"
    failures.report(len(exports))


@pytest.mark.parametrize("archive", ARCHIVES)
def test_an_export_of_an_earlier_version_that_was_changed_is_not(archive: str) -> None:
    lines = next(iter(ARCHIVES[archive].exports.values())).split(b"\n")
    place = next(number for number, line in enumerate(lines) if b'"type":"seat-taken"' in line)
    lines[place] = lines[place].replace(b'"seat":0', b'"seat":1')
    assert verify(b"\n".join(lines), Reader(GAMES), ed25519).verdict == "altered"
