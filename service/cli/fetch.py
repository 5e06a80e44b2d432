"""`codille fetch`: takes all finished games of a player along, into one file of records."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from domain.audit.verification import header_in
from service.cli.client import Client, Unreachable
from service.cli.progress import show_progress
from service.cli.verify_many import HEADER

TRIES = 5
"""The attempts in a row that may bring no further record."""

PAUSE_S = 1.0
"""Seconds before the second of these attempts; each further pause is twice as long."""

END = b'{"announcements":'
"""How the last line of every export begins."""


class NoRecords(Exception):
    """The file holds something else than records."""


class RecordsFile:
    """A file of whole records, one after the other, to which further ones are added."""

    def __init__(self, path: Path) -> None:
        """Keeps the whole records that are there, and drops one that was cut off. Raises OSError and NoRecords."""
        self.count = 0
        """The number of records."""
        self.last: str | None = None
        """The table of the last record."""
        self.tables: set[str] = set()
        path.touch()
        self._file = path.open("r+b")
        size = 0
        for table, record in whole_records(self._file):
            self._note(table)
            size += len(record)
        self._file.seek(size)
        self._file.truncate()

    def add(self, table: str, record: bytes) -> None:
        """Adds a table's record."""
        self._file.write(record)
        self._note(table)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _note(self, table: str) -> None:
        self.count += 1
        self.last = table
        self.tables.add(table)


def whole_records(lines: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """The records in these lines, each with its table; one that is cut off is none. Raises NoRecords."""
    table, record = "", list[bytes]()
    for line in lines:
        if not line.endswith(b"\n"):
            return
        if not record:
            header = header_in(line[:-1]) if line.startswith(HEADER) else None
            if header is None:
                raise NoRecords
            table = header.table
        record.append(line)
        if line.startswith(END):
            yield table, b"".join(record)
            record = []


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of what comes in pieces, with their ends."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line + b"\n" for line in lines)


def fetch(client: Client, player: str, path: Path, filters: Mapping[str, str | Sequence[str]]) -> int:
    """Adds the records that the file lacks, and returns the number that it has then.

    First come those after the last whole record, then those of games that were finished since; each time up to a record
    that the file has. So the file may be interrupted anywhere, and lacks nothing. What is lost on the way is asked for
    again. Raises OSError, NoRecords, ServiceRefusal, and Unreachable if nothing more comes; then the whole records are
    kept.
    """
    file, address = RecordsFile(path), f"/v1/players/{player}/records.ndjson"
    record = client.get(f"/v1/players/{player}")["record"]
    games = 0 if record is None else record["games"]

    def pieces(after: str | None) -> Iterator[bytes]:
        return client.pieces(address, **(filters if after is None else {**filters, "after": after}))

    try:
        with show_progress("fetching", "records") as progress:
            for after in (None,) if file.last is None else (file.last, None):
                _add(file, pieces, after, lambda: progress(file.count, max(games, file.count + 1)))
            progress(file.count, file.count)
            return file.count
    finally:
        file.close()


def _add(
    file: RecordsFile,
    pieces: Callable[[str | None], Iterator[bytes]],
    after: str | None,
    progress: Callable[[], None],
) -> None:
    """Adds the records after a table, or from the newest on, up to one that the file has. Raises as `fetch`."""
    tries = 0
    while True:
        before = file.count
        try:
            for table, record in whole_records(_whole_lines(pieces(after))):
                if table in file.tables:
                    return
                file.add(table, record)
                progress()
        except Unreachable:
            tries, after = (1, file.last) if file.count > before else (tries + 1, after)
            if tries == TRIES:
                raise
            time.sleep(PAUSE_S * 2 ** (tries - 1))
        else:
            return
