"""The published records of `api-spec/examples/records`: those that are intact, and altered ones as edits of them.

`python -m tests.support.corpus NAME ABOUT GAME RECORDED [VERSION]` adds a recorded game, up to that version, as an
intact record. Nothing else writes there: a record that stands there is never changed.
"""

import sys
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tests.golden.games import records
from tests.support.edits import Edit, built
from tests.support.exports import MemoryTransparency, exported, placed, verified

RECORDS = Path(__file__).parents[2] / "api-spec" / "examples" / "records"
INDEX = RECORDS / "index.json"


class Intact(Struct, frozen=True, forbid_unknown_fields=True):
    """A record that is intact."""

    file: str
    about: str
    complete: bool
    """Whether everything in it can be checked."""
    sha256: str

    @property
    def data(self) -> bytes:
        """The record."""
        return (RECORDS / self.file).read_bytes()


class Altered(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A record in which something is wrong, and the expected result of its verification."""

    name: str
    about: str
    of: str
    """The file of the intact record that is edited."""
    fails: str
    """The check that must fail."""
    event: int | None
    """The event that must be named, where it is an event's."""
    line: int | None
    """The line that must be named, where it is a line's."""
    edits: list[dict[str, Any]]

    @cached_property
    def data(self) -> bytes:
        """The record."""
        return built((RECORDS / self.of).read_bytes(), self.edits)


class LineEnds(Struct, frozen=True, forbid_unknown_fields=True):
    """A record that is intact, but for its line ends."""

    name: str
    about: str
    of: str
    """The file of the intact record that is edited."""
    edits: list[dict[str, Any]]


class Index(Struct, frozen=True, forbid_unknown_fields=True):
    """The file `index.json`."""

    key: str
    """The verifier key of the log."""
    records: list[Intact]
    altered: list[Altered]
    line_ends: list[LineEnds]


@cache
def index() -> Index:
    """The published records."""
    return msgspec.json.decode(INDEX.read_bytes(), type=Index)


def encoded(whole: Index) -> str:
    """The text of `index.json`: a record and an edit each have a line of their own."""
    made = {
        "records": map(_line, whole.records),
        "altered": map(_edited, whole.altered),
        "line_ends": map(_edited, whole.line_ends),
    }
    lists = (f'"{name}": [\n' + ",\n".join(each) + "\n]" for name, each in made.items())
    return "{\n" + ",\n".join((f'"key": {_line(whole.key)}', *lists)) + "\n}\n"


def _edited(one: Altered | LineEnds) -> str:
    without = _line(msgspec.structs.replace(one, edits=[])).removesuffix("[]}")
    return without + "[\n  " + ",\n  ".join(map(_line, one.edits)) + "]}"


def _line(value: Intact | Altered | LineEnds | Edit | str) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def add(name: str, about: str, data: bytes) -> None:
    """Adds an intact record. Raises SystemExit where there is one of that name, or the record is not intact."""
    found = verified(data, MemoryTransparency().verifier)
    if found.verdict != "intact" or any(one.file == f"{name}.ndjson" for one in index().records):
        sys.exit(f"{name} is there already, or is not intact")
    (RECORDS / f"{name}.ndjson").write_bytes(data)
    new = Intact(f"{name}.ndjson", about, not found.unchecked, sha256(data).hexdigest())
    whole = msgspec.structs.replace(index(), records=[*index().records, new])
    INDEX.write_text(encoded(whole), encoding="utf-8")
    index.cache_clear()


def main(name: str, about: str, of: str, recorded: str, version: str | None = None) -> None:
    """Adds a recorded game, up to this version."""
    until = None if version is None else int(version)
    add(name, about, exported(placed(records(of, recorded)[:until], first=3)))


if __name__ == "__main__":
    main(*sys.argv[1:])
