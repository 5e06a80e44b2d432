"""Exports: a table's record as one caller may open it now, line by line, with its proofs."""

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.canonical import canonical
from domain.record.disclosure import Disclosure
from domain.record.export import FORMAT, Header, encode_line, event_line, signed_text, trailer
from domain.record.history import History
from domain.record.note import parse_note
from domain.seats import Audience
from service.store.store import Store
from service.transparency import AnnouncedKey, Checkpoint, NoKey, Transparency

PAGE = 200
"""Events read from the log at a time."""


class Export(Struct, frozen=True):
    """An export to write: a table at a version, for an audience, with a checkpoint that covers the table's events."""

    table: str
    audience: Audience
    disclosure: Disclosure
    version: int
    head: bytes
    checkpoint: Checkpoint
    keys: Sequence[AnnouncedKey]
    signature: str
    """A signature of the head by the key that will sign the file."""

    @property
    def tag(self) -> str:
        """The entity tag: equal for two files only if their lines, checkpoint and keys are equal."""
        parts = (self.audience, self.head.hex(), self.checkpoint.note, self.signature)
        return f"{self.version}-{sha256(canonical(parts)).hexdigest()[:32]}"

    @property
    def filename(self) -> str:
        """The name under which a client stores the file."""
        return f"codille-{self.table}-{self.version}.ndjson"


async def prepare_export(
    store: Store, transparency: Transparency, table: str, audience: Audience, history: History
) -> Export:
    """The export of a table at the version of `history`. Raises NoKey, LogAltered or StoreUnavailable."""
    disclosure = Disclosure.of_table(history.table)
    (last,) = await store.stream(table, history.version - 1, history.version)
    checkpoint = await transparency.sign_checkpoint(last.position)
    keys = await transparency.keys()
    # A file that could not be signed at its end is not begun.
    signature = transparency.sign(signed_text(table, history.head))
    require_newest(keys, signature)
    return Export(table, audience, disclosure, history.version, history.head, checkpoint, keys, signature)


async def export_lines(store: Store, transparency: Transparency, export: Export) -> AsyncIterator[bytes]:
    """The lines of the file, some at a time.

    Raises LookupError, NoKey, LogAltered or StoreUnavailable; the file then lacks its last line, so it does not verify.
    """
    digest = sha256()

    def digested(text: bytes) -> bytes:
        digest.update(text)
        return text

    yield digested(encode_line(Header(export.audience, FORMAT, export.head.hex(), export.table, export.version)))
    positions: list[int] = []
    while len(positions) < export.version:
        records = await store.stream(export.table, len(positions), export.version, PAGE)
        if not records:
            raise LookupError(f"the events of {export.table} after {len(positions)} are missing")
        positions += [record.position for record in records]
        yield digested(
            b"".join(event_line(record, export.audience, over=export.disclosure.opens(record)) for record in records)
        )
    proofs = await transparency.inclusions(positions, export.checkpoint.size)
    announcements = [key.announcement for key in export.keys if key.announcement is not None]
    unsigned = trailer(export.checkpoint.note, [str(key.verifier) for key in export.keys], announcements, proofs)
    digest.update(encode_line(unsigned))
    signature = transparency.sign(signed_text(export.table, digest.digest()))
    require_newest(export.keys, signature)
    yield encode_line(replace(unsigned, signature=signature))


def require_newest(keys: Sequence[AnnouncedKey], signed: str) -> None:
    """Returns if the newest of the keys has signed the note. Raises NoKey if it has not."""
    newest = keys[-1].verifier
    _, signatures = parse_note(signed)
    if all((signature.name, signature.id) != (newest.name, newest.id) for signature in signatures):
        raise NoKey("the key of this process is not the one that signs the log's checkpoints now")
