"""Exports: a table's record as one caller may open it now, line by line, with its proofs."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.record.disclosure import Disclosure
from domain.record.export import (
    FORMAT,
    UNSIGNED_END,
    Header,
    encode_line,
    event_line,
    signed_end,
    signed_text,
    trailer_begin,
    trailer_proofs,
)
from domain.record.history import History
from domain.record.note import parse_note
from domain.record.recorded import sections
from domain.seats import PUBLIC, Audience
from domain.table.spectators import follow_late
from service.compute.byte_cache import Made
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext
from service.store.store import Store
from service.transparency import AnnouncedKey, Checkpoint, LogAltered, NoKey, Transparency

PIECE = 256
"""The number of events, or their proofs, in a piece of a file."""

PieceJob: TypeAlias = Callable[..., Awaitable[Made]]
"""A job over a table's events after one version up to another."""


class ErasedFromExport(Exception):
    """A text was erased after its export had begun. Another export can be made."""


class Export(Struct, frozen=True):
    """An export to write: a table at a version, for an audience, with a checkpoint that covers the table's events."""

    table: str
    audience: Audience
    version: int
    head: bytes
    checkpoint: Checkpoint
    keys: Sequence[AnnouncedKey]
    signature: str
    """A signature of the head by the key that will sign the file."""
    texts: tuple[int, ...]
    """The versions of the events whose public text is not erased."""
    disclosure: Disclosure
    """What is open to everyone, as follows from the events."""

    @property
    def tag(self) -> str:
        """The entity tag: equal for two files only if their lines, checkpoint and keys are equal."""
        parts = (self.audience, self.head.hex(), self.checkpoint.note, self.signature, self.texts)
        return f"{self.version}-{sha256(canonical(parts)).hexdigest()[:32]}"

    @property
    def filename(self) -> str:
        """The name under which a client stores the file."""
        return f"codille-{self.table}-{self.version}.ndjson"


async def prepare_export(
    store: Store, transparency: Transparency, table: str, audience: Audience, history: History
) -> Export:
    """The export of a table at the version of `history`. Raises NoKey, LogAltered or StoreUnavailable.

    Once the game is over it uses the first checkpoint that covers it, so that the file stays the same. So does a table
    whose spectators follow late: a changed file would tell them that something has happened.
    """
    (last,) = await store.stream(table, history.version - 1, history.version)
    state = history.table
    lasting = state.over or follow_late(state.table_options)
    checkpoint = await transparency.covering(last.position) if lasting else None
    checkpoint = checkpoint or await transparency.sign_checkpoint(last.position)
    return await export_at(transparency, table, audience, history, checkpoint)


async def export_at(
    transparency: Transparency, table: str, audience: Audience, history: History, checkpoint: Checkpoint
) -> Export:
    """The export of a table at the version of `history`, which this checkpoint covers. Raises as `prepare_export`."""
    keys = await transparency.keys()
    # A file that could not be signed at its end is not begun.
    signature = await transparency.signed(signed_text(table, history.head))
    require_newest(keys, signature)
    texts, disclosure = history.table.texts, Disclosure.of_table(history.table)
    return Export(table, audience, history.version, history.head, checkpoint, keys, signature, texts, disclosure)


async def export_pieces(
    heavy: HeavyReads, transparency: Transparency, export: Export, spending: Spending
) -> AsyncGenerator[bytes, None]:
    """The file, in pieces that are made as they are read.

    The first one raises Busy if too much is waiting; the others wait as long as necessary, since the file has begun.
    All raise JobLost, NoKey, ErasedFromExport, LogAltered or StoreUnavailable; then the file is incomplete.
    """
    table, tag, digest = export.table, export.tag, sha256()

    async def kept(name: str, after: int, job: PieceJob, *arguments: Any) -> bytes:
        upto = min(after + PIECE, export.version)

        async def make() -> Made:
            refusable, events = (name, after) == ("events", 0), upto - after
            return await heavy.run(spending, job, table, after, upto, *arguments, events=events, refusable=refusable)

        piece = await heavy.kept(("export", table, tag, name, after), make)
        digest.update(piece)
        return piece

    header = encode_line(Header(export.audience, FORMAT, export.head.hex(), table, export.version))
    digest.update(header)
    for after in range(0, export.version, PIECE):
        texts = frozenset(version for version in export.texts if after < version <= after + PIECE)
        piece = await kept("events", after, event_lines, export.audience, export.disclosure, texts)
        yield piece if after else header + piece
    keys = [str(key.verifier) for key in export.keys]
    announcements = [key.announcement for key in export.keys if key.announcement is not None]
    begin = trailer_begin(export.checkpoint.note, keys, announcements)
    digest.update(begin)
    yield begin
    for after in range(0, export.version, PIECE):
        yield await kept("proofs", after, proofs, export.checkpoint.size)
    digest.update(UNSIGNED_END)

    async def make_end() -> Made:
        signature = await transparency.signed(signed_text(table, digest.digest()))
        require_newest(export.keys, signature)
        return Made(signed_end(signature))

    yield await heavy.kept(("export", table, tag, "end"), make_end)


async def event_lines(
    context: JobContext,
    table: str,
    after: int,
    upto: int,
    audience: Audience,
    disclosure: Disclosure,
    texts: Collection[int],
) -> Made:
    """A job: the lines of a table's events after one version up to another; those of `texts` have their public texts.

    Raises LogAltered if events are missing, and ErasedFromExport if a text is.
    """
    records = await context.store.stream(table, after, upto)
    _require_all(table, len(records), after, upto)
    for record in records:
        if record.version in texts and PUBLIC not in sections(record.sealed):
            raise ErasedFromExport(table)
    return Made(b"".join(event_line(record, audience, over=disclosure.opens(record)) for record in records))


async def proofs(context: JobContext, table: str, after: int, upto: int, size: int) -> Made:
    """A job: the proofs that events are in the log's tree of this size, in the form of the file's last line."""
    positions = await context.store.positions(table, after, upto)
    _require_all(table, len(positions), after, upto)
    return Made(trailer_proofs(await context.transparency.tree.inclusions(positions, size), first=not after))


def _require_all(table: str, count: int, after: int, upto: int) -> None:
    if count != upto - after:
        raise LogAltered(f"of the events of {table} from {after + 1} to {upto} some are missing")


def require_newest(keys: Sequence[AnnouncedKey], signed: str) -> None:
    """Raises NoKey unless the newest of the keys has signed the note."""
    newest = keys[-1].verifier
    _, signatures = parse_note(signed)
    if all((signature.name, signature.id) != (newest.name, newest.id) for signature in signatures):
        raise NoKey("the key of this process is not the one that signs the log's checkpoints now")
