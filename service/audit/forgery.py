"""Whether a checkpoint of the log is forged: the check of one by itself."""

from collections.abc import Sequence

from domain.record.note import parse_checkpoint, parse_note
from service.transparency import AnnouncedKey, Checkpoint
from service.transparency.keys import ed25519


def forged(checkpoint: Checkpoint, keys: Sequence[AnnouncedKey]) -> str | None:
    """What is wrong with a checkpoint in itself, if anything: its signatures, or its note is of another head."""
    try:
        size, root = parse_checkpoint(checkpoint.note)
        text, signatures = parse_note(checkpoint.note)
    except ValueError as error:
        return f"the note is not one: {error}"
    if (size, root) != (checkpoint.size, checkpoint.root):
        return "the note is of another head"
    public = {(key.verifier.name, key.verifier.id): key.verifier.public for key in keys}
    for signature in signatures:
        known = public.get((signature.name, signature.id))
        if known is not None and ed25519(known, signature.signature, text.encode()):
            return None
    return "no key of the log has signed it"
