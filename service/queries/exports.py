"""Exports: a table's record as one caller may have it now, line by line, with what proves it."""

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
    """What is to be exported: a table at a version, for an audience, under a checkpoint that covers it."""

    table: str
    audience: Audience
    disclosure: Disclosure
    version: int
    head: bytes
    checkpoint: Checkpoint
    keys: Sequence[AnnouncedKey]
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


async def prepared(
    store: Store, transparency: Transparency, table: str, audience: Audience, history: History
) -> Export:
    """The export of a table as it is known now. Raises NoKey, LogAltered and StoreUnavailable."""
    disclosure = Disclosure.of_table(history.table)
    (last,) = await store.stream(table, history.version - 1, history.version)
    checkpoint = await transparency.sign_checkpoint(last.position)
    keys = await transparency.keys()
    # What cannot be signed at the end is not begun.
    signature = transparency.sign(signed_text(table, history.head))
    signers(keys, checkpoint.note, signature)
    return Export(table, audience, disclosure, history.version, history.head, checkpoint, keys, signature)


async def lines(store: Store, transparency: Transparency, export: Export) -> AsyncIterator[bytes]:
    """The lines of the file, some at a time. What fails on the way leaves it without its last line."""
    digest = sha256()

    def told(text: bytes) -> bytes:
        digest.update(text)
        return text

    yield told(encode_line(Header(export.audience, FORMAT, export.head.hex(), export.table, export.version)))
    positions: list[int] = []
    while len(positions) < export.version:
        records = await store.stream(export.table, len(positions), export.version, PAGE)
        if not records:
            raise LookupError(f"the events of {export.table} after {len(positions)} are missing")
        positions += [record.position for record in records]
        yield told(
            b"".join(event_line(record, export.audience, over=export.disclosure.opens(record)) for record in records)
        )
    proofs = await transparency.inclusions(positions, export.checkpoint.size)
    signature = transparency.sign(signed_text(export.table, digest.digest()))
    yield encode_line(
        trailer(export.checkpoint.note, signers(export.keys, export.checkpoint.note, signature), proofs, signature)
    )


def signers(keys: Sequence[AnnouncedKey], *notes: str) -> list[str]:
    """The verifier keys of those keys that signed any of the notes. Raises NoKey where one is signed by none."""
    known = {(key.verifier.name, key.verifier.id): str(key.verifier) for key in keys}
    found: dict[str, None] = {}
    for note in notes:
        _, signatures = parse_note(note)
        by = [known[one.name, one.id] for one in signatures if (one.name, one.id) in known]
        if not by:
            raise NoKey("the key of this process is none of those that sign the log's checkpoints")
        found |= dict.fromkeys(by)
    return list(found)
