"""The log's Merkle tree in Postgres: complete subtrees of 256, 256², … events are stored, the rest is computed.

The leaves are the events' own hashes. Any node is computed from at most 128 rows, and any number of proofs takes two
queries.
"""

from collections.abc import Iterable, Sequence

import asyncpg

from domain.record import merkle
from service.store.database import Database

BITS = 8
"""Levels from one stored level to the next."""
WIDTH = 1 << BITS
BLOCKS = 16
"""Subtrees of 256 events hashed at once; more would block the event loop for too long."""

_GROWN = "SELECT coalesce(max(index) + 1, 0) FROM codille.subtree WHERE level = $1"
_LEAVES = "SELECT hash FROM codille.event WHERE position > $1 AND position <= $2 ORDER BY position"
_ROWS = "SELECT hash FROM codille.subtree WHERE level = $1 AND index >= $2 AND index < $3 ORDER BY index"
_SOME_LEAVES = """
    SELECT e.position - 1 AS index, e.hash FROM unnest($1::bigint[], $2::bigint[]) AS r (first, last)
    JOIN codille.event e ON e.position > r.first AND e.position <= r.last
"""
_SOME_ROWS = """
    SELECT s.level, s.index, s.hash FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS r (level, first, last)
    JOIN codille.subtree s ON s.level = r.level AND s.index >= r.first AND s.index < r.last
"""


class LogAltered(Exception):
    """The log is not the one that was signed before, or events are missing from it."""


class Tree:
    """Reads and grows the tree. Raises StoreUnavailable on an outage, and LogAltered if events are missing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def grow(self, size: int) -> None:
        """Stores all complete subtrees of the first `size` events."""
        while await self._more(BITS, size >> BITS):
            pass
        level = 2 * BITS
        while size >> level:
            while await self._more(level, size >> level):
                pass
            level += BITS

    async def root(self, size: int) -> bytes:
        """The root of the tree of the first `size` events, which `grow` must have covered."""
        return merkle.root_hash(await self._nodes(merkle.subtrees(0, size)), size)

    async def inclusions(self, positions: Sequence[int], size: int) -> list[list[bytes]]:
        """The inclusion proof of each position (from 1) in the tree of `size`."""
        wanted: set[tuple[int, int]] = set()
        for position in positions:
            merkle.inclusion_proof(_recording_into(wanted), position - 1, size)
        nodes = await self._nodes(wanted)
        return [merkle.inclusion_proof(nodes, position - 1, size) for position in positions]

    async def consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the tree of `second` events begins with that of `first`."""
        wanted: set[tuple[int, int]] = set()
        merkle.consistency_proof(_recording_into(wanted), first, second)
        return merkle.consistency_proof(await self._nodes(wanted), first, second)

    async def _more(self, level: int, upto: int) -> bool:
        """Stores some of a level's missing subtrees below the index `upto`; False if none is missing."""
        ((grown,),) = await self._database.fetch(_GROWN, level)
        first, last = grown, min(upto, grown + BLOCKS)
        if first >= last:
            return False
        if level == BITS:
            rows = await self._database.fetch(_LEAVES, first * WIDTH, last * WIDTH)
            children = [merkle.leaf_hash(leaf) for (leaf,) in rows]
        else:
            rows = await self._database.fetch(_ROWS, level - BITS, first * WIDTH, last * WIDTH)
            children = [child for (child,) in rows]
        if len(children) != (last - first) * WIDTH:
            raise LogAltered(f"of the events from {first << level} to {last << level} some are missing")
        hashes = [merkle.subtree_hash(children[start : start + WIDTH]) for start in range(0, len(children), WIDTH)]
        try:
            await self._database.call("codille.grow", [level] * len(hashes), list(range(first, last)), hashes)
        except asyncpg.DataCorruptedError as error:
            raise LogAltered(str(error)) from error
        return True

    async def _nodes(self, wanted: Iterable[tuple[int, int]]) -> merkle.Nodes:
        """A function from level and index to the hash of each of these complete subtrees, all read in two queries."""
        leaves: set[tuple[int, int]] = set()
        rows: set[tuple[int, int, int]] = set()
        for level, index in wanted:
            above = level % BITS
            first, last = index << above, (index + 1) << above
            if level < BITS:
                leaves.add((first, last))
            else:
                rows.add((level - above, first, last))
        hashes: dict[tuple[int, int], bytes] = {}
        if leaves:
            for index, leaf in await self._database.fetch(_SOME_LEAVES, *map(list, zip(*leaves, strict=True))):
                hashes[0, index] = merkle.leaf_hash(leaf)
        if rows:
            for level, index, kept in await self._database.fetch(_SOME_ROWS, *map(list, zip(*rows, strict=True))):
                hashes[level, index] = kept

        def node(level: int, index: int) -> bytes:
            hash_ = hashes.get((level, index))
            if hash_ is None:
                if level % BITS == 0:
                    raise LogAltered(f"the tree's node {index} at level {level} is missing")
                hash_ = merkle.node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
                hashes[level, index] = hash_
            return hash_

        return node


def _recording_into(wanted: set[tuple[int, int]]) -> merkle.Nodes:
    """A function that records the nodes that a proof needs, so that one query can read them all."""

    def node(level: int, index: int) -> bytes:
        wanted.add((level, index))
        return b""

    return node
