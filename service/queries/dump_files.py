"""Dumps as files: the records of a month's games, packed, and beside them a manifest that names and describes them.

A file's name has the hash of its bytes, so a file never changes. A dump of a month takes the place of the one before in
one step, when its manifest is put there.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Literal, Self, TypeAlias

import msgspec
import zstandard
from msgspec import Meta, Struct

from domain.record.note import parse_checkpoint
from service.moments import new_id

FORMAT: Final = "codille-dump-v1"
MEDIA_TYPE: Final = "application/zstd"

LEVEL = 10
"""The level of compression. Higher ones take several times as long for a few hundredths of the size."""

MonthName: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]
Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class DumpManifest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a dump has."""

    format: Literal["codille-dump-v1"]
    month: MonthName
    """The UTC month in which the games were finished."""
    file: Annotated[str, Meta(pattern=r"^codille-[0-9]{4}-[0-9]{2}-[0-9a-f]{16}\.ndjson\.zst$")]
    records: int
    events: int
    unpacked_bytes: int
    sha256: Digest
    """The SHA-256 of the lines, unpacked."""
    packed_bytes: int
    packed_sha256: Digest
    size: int
    """The size of the log up to which the records go."""
    checkpoint: str
    """The signed note that covers them: origin, size and root of the log's tree."""
    keys: tuple[str, ...]
    """The log's verifier keys in the order of their use."""
    licence: str | None = None

    @property
    def name(self) -> str:
        """The name of the manifest's own file."""
        return _manifest_name(self.month)

    def encoded(self) -> bytes:
        """The manifest's own file."""
        return msgspec.json.format(msgspec.json.encode(self)) + b"\n"


_manifest = msgspec.json.Decoder(DumpManifest)


class LineCounts:
    """What there is in the lines of a dump."""

    def __init__(self) -> None:
        self.records = self.events = self.unpacked_bytes = 0
        self._digest = sha256()

    def add(self, record: bytes) -> None:
        """Counts a record."""
        self.records += 1
        # Neither the first line nor the last one is an event.
        self.events += record.count(b"\n") - 2
        self.unpacked_bytes += len(record)
        self._digest.update(record)

    def counted(self) -> Mapping[str, int | str]:
        """The counts, by the names of the manifest's members."""
        counts = {"records": self.records, "events": self.events, "unpacked_bytes": self.unpacked_bytes}
        return {**counts, "sha256": self._digest.hexdigest()}


class DumpWriter:
    """A dump that is being written, under a temporary name until it is whole. Raises OSError.

    Others may write dumps of the same month at the same time: the last one to be whole counts.
    """

    def __init__(self, folder: Path, month: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._month = month
        self._counts = LineCounts()
        self._packer = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compressobj()
        self._digest = sha256()
        self._temporary = folder / f".{new_id()}.part"
        with _locked(folder):
            self._file = self._temporary.open("xb")
            # Held until the file is closed: so others see that it is not left behind.
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._temporary.unlink(missing_ok=True)
        self._file.close()

    def add(self, record: bytes) -> None:
        """Adds a record."""
        self._counts.add(record)
        self._write(self._packer.compress(record))

    def put(self, size: int, checkpoint: str, keys: tuple[str, ...], licence: str | None) -> DumpManifest:
        """Puts the dump in the place of the one before, and returns its manifest."""
        self._write(self._packer.flush())
        packed_bytes, packed = self._file.tell(), self._digest.hexdigest()
        _sync(self._file)
        name = f"codille-{self._month}-{packed[:16]}.ndjson.zst"
        described: dict[str, object] = {"format": FORMAT, "month": self._month, "file": name, **self._counts.counted()}
        described |= {"packed_bytes": packed_bytes, "packed_sha256": packed}
        described |= {"size": size, "checkpoint": checkpoint, "keys": keys, "licence": licence}
        manifest = msgspec.convert(described, DumpManifest)
        with _locked(self._folder):
            self._temporary.rename(self._folder / name)
            _put(self._folder / manifest.name, manifest.encoded())
            self._tidy(name)
        return manifest

    def _write(self, data: bytes) -> None:
        self._digest.update(data)
        self._file.write(data)

    def _tidy(self, name: str) -> None:
        """Removes the month's dump of before, and what writers that were ended have left behind."""
        for other in self._folder.glob(f"codille-{self._month}-*.ndjson.zst"):
            if other.name != name:
                other.unlink()
        for part in self._folder.glob(".*.part"):
            with suppress(BlockingIOError), part.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()


def dump_manifests(folder: Path) -> list[DumpManifest]:
    """The manifests in a folder, the newest month first; none if there is no such folder. Raises OSError.

    What is no manifest of the month in its name is left out.
    """
    found = []
    for path in folder.glob(_manifest_name("*")):
        with suppress(ValueError, FileNotFoundError):
            found.append(read_manifest(path))
    return sorted(found, key=lambda manifest: manifest.month, reverse=True)


def manifest_paths(folder: Path) -> list[Path]:
    """The files in a folder and the folders in it that should be manifests, in order."""
    return sorted(folder.rglob(_manifest_name("*")))


def read_manifest(path: Path) -> DumpManifest:
    """The manifest in this file. Raises OSError, and ValueError if it is none."""
    manifest = _manifest.decode(path.read_bytes())
    if manifest.name != path.name:
        raise ValueError(f"it is of {manifest.month}")
    if parse_checkpoint(manifest.checkpoint)[0] != manifest.size:
        raise ValueError("its checkpoint has another size")
    return manifest


def _manifest_name(month: str) -> str:
    return f"codille-{month}.json"


def _put(path: Path, data: bytes) -> None:
    """Puts a file in the place of the one before, whole. The folder must be locked."""
    temporary = path.with_name(".manifest.part")
    with temporary.open("wb") as file:
        file.write(data)
        _sync(file)
    temporary.rename(path)


def _sync(file: BufferedWriter) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the folder's lock, for which others wait."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
