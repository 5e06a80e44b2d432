"""Exports of tables that are played in memory: a log of their own, and a key of their own for its checkpoints."""

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.verification import Verification, verify
from domain.record import export, merkle
from domain.record.history import Reader
from domain.record.note import VerifierKey, checkpoint_text
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Audience
from service.compute.folds import KeptFolds
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.describe.conforming import conforming
from service.queries import exports as exporting
from service.transparency.keys import SigningKey, announcement, ed25519
from tests.support.merkle_trees import nodes_over
from tests.support.registry import GAMES

READER = Reader(GAMES)
CONFORMING = conforming(GAMES)


class Checkpoint(Struct, frozen=True):
    """As `service.transparency` has it."""

    size: int
    root: bytes
    note: str


class AnnouncedKey(Struct, frozen=True):
    """As `service.transparency` has it, without its term."""

    verifier: VerifierKey
    announcement: str | None = None


class MemoryTransparency:
    """Stands in for `Transparency`: the hashes of a log's events in order, and a key for its checkpoints."""

    def __init__(self, hashes: Sequence[bytes] = (), *, secret: bytes = bytes(32)) -> None:
        self.hashes = list(hashes)
        self._key = SigningKey(secret)
        self._keys = [AnnouncedKey(self._key.verifier)]
        self._checkpoint: Checkpoint | None = None
        self.tree = self
        """The hash tree, whose proofs are here too."""

    @property
    def verifier(self) -> str:
        """The key that signs now, as verifiers take it."""
        return str(self._key.verifier)

    def rotate(self, secret: bytes) -> None:
        """Another key signs from now on. A checkpoint that was signed stays, as long as the log does not grow."""
        new = SigningKey(secret)
        self._keys.append(AnnouncedKey(new.verifier, announcement(self._key, new.verifier)))
        self._key = new

    async def newest(self) -> Checkpoint | None:
        """A checkpoint of all there is."""
        return await self.sign_checkpoint() if self.hashes else None

    async def covering(self, position: int) -> Checkpoint:
        """A checkpoint of all there is."""
        return await self.sign_checkpoint(position)

    async def sign_checkpoint(self, at_least: int = 0) -> Checkpoint:
        """A checkpoint of all there is."""
        size = len(self.hashes)
        assert size >= at_least
        root = merkle.root_hash(nodes_over(self.hashes), size)
        if self._checkpoint is None or (self._checkpoint.size, self._checkpoint.root) != (size, root):
            self._checkpoint = Checkpoint(size, root, self.sign(checkpoint_text(size, root)))
        return self._checkpoint

    async def inclusions(self, positions: Sequence[int], size: int) -> list[list[bytes]]:
        """A proof for each position."""
        nodes = nodes_over(self.hashes)
        return [merkle.inclusion_proof(nodes, position - 1, size) for position in positions]

    async def signed(self, text: str) -> str:
        """A signed note."""
        return self.sign(text)

    def sign(self, text: str) -> str:
        """A signed note."""
        return self._key.sign(text)

    async def keys(self) -> list[AnnouncedKey]:
        """All keys, the newest last."""
        return self._keys


class _Kept:
    """A table's records, as they are read from a log."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self._records = records

    async def stream(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Sequence[Recorded]:
        """As `Store.stream`."""
        return [record for record in self._records[after:upto] if record.table == table][:limit]

    async def positions(self, table: str, after: int, upto: int) -> list[int]:
        """As `Store.positions`."""
        return [record.position for record in await self.stream(table, after, upto)]


def placed(records: Sequence[Recorded], *, first: int = 4, step: int = 2) -> list[Recorded]:
    """The records at positions of a log that has other tables' events between them."""
    return [msgspec.structs.replace(record, position=first + step * number) for number, record in enumerate(records)]


def transparency_over(records: Sequence[Recorded], *, secret: bytes = bytes(32)) -> MemoryTransparency:
    """The checkpoints of a log in which these events stand, others around them."""
    hashes = [sha256(b"another table's %d" % number).digest() for number in range(records[-1].position + 3)]
    for record in records:
        hashes[record.position - 1] = record.hash
    return MemoryTransparency(hashes, secret=secret)


def exported(
    records: Sequence[Recorded],
    audience: Audience = PUBLIC,
    transparency: MemoryTransparency | None = None,
    reader: Reader = READER,
) -> bytes:
    """The file that the service answers for the table of these records; they have positions."""
    history = reader.history(records)
    assert history is not None
    log = transparency or transparency_over(records)

    async def work() -> bytes:
        kept = _Kept(records)
        prepared = await exporting.prepare_export(kept, log, records[0].table, audience, history)
        heavy = HeavyReads(JobContext(kept, log, reader, KeptFolds(kept, reader)), None)
        pieces = exporting.export_pieces(heavy, log, prepared, Spending(("an address",)))
        return b"".join([piece async for piece in pieces])

    return asyncio.run(work())


def file_of(
    records: Sequence[Recorded], audience: Audience, over: Callable[[Recorded], bool], transparency: MemoryTransparency
) -> bytes:
    """The file of these records as they are, whether they fold or not; `over` says what is open to everyone."""
    last = records[-1]
    header = export.Header(audience, export.FORMAT, last.hash.hex(), last.table, last.version)
    body = export.encode_line(header) + b"".join(
        export.event_line(record, audience, over=over(record)) for record in records
    )

    async def ending() -> bytes:
        head = await transparency.sign_checkpoint()
        proofs = await transparency.inclusions([record.position for record in records], head.size)
        nodes = tuple(tuple(node.hex() for node in path) for path in proofs)
        keys = await transparency.keys()
        announcements = tuple(key.announcement for key in keys if key.announcement is not None)
        trailer = export.Trailer(announcements, head.note, tuple(str(key.verifier) for key in keys), nodes)
        return signed_file(body, trailer, transparency)

    return asyncio.run(ending())


def signed_file(before: bytes, trailer: export.Trailer, transparency: MemoryTransparency) -> bytes:
    """The file of these lines and this trailer, signed anew."""
    unsigned = before + export.encode_line(replace(trailer, signature=""))
    table = msgspec.json.decode(before.splitlines()[0])["table"]
    signature = transparency.sign(export.signed_text(table, sha256(unsigned).digest()))
    return before + export.encode_line(replace(trailer, signature=signature))


def verified(data: bytes, *keys: str, reader: Reader = READER) -> Verification:
    """What `codille verify` makes of it."""
    return verify(data, reader, ed25519, CONFORMING, keys)
