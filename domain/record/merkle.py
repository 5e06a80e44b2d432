"""The Merkle tree of RFC 6962, section 2.1, over the hashes of the log's events in the order of their positions.

Leaves and nodes are hashed with SHA-256 under different prefixes. A tree of any size consists of complete subtrees.
Roots and proofs are computed from the hashes of complete subtrees, which a `Nodes` function supplies, so the leaves
need not be read again.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

EMPTY_ROOT = sha256(b"").digest()

Nodes: TypeAlias = Callable[[int, int], bytes]
"""The hash of the complete subtree at (level, index), over the 2^level leaves from index · 2^level."""


def leaf_hash(leaf: bytes) -> bytes:
    """SHA-256 of 0x00 and the leaf."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256 of 0x01 and the two children."""
    return sha256(b"\x01" + left + right).digest()


def subtrees(start: int, end: int) -> list[tuple[int, int]]:
    """The complete subtrees, as (level, index), that cover the leaves from `start` (included) to `end` (excluded).

    `start` must be a multiple of the largest power of two up to the range's length, as in the RFC's splits.
    """
    parts = []
    while start < end:
        level = (end - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        parts.append((level, start >> level))
        start += 1 << level
    return parts


def subtree_hash(nodes: Sequence[bytes]) -> bytes:
    """The hash of the complete subtree over these nodes of one level; their number is a power of two."""
    level = list(nodes)
    while len(level) > 1:
        level = [node_hash(left, right) for left, right in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def _joined(hashes: Sequence[bytes]) -> bytes:
    """The hash over neighbouring complete subtrees, at least one, each smaller than the one to its left."""
    *others, root = hashes
    for node in reversed(others):
        root = node_hash(node, root)
    return root


def _range_hash(nodes: Nodes, start: int, end: int) -> bytes:
    """The hash of the subtree over these leaves, complete or not."""
    return _joined([nodes(level, index) for level, index in subtrees(start, end)])


def root_hash(nodes: Nodes, size: int) -> bytes:
    """The hash of the tree of the first `size` leaves."""
    return _range_hash(nodes, 0, size) if size else EMPTY_ROOT


class GrowingTree:
    """A tree that grows by appended leaves. It keeps only the complete subtrees that make up its root."""

    def __init__(self) -> None:
        self.size = 0
        """The number of leaves."""
        self._parts: list[tuple[int, bytes]] = []
        """Levels and hashes of complete subtrees, from the left, each smaller than the one before."""

    def add(self, leaf: bytes) -> None:
        """Appends one leaf, which is hashed here."""
        self.add_subtree(0, leaf_hash(leaf))

    def add_subtree(self, level: int, node: bytes) -> None:
        """Appends a complete subtree of 2^level leaves, given by its hash. The size must be a multiple of 2^level."""
        self.size += 1 << level
        while self._parts and self._parts[-1][0] == level:
            node = node_hash(self._parts.pop()[1], node)
            level += 1
        self._parts.append((level, node))

    def root(self) -> bytes:
        """The tree's hash (RFC 6962, 2.1)."""
        return _joined([node for _, node in self._parts]) if self._parts else EMPTY_ROOT


def _split(size: int) -> int:
    """The largest power of two smaller than `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_proof(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """The audit path of the leaf at `index` (from 0) in the tree of `size` leaves (RFC 6962, 2.1.1).

    Raises ValueError if the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range_hash(nodes, middle, end))
            end = middle
        else:
            path.append(_range_hash(nodes, start, middle))
            start = middle
    return path[::-1]


def consistency_proof(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """The proof that the tree of `second` leaves begins with the tree of `first` leaves (RFC 6962, 2.1.2).

    Raises ValueError unless 0 < first <= second.
    """
    if not 0 < first <= second:
        raise ValueError(f"no tree of {second} leaves begins with one of {first}")
    path: list[bytes] = []
    start, end = 0, second
    whole = True
    while end != first:
        middle = start + _split(end - start)
        if first <= middle:
            path.append(_range_hash(nodes, middle, end))
            end = middle
        else:
            path.append(_range_hash(nodes, start, middle))
            start = middle
            whole = False
    if not whole:
        path.append(_range_hash(nodes, start, end))
    return path[::-1]


def root_from_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root to which an inclusion proof of the hashed `leaf` leads (RFC 9162, 2.1.3.2).

    Raises ValueError if the index is outside the tree, or the proof is too short or too long.
    """
    if not 0 <= index < size:
        raise ValueError("the proof is for a leaf outside the tree")
    position, last = index, size - 1
    root = leaf
    for sibling in path:
        if last == 0:
            raise ValueError("the proof is too long")
        if position % 2 or position == last:
            root = node_hash(sibling, root)
            while position % 2 == 0 and position:
                position, last = position >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        position, last = position >> 1, last >> 1
    if last:
        raise ValueError("the proof is too short")
    return root
