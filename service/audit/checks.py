"""The differences that an audit of the log reports, and the checks of positions, of its tree and of the checkpoint that
signs it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.record.note import parse_checkpoint, parse_note
from service.transparency import AnnouncedKey, Checkpoint
from service.transparency.keys import ed25519


class Difference(Struct, frozen=True):
    """A place where the log, or what is served from it, is wrong."""

    subject: str
    """A table, an event, a position, or `the log`, as text for people."""
    check: str
    """The name of the check that failed."""
    text: str
    table: str | None = None
    """The table, if its record failed the check; others may follow from the first of its differences."""
    event: int = 0
    """The version of the event at which its record failed."""
    recorded: Any = None
    computed: Any = None
    """The two values that differ, or their parts by path. They are not for logs, as they may be of a running deal."""


def missing_events(positions: Sequence[int]) -> Difference:
    """The difference that there are no events at these positions."""
    return Difference(f"position {positions[0]}", "positions", f"there is no event at {', '.join(map(str, positions))}")


def check_signature(checkpoint: Checkpoint, keys: Sequence[AnnouncedKey]) -> Iterator[Difference]:
    """Checks a checkpoint alone: its note must state the same, and a key of the log must have signed it."""
    wrong = _forgery(checkpoint, keys)
    if wrong is not None:
        yield Difference(f"the checkpoint of size {checkpoint.size}", "checkpoint", wrong)


def check_end(checkpoint: Checkpoint, end: int) -> Iterator[Difference]:
    """Checks that a log that ends at this position is no shorter than the checkpoint."""
    if checkpoint.size > end:
        text = f"a checkpoint of {checkpoint.size} events was signed, and the log ends at {end}"
        yield Difference("the log", "tree", text)


def check_root(checkpoint: Checkpoint, root: bytes) -> Iterator[Difference]:
    """Checks the root of the tree of as many events as the checkpoint covers."""
    if root != checkpoint.root:
        text = (
            f"the log's first {checkpoint.size} events make another tree than the one that was signed: "
            f"{root.hex()}, signed {checkpoint.root.hex()}"
        )
        yield Difference("the log", "tree", text)


def _forgery(checkpoint: Checkpoint, keys: Sequence[AnnouncedKey]) -> str | None:
    try:
        size, root = parse_checkpoint(checkpoint.note)
        text, signatures = parse_note(checkpoint.note)
    except ValueError as error:
        return f"its note cannot be read: {error}"
    if (size, root) != (checkpoint.size, checkpoint.root):
        return "its note states another size or root"
    public = {(key.verifier.name, key.verifier.id): key.verifier.public for key in keys}
    for signature in signatures:
        known = public.get((signature.name, signature.id))
        if known is not None and ed25519(known, signature.signature, text.encode()):
            return None
    return "no key of the log has signed it"
