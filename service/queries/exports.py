"""Exports: a table's record as one caller may open it now, line by line, with its proofs."""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.record.disclosure import Disclosure
from domain.record.export import FORMAT, Header, encode_line, event_line, signed_text, trailer, with_signature
from domain.record.history import History
from domain.record.note import parse_note
from domain.seats import Audience
from service.queries.byte_cache import Made
from service.queries.heavy_reads import HeavyReads, Spending
from service.queries.jobs import JobContext
from service.store.store import Store
from service.transparency import AnnouncedKey, Checkpoint, LogAltered, NoKey, Transparency


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

    Once the game is over it is proved under the first checkpoint that covers it, so that the file stays the same. So it
    is where spectators follow late, to whom another file would tell that something has happened.
    """
    (last,) = await store.stream(table, history.version - 1, history.version)
    state = history.table
    lasting = state.over or state.settings.spectator_delay is not None
    checkpoint = await transparency.covering(last.position) if lasting else None
    checkpoint = checkpoint or await transparency.sign_checkpoint(last.position)
    keys = await transparency.keys()
    # A file that could not be signed at its end is not begun.
    signature = await transparency.signed(signed_text(table, history.head))
    require_newest(keys, signature)
    return Export(table, audience, history.version, history.head, checkpoint, keys, signature, state.texts)


async def export_file(heavy: HeavyReads, transparency: Transparency, export: Export, spending: Spending) -> bytes:
    """The file. Raises Busy, JobLost, NoKey, LogAltered or StoreUnavailable."""

    async def make() -> Made:
        unsigned = await heavy.run(
            spending,
            unsigned_file,
            Header(export.audience, FORMAT, export.head.hex(), export.table, export.version),
            export.checkpoint,
            export.keys,
            events=export.version,
        )
        signature = await transparency.signed(signed_text(export.table, unsigned.digest))
        require_newest(export.keys, signature)
        return Made(with_signature(unsigned.text, signature))

    return await heavy.kept(("export", export.table, export.tag), make)


class Unsigned(Struct, frozen=True):
    """A file with an empty signature."""

    text: bytes
    digest: bytes
    """Its SHA-256."""


async def unsigned_file(
    context: JobContext, header: Header, checkpoint: Checkpoint, keys: Sequence[AnnouncedKey]
) -> Unsigned:
    """A job: the file that begins with this header, still to be signed. Raises LogAltered when events are missing."""
    records = await context.store.stream(header.table, upto=header.version)
    if len(records) != header.version:
        raise LogAltered(f"of the events of {header.table} up to {header.version} some are missing")
    disclosure = Disclosure.of_records(records)
    proofs = await context.transparency.inclusions([record.position for record in records], checkpoint.size)
    announcements = [key.announcement for key in keys if key.announcement is not None]
    text = b"".join(
        (
            encode_line(header),
            *(event_line(record, header.audience, over=disclosure.opens(record)) for record in records),
            encode_line(trailer(checkpoint.note, [str(key.verifier) for key in keys], announcements, proofs)),
        )
    )
    return Unsigned(text, sha256(text).digest())


def require_newest(keys: Sequence[AnnouncedKey], signed: str) -> None:
    """Returns if the newest of the keys has signed the note. Raises NoKey if it has not."""
    newest = keys[-1].verifier
    _, signatures = parse_note(signed)
    if all((signature.name, signature.id) != (newest.name, newest.id) for signature in signatures):
        raise NoKey("the key of this process is not the one that signs the log's checkpoints now")
