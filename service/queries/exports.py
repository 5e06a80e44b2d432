"""Exports: a table's record as one caller may have it now, line by line, with what proves it."""

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from typing import Protocol

from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.kernel.seats import Audience
from domain.record.export import FORMAT, Header, event_line, line, signed_text, trailer
from domain.record.history import History
from domain.record.note import VerifierKey, parse_note
from domain.record.recorded import Recorded
from service.queries.tables import Over
from service.transparency.keys import NoKey

PAGE = 200
"""Events read from the log at a time."""


class Log(Protocol):
    """Where tables' records are read."""

    async def stream(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Sequence[Recorded]:
        """A table's records after a version, up to another, at most `limit`."""


class Checkpoint(Protocol):
    """A signed head of the log's tree."""

    @property
    def size(self) -> int:
        """How many events the tree holds."""

    @property
    def root(self) -> bytes:
        """The tree's hash."""

    @property
    def note(self) -> str:
        """The signed note."""


class Key(Protocol):
    """A key that signs, or has signed, the log's heads."""

    @property
    def verifier(self) -> VerifierKey:
        """By which its signatures are checked."""


class Heads(Protocol):
    """What signs, and what proves that an event stands in the log."""

    async def newest(self) -> Checkpoint | None:
        """The newest checkpoint, if there is any."""

    async def take_now(self, at_least: int = 0) -> Checkpoint:
        """A checkpoint that covers this position."""

    async def inclusions(self, positions: Sequence[int], size: int) -> list[list[bytes]]:
        """For each position the proof that it stands in the tree of this size."""

    def sign(self, text: str) -> str:
        """A signed note over the text, with the log's key."""

    async def keys(self) -> Sequence[Key]:
        """All keys there were."""


class Export(Struct, frozen=True):
    """What is to be exported: a table at a version, for an audience, under a checkpoint that covers it."""

    table: str
    audience: Audience
    over: Over
    version: int
    head: bytes
    checkpoint: Checkpoint
    keys: Sequence[Key]
    signature: str
    """Over the head, by the key that is to sign the file."""

    @property
    def tag(self) -> str:
        """What tells this file from all others of the table: what it holds, and what proves it, which grows."""
        made_of = (self.audience, self.head.hex(), self.checkpoint.note, self.signature)
        return f"{self.version}-{sha256(canonical(made_of)).hexdigest()[:32]}"

    @property
    def filename(self) -> str:
        """What the file is called by those who keep it."""
        return f"codille-{self.table}-{self.version}.ndjson"


async def prepared(log: Log, heads: Heads, table: str, audience: Audience, history: History) -> Export:
    """The export of a table as it is known now. Raises NoKey, LogAltered and StoreUnavailable."""
    over = Over.of(history.table)
    (last,) = await log.stream(table, history.version - 1, history.version)
    checkpoint = await heads.take_now(last.position)
    keys = await heads.keys()
    # What cannot be signed at the end is not begun.
    signature = heads.sign(signed_text(table, history.head))
    signers(keys, checkpoint.note, signature)
    return Export(table, audience, over, history.version, history.head, checkpoint, keys, signature)


async def lines(log: Log, heads: Heads, export: Export) -> AsyncIterator[bytes]:
    """The lines of the file, some at a time. What fails on the way leaves it without its last line."""
    digest = sha256()

    def told(text: bytes) -> bytes:
        digest.update(text)
        return text

    yield told(line(Header(export.audience, FORMAT, export.head.hex(), export.table, export.version)))
    positions: list[int] = []
    while len(positions) < export.version:
        records = await log.stream(export.table, len(positions), export.version, PAGE)
        if not records:
            raise LookupError(f"the events of {export.table} after {len(positions)} are missing")
        positions += [record.position for record in records]
        yield told(b"".join(event_line(record, export.audience, over=export.over.opens(record)) for record in records))
    proofs = await heads.inclusions(positions, export.checkpoint.size)
    signature = heads.sign(signed_text(export.table, digest.digest()))
    yield line(
        trailer(export.checkpoint.note, signers(export.keys, export.checkpoint.note, signature), proofs, signature)
    )


def signers(keys: Sequence[Key], *notes: str) -> list[str]:
    """The verifier keys of those keys that signed any of the notes. Raises NoKey where one is signed by none."""
    known = {(key.verifier.name, key.verifier.id): str(key.verifier) for key in keys}
    found: dict[str, None] = {}
    for note in notes:
        _, signatures = parse_note(note)
        by = [known[one.name, one.id] for one in signatures if (one.name, one.id) in known]
        if not by:
            raise NoKey("the key of this process is none of those that sign the log's heads")
        found |= dict.fromkeys(by)
    return list(found)
