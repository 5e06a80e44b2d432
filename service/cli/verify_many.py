"""`codille verify` for many records: a stream of exports, or a folder of such files, on all cores."""

import gzip
import os
import sys
import zlib
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from io import BufferedIOBase, BufferedReader
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import msgspec
import zstandard
from msgspec import Struct
from rich.text import Text

from domain.audit.verification import Conforming, Verdict, header_in, verify
from domain.kernel.game import Game
from domain.record.history import Reader
from service.cli.progress import show_progress
from service.cli.terminal_text import console, counted, plain, table
from service.describe.conforming import conforming
from service.queries.dump_files import DumpManifest, LineCounts, manifest_paths, read_manifest
from service.transparency.keys import ed25519

SUFFIXES = (".ndjson", ".ndjson.gz", ".ndjson.zst")
"""The ends of the names of files with records."""

MOST_BYTES = 1 << 30
"""The most bytes of one record. What is compressed may unpack to anything."""

MOST_NAMED = 20
"""The most records that are named, of those in which something is wrong."""

WAITING = 4
"""The records that wait for each process."""

HEADER = b'{"audience":'
"""How the first line of every export begins."""

WORST: Sequence[Verdict] = ("altered", "unreadable", "unknown", "unpinned", "intact")
"""The verdicts, the worst first."""

Source: TypeAlias = tuple[str, bytes]
"""Where a record stands, and its bytes."""


class Unpackable(Exception):
    """A file cannot be read to its end; the argument is the reason."""


class Verified(Struct, frozen=True):
    """What the verification of one record came to."""

    place: str
    verdict: Verdict
    events: int = 0
    reason: str = ""
    """The first check that failed, in words."""


class PackedFiles:
    """Files of records, one after the other. They are read once."""

    def __init__(self, paths: Sequence[Path], dumps: "Dumped") -> None:
        self._paths = paths
        self.dumps = dumps
        """The dumps among them."""
        self.size = sum(path.stat().st_size for path in paths)
        """The bytes of all files, as they are packed."""
        self.read = 0
        """The bytes of these that have been read."""

    def __iter__(self) -> Iterator[Source | Verified]:
        """The records of all files. A file that cannot be read to its end gives an unreadable one in the end, and a
        dump that is not as its manifest says an altered one.
        """
        yield from self.dumps.faults
        for path in self._paths:
            before, manifest = self.read, self.dumps.manifests.get(path)
            checking = None if manifest is None else DumpCheck(manifest)
            try:
                with path.open("rb") as raw:
                    for record in exports(unpacked(raw)):
                        self.read = before + raw.tell()
                        if checking is not None:
                            checking.add(record)
                        if record or checking is None:
                            yield str(path), record
                if checking is not None and (fault := checking.fault()):
                    yield Verified(str(path), "altered", reason=fault)
            except (OSError, EOFError, zlib.error, zstandard.ZstdError, Unpackable) as error:
                yield Verified(str(path), "unreadable", reason=f"it cannot be read to its end: {error}")
            self.read = before + path.stat().st_size


class Dumped:
    """The dumps in a folder and the folders in it, by their manifests."""

    def __init__(self, folder: Path | None) -> None:
        self.manifests: dict[Path, DumpManifest] = {}
        """By the file that each describes."""
        self.faults: list[Verified] = []
        """What is wrong with manifests, and files that are missing."""
        for path in () if folder is None else manifest_paths(folder):
            try:
                manifest = read_manifest(path)
            except (OSError, ValueError) as error:
                self.faults.append(Verified(str(path), "unreadable", reason=f"this is no manifest of a dump: {error}"))
                continue
            self.manifests[path.with_name(manifest.file)] = manifest
            if not path.with_name(manifest.file).is_file():
                self.faults.append(Verified(str(path), "altered", reason=f"its file {manifest.file} is missing"))


class DumpCheck:
    """Compares a dump with its manifest, record by record."""

    def __init__(self, manifest: DumpManifest) -> None:
        self._manifest = manifest
        self._counts = LineCounts()
        self._checkpoint = b'"checkpoint":' + msgspec.json.encode(manifest.checkpoint)
        self._other = 0
        """The number of records with another checkpoint."""

    def add(self, record: bytes) -> None:
        """Counts a record; an empty dump gives one without bytes, which is none."""
        if record:
            self._counts.add(record)
            self._other += self._checkpoint not in record[record.rfind(b"\n", 0, -1) :]

    def fault(self) -> str:
        """What differs from the manifest, in words; empty if nothing does."""
        for name, value in self._counts.counted().items():
            if (said := getattr(self._manifest, name)) != value:
                return f"its manifest says {said} of {name}, and it has {value}"
        return f"{counted(self._other, 'record')} have another checkpoint than its manifest" if self._other else ""


