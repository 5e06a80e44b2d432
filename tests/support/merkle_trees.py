"""Trees over given leaves."""

from collections.abc import Sequence
from functools import cache

from domain.record import merkle


def nodes_over(entries: Sequence[bytes]) -> merkle.Nodes:
    """The tree's nodes by level and index, each computed once."""

    @cache
    def node(level: int, index: int) -> bytes:
        if level == 0:
            return merkle.leaf_hash(entries[index])
        return merkle.node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node
