"""`codille fetch`: takes all finished games of a player along, into one file of records."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from domain.audit.verification import header_in
from service.cli.client import Client, Unreachable
from service.cli.progress import show_progress
from service.cli.verify_many import HEADER

TRIES = 5
"""The attempts in a row that may bring no further record."""

PAUSE_S = 1.0
"""Seconds before the second of these attempts; each further pause is twice as long."""

PIECE = 1 << 20
"""Bytes that are read at once."""

END = b'{"announcements":'
"""How the last line of every export begins."""


class NoRecords(Exception):
    """The file holds something else than records."""


class RecordsFile:
    """A file of whole records, one after the other, to which further ones are added."""

    def __init__(self, path: Path) -> None:
        """Keeps the whole records that are there, and drops one that was cut off. Raises OSError and NoRecords."""
        self.count = 0
        """The number of whole records."""
        self.last: str | None = None
        """The table of the last whole record."""
        self.met = False
        """Whether a record came that the file has already: it was dropped, and what comes after it would be, too."""
        self._tables: set[str] = set()
        self._adding = False
        self._whole = 0
        self._coming: str | None = None
        """The table of the record that is coming."""
        self._size = 0
        """The bytes of its whole lines."""
        self._rest = b""
        path.touch()
        self._file = path.open("r+b")
        while piece := self._file.read1(PIECE):
            self._look(piece)
        self.drop_rest()
        self._adding = True

    def write(self, data: bytes) -> None:
        """Adds what has come next, up to a record that the file has already."""
        self._file.write(data)
        self._look(data)

    def drop_rest(self) -> None:
        """Drops what follows the last whole record."""
        self._rest, self._coming, self.met = b"", None, False
        self._file.seek(self._whole)
        self._file.truncate()

    def close(self) -> None:
        """Closes the file, in which whole records alone are left."""
        self.drop_rest()
        self._file.close()

    def _look(self, data: bytes) -> None:
        """Notes which records end in what comes next."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._coming is None:
                header = header_in(line) if line.startswith(HEADER) else None
                if header is None:
                    raise NoRecords
                if self._adding and header.table in self._tables:
                    self.met = True
                    return
                self._coming, self._size = header.table, 0
            self._size += len(line) + 1
            if line.startswith(END):
                self.count += 1
                self._tables.add(self._coming)
                self.last, self._coming = self._coming, None
                self._whole += self._size


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
            for piece in pieces(after):
                file.write(piece)
                progress()
                if file.met:
                    break
        except Unreachable:
            tries, after = (1, file.last) if file.count > before else (tries + 1, after)
            if tries == TRIES:
                raise
            time.sleep(PAUSE_S * 2 ** (tries - 1))
        else:
            return
        finally:
            file.drop_rest()
