"""Exports that earlier versions made verify as they did when they were made."""

import pytest

from domain.audit.verification import verify
from domain.record.history import Reader
from domain.registry import GAMES
from service.transparency.keys import ed25519
from tests.history.archives import ARCHIVES

EXPORTS = [(name, export) for name, archive in ARCHIVES.items() for export in archive.exports]


@pytest.mark.parametrize(("archive", "export"), EXPORTS, ids=["/".join(each) for each in EXPORTS])
def test_an_export_of_an_earlier_version_is_intact(archive: str, export: str) -> None:
    verified = verify(ARCHIVES[archive].exports[export], Reader(GAMES), ed25519)
    assert [check for check in verified.checks if not check.passed] == []
    assert verified.verdict == "intact"


@pytest.mark.parametrize(("archive", "export"), EXPORTS[::7], ids=["/".join(each) for each in EXPORTS[::7]])
def test_an_export_of_an_earlier_version_that_was_changed_is_not(archive: str, export: str) -> None:
    lines = ARCHIVES[archive].exports[export].split(b"\n")
    place = next(number for number, line in enumerate(lines) if b'"type":"seat-taken"' in line)
    lines[place] = lines[place].replace(b'"seat":0', b'"seat":1')
    assert verify(b"\n".join(lines), Reader(GAMES), ed25519).verdict == "altered"
