"""The log's tree, leaf by leaf, and a signed head held against it."""

from collections.abc import Sequence

from domain.record.merkle import EMPTY_ROOT, leaf_hash, node_hash
from domain.record.note import parse_checkpoint, parse_note
from service.transparency import AnnouncedKey, Checkpoint
from service.transparency.keys import ed25519


class Growing:
    """The tree over the leaves so far; it keeps only the complete subtrees that the next root is made of."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[tuple[int, bytes]] = []
        """Levels and hashes of complete subtrees, from the left, each smaller than the one before."""

    def add(self, leaf: bytes) -> None:
        """One more leaf."""
        self.add_subtree(0, leaf_hash(leaf))

    def add_subtree(self, level: int, node: bytes) -> None:
        """A complete subtree of 2^level leaves more, where the size is a multiple of that."""
        self.size += 1 << level
        while self._parts and self._parts[-1][0] == level:
            node = node_hash(self._parts.pop()[1], node)
            level += 1
        self._parts.append((level, node))

    def root(self) -> bytes:
        """The tree's hash (RFC 6962, 2.1)."""
        if not self._parts:
            return EMPTY_ROOT
        (_, root), *others = reversed(self._parts)
        for _, node in others:
            root = node_hash(node, root)
        return root


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
