"""Exports: a table's record as one caller may open it now, line by line, with its proofs."""

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256

from msgspec import Struct

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
    signers(keys, checkpoint.note, signature)
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
    signature = transparency.sign(signed_text(export.table, digest.digest()))
    yield encode_line(
        trailer(export.checkpoint.note, signers(export.keys, export.checkpoint.note, signature), proofs, signature)
    )


def signers(keys: Sequence[AnnouncedKey], *notes: str) -> list[str]:
    """The verifier keys of the keys that signed any of the notes. Raises NoKey where no key has signed one of them."""
    known = {(key.verifier.name, key.verifier.id): str(key.verifier) for key in keys}
    signed_by: dict[str, None] = {}
    for note in notes:
        _, signatures = parse_note(note)
        by = [known[one.name, one.id] for one in signatures if (one.name, one.id) in known]
        if not by:
            raise NoKey("the key of this process is none of those that sign the log's checkpoints")
        signed_by |= dict.fromkeys(by)
    return list(signed_by)
