"""Exports that earlier versions made verify as they did when they were made."""

from tests.history.archives import ARCHIVES
from tests.support.exports import verified
from tests.support.for_each import Failures


def exports() -> list[tuple[str, str, bytes]]:
    """All exports, each with the names of its archive and of itself."""
    return [(name, own, data) for name, archive in ARCHIVES.items() for own, data in archive.exports.items()]


def test_exports_of_earlier_versions_are_intact() -> None:
    failures = Failures()
    for archive, name, data in exports():
        with failures.of({"archive": archive, "export": name}):
            checked = verified(data)
            assert [check for check in checked.checks if not check.passed] == []
            assert checked.verdict == "unpinned"
    failures.report(len(exports()))


def test_exports_of_earlier_versions_that_were_changed_are_not() -> None:
    changed = exports()[::7]
    assert changed
    failures = Failures()
    for archive, name, data in changed:
        with failures.of({"archive": archive, "export": name}):
            lines = data.split(b"\n")
            place = next(number for number, line in enumerate(lines) if b'"type":"seat-taken"' in line)
            lines[place] = lines[place].replace(b'"seat":0', b'"seat":1')
            assert verified(b"\n".join(lines)).verdict == "altered"
    failures.report(len(changed))