def unpacked(raw: BufferedReader) -> BufferedIOBase:
    """The file's content, unpacked by how it begins, whatever its name is."""
    begin = raw.read(4)
    raw.seek(0)
    if begin.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)
    if begin == b"\x28\xb5\x2f\xfd":
        return BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
    return raw


def exports(file: BufferedIOBase) -> Iterator[bytes]:
    """The exports in a stream: each begins with its header's line. What comes before the first is one too.

    Raises Unpackable if one is too large.
    """
    size, lines = 0, list[bytes]()
    while line := file.readline(MOST_BYTES + 1):
        if lines and line.startswith(HEADER) and header_in(line.rstrip(b"\r\n")) is not None:
            yield b"".join(lines)
            size, lines = 0, []
        if len(line) > MOST_BYTES:
            raise Unpackable(f"a line has more than {MOST_BYTES} bytes")
        size += len(line)
        if size > MOST_BYTES:
            raise Unpackable(f"a record has more than {MOST_BYTES} bytes")
        lines.append(line)
    yield b"".join(lines)


def files_in(path: Path) -> list[Path]:
    """The file, or the files with records in a folder and the folders in it, in order."""
    if not path.is_dir():
        return [path]
    return sorted(one for one in path.rglob("*") if one.name.endswith(SUFFIXES) and one.is_file())


def first_two(files: PackedFiles) -> tuple[list[Source | Verified], Iterator[Source | Verified]]:
    """The first two records, and all of them."""
    records = iter(files)
    first = list(islice(records, 2))
    return first, chain(first, records)


def run_many(
    files: PackedFiles, records: Iterator[Source | Verified], games: Mapping[str, Game], keys: Sequence[str]
) -> Verdict | None:
    """Checks the records by these games on all cores, prints counts by verdict, and returns the worst verdict.

    None if there is no record, or a process ended.
    """
    counts: Counter[Verdict] = Counter()
    events, named = 0, list[Verified]()
    try:
        for done in _verified(files, records, games, keys):
            counts[done.verdict] += 1
            events += done.events
            if done.verdict not in ("intact", "unpinned") and len(named) < MOST_NAMED:
                named.append(done)
    except BrokenProcessPool:
        console(sys.stderr).print("codille: a process that verified has ended; there may be too little memory")
        return None
    output = console()
    if not counts:
        # A month may have no games.
        return "intact" if files.dumps.manifests else None
    for one in named:
        output.print(Text.assemble((f"{one.verdict}: ", "bold red"), f"{plain(one.place)}: {plain(one.reason)}"))
    wrong = sum(counts[verdict] for verdict in WORST[:3])
    if wrong > len(named):
        output.print(f"… and {wrong - len(named)} more")
    rows = [(verdict, f"{counts[verdict]:,}") for verdict in reversed(WORST) if counts[verdict]]
    output.print(table(["verdict", "records"], rows))
    output.print(f"{counted(counts.total(), 'record')} · {counted(events, 'event')}")
    return next(verdict for verdict in WORST if counts[verdict])


def _verified(
    files: PackedFiles, records: Iterator[Source | Verified], games: Mapping[str, Game], keys: Sequence[str]
) -> Iterator[Verified]:
    """The results, in the order of the records."""
    processes = os.cpu_count() or 1
    waiting: deque[Verified | Future[Verified]] = deque()
    with ExitStack() as stack:
        # A forked process has the games, which need not be pickled.
        pool = stack.enter_context(
            ProcessPoolExecutor(processes, get_context("fork"), _Worker.start, (games, tuple(keys)))
        )
        # All processes are forked before the bar has a thread.
        pool.submit(int).result()
        progress = stack.enter_context(show_progress("verifying", "kB"))
        for record in records:
            waiting.append(record if isinstance(record, Verified) else pool.submit(_Worker.verified, record))
            if len(waiting) > WAITING * processes:
                yield _result(waiting.popleft())
                progress(min(files.read, files.size - 1) // 1000, files.size // 1000)
        while waiting:
            yield _result(waiting.popleft())
        progress(files.size // 1000, files.size // 1000)


def _result(one: "Verified | Future[Verified]") -> Verified:
    return one if isinstance(one, Verified) else one.result()


class _Worker:
    """What one process needs to verify records."""

    reader: Reader
    conforming: Conforming
    keys: Sequence[str]

    @classmethod
    def start(cls, games: Mapping[str, Game], keys: Sequence[str]) -> None:
        """Prepares this process."""
        cls.reader, cls.conforming, cls.keys = Reader(games), staticmethod(conforming(games)), keys

    @classmethod
    def verified(cls, source: Source) -> Verified:
        """What the verification of a record comes to."""
        place, data = source
        found = verify(data, cls.reader, ed25519, cls.conforming, cls.keys)
        failed = next((f"{check.name}: {check.text}" for check in found.checks if not check.passed), "")
        where = place if found.table is None else f"{place}, table {found.table}"
        return Verified(where, found.verdict, found.events, failed or "; ".join(found.unchecked))
