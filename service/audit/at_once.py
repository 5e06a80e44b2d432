"""The audit of everything at once: positions, the log's tree, every table's record, and the read models.

The work is split into pieces for one process per core. Each piece opens its own connections, so the processes share
nothing.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from itertools import groupby
from multiprocessing import get_context

from msgspec import Struct

from domain.record.history import Reader
from domain.record.merkle import GrowingTree, leaf_hash, subtree_hash
from domain.record.recorded import Recorded
from projections import ReadModels, ReadModelsUnavailable, connect
from projections.rebuild import Progress
from service.audit.checks import check_end, check_root, check_signature, missing_events
from service.audit.differences import Difference
from service.audit.one_table import audit_table
from service.audit.read_models import ListedTable, read_lists
from service.config import load_registry
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.records import COLUMNS, recorded
from service.store.store import Head, Store
from service.store.tail import Tail
from service.transparency import AnnouncedKey, Checkpoint

LEVEL = 15
"""Positions are audited in aligned pieces of 2^15. Each piece is a subtree of the log's tree."""

PIECE = 1 << LEVEL
TABLES_A_PIECE = 96
TABLES_A_QUERY = 16
MOST_MISSING = 5
"""The most missing positions that are named for each piece."""

STATEMENT_S = 60.0
MODELS_TIMEOUT_S = 5.0


class Sources(Struct, frozen=True):
    """What to audit: the log, its read models, and the registry of its games."""

    database_url: str
    redis_url: str
    registry: str


class AuditSummary(Struct, frozen=True):
    """The outcome of an audit of the log."""

    tables: int
    events: int
    position: int
    """The position up to which the log was audited."""
    processes: int
    seconds: float
    tree: str
    """The outcome for the tree, in words."""
    models: str
    """The outcome for the read models, in words."""
    not_judged: int
    """The number of tables with unknown rules or an unknown event, in which nothing else is wrong."""
    differences: tuple[Difference, ...]

    @property
    def rate(self) -> float:
        """Events audited per second."""
        return self.events / self.seconds if self.seconds else 0.0


class _Positions(Struct, frozen=True):
    """A piece of the log's positions."""

    start: int
    missing: tuple[int, ...]
    node: bytes | None
    """The hash of its subtree, if that is complete."""
    leaves: tuple[bytes, ...]


class _Tables(Struct, frozen=True):
    """The audit of some tables."""

    events: int
    positioned: int
    """The number of events at positions up to the log's end when the audit began."""
    differences: tuple[Difference, ...]
    listed: tuple[ListedTable, ...]
    """What lists should show for the tables whose records are intact."""
    compared: int
    behind: int
    not_judged: int


async def audit_log(
    sources: Sources,
    progress: Progress,
    *,
    since: int = 0,
    table: str | None = None,
    checkpoint: Checkpoint | None = None,
    keys: Sequence[AnnouncedKey] = (),
    processes: int | None = None,
) -> AuditSummary:
    """Audits all tables, or those with events after the position `since`, or one table.

    Without `since` and `table` it audits all positions and the tree too. By default there is one process per core.
    Raises StoreUnavailable.
    """
    started = time.perf_counter()
    everything = not since and table is None
    workers = processes or os.cpu_count() or 1
    tree, differences = "not audited: only a part of the log is", list[Difference]()
    async with _connected(sources) as (store, database, models):
        end = await store.end()
        lists, broken, unavailable = await _lists(models)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            try:
                if everything:
                    tree, differences = _check_positions(
                        await _all_positions(pool, sources, end), end, checkpoint, keys
                    )
                tables = [table] if table is not None else await _table_ids(database, since, end)
                pieces = await _all_tables(pool, sources, tables, end, progress, compare=unavailable is None)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    differences += [one for piece in pieces for one in piece.differences] + broken
    if everything:
        differences += _check_sum(end, sum(piece.positioned for piece in pieces))
    differences += [one for piece in pieces for table in piece.listed for one in table.differences(lists)]
    compared, behind = sum(piece.compared for piece in pieces), sum(piece.behind for piece in pieces)
    said = f"those of {compared} tables, {len(lists)} in lists" + (f"; {behind} behind" if behind else "")
    return AuditSummary(
        tables=len(tables),
        events=sum(piece.events for piece in pieces),
        position=end,
        processes=workers,
        seconds=time.perf_counter() - started,
        tree=tree,
        models=unavailable or said,
        not_judged=sum(piece.not_judged for piece in pieces),
        differences=tuple(differences),
    )


@asynccontextmanager
async def _connected(sources: Sources) -> AsyncIterator[tuple[Store, Database, ReadModels]]:
    async with _database(sources) as database:
        store = Store(database)
        redis = connect(sources.redis_url, timeout_s=MODELS_TIMEOUT_S)
        try:
            games = load_registry(sources.registry)
            models = ReadModels(redis, LogSource(store, Tail(database)), games, timeout_s=MODELS_TIMEOUT_S)
            yield store, database, models
        finally:
            await redis.aclose()


def _database(sources: Sources) -> Database:
    return Database(sources.database_url, command_s=STATEMENT_S, statement_s=STATEMENT_S, connections=2)


async def _lists(models: ReadModels) -> tuple[dict[str, ListedTable], list[Difference], str | None]:
    """What the lists show for each table, their broken items, and the reason if they cannot be read."""
    try:
        return *(await read_lists(models)), None
    except ReadModelsUnavailable as error:
        return {}, [], f"not audited: {error}"


async def _all_positions(pool: ProcessPoolExecutor, sources: Sources, end: int) -> list[_Positions]:
    loop = asyncio.get_running_loop()
    pieces = [
        loop.run_in_executor(pool, _read_positions, sources, start, min(start + PIECE, end))
        for start in range(0, end, PIECE)
    ]
    return list(await asyncio.gather(*pieces))


_POSITIONS = "SELECT position, hash FROM codille.event WHERE position > $1 AND position <= $2 ORDER BY position"


def _read_positions(sources: Sources, start: int, stop: int) -> _Positions:
    """The positions after `start` up to `stop`. Runs in a process of the pool."""

    async def work() -> _Positions:
        async with _database(sources) as database:
            rows = await database.fetch(_POSITIONS, start, stop)
        leaves = tuple(leaf_hash(hash_) for _, hash_ in rows)
        if len(rows) < stop - start:
            there = {position for position, _ in rows}
            missing = [position for position in range(start + 1, stop + 1) if position not in there]
            return _Positions(start, tuple(missing[:MOST_MISSING]), None, leaves)
        return _Positions(start, (), subtree_hash(leaves) if stop - start == PIECE else None, leaves)

    return asyncio.run(work())


def _check_positions(
    pieces: Sequence[_Positions], end: int, checkpoint: Checkpoint | None, keys: Sequence[AnnouncedKey]
) -> tuple[str, list[Difference]]:
    """The outcome for the tree in words, and the differences of positions, checkpoint and tree."""
    missing = [missing_events(piece.missing) for piece in pieces if piece.missing]
    if missing:
        return "not computed: positions are missing", missing
    if checkpoint is None:
        return "contiguous; there is no checkpoint to compare it with", []
    forged = list(check_signature(checkpoint, keys))
    if short := list(check_end(checkpoint, end)):
        return short[0].text, forged + short
    if other := list(check_root(checkpoint, _root(pieces, checkpoint.size))):
        return "differs from its checkpoint", forged + other
    return f"that of the checkpoint of {checkpoint.size} events", forged


def _root(pieces: Sequence[_Positions], size: int) -> bytes:
    """The root of the tree of the first `size` events."""
    tree = GrowingTree()
    for piece in pieces:
        if piece.node is not None and size - piece.start >= PIECE:
            tree.add_subtree(LEVEL, piece.node)
        else:
            for leaf in piece.leaves[: max(0, size - piece.start)]:
                tree.add_subtree(0, leaf)
    return tree.root()


def _check_sum(end: int, positioned: int) -> Iterator[Difference]:
    """The difference, if any, between the number of positions and of events in the tables' streams."""
    if positioned != end:
        text = f"{end} positions were given, and the tables' streams hold {positioned} events"
        yield Difference("the log", "positions", text)


_SINCE = "SELECT DISTINCT table_id::text FROM codille.event WHERE position > $1 AND position <= $2"
_ALL = "SELECT id::text FROM codille.stream WHERE id > $1::uuid ORDER BY id LIMIT 10000"


async def _table_ids(database: Database, since: int, end: int) -> list[str]:
    """The tables to audit."""
    if since:
        ids: dict[str, None] = {}
        for start in range(since, end, PIECE):
            ids |= dict.fromkeys(table for (table,) in await database.fetch(_SINCE, start, min(start + PIECE, end)))
        return list(ids)
    tables: list[str] = []
    after = "00000000-0000-0000-0000-000000000000"
    while rows := await database.fetch(_ALL, after):
        tables += [table for (table,) in rows]
        after = tables[-1]
    return tables


async def _all_tables(
    pool: ProcessPoolExecutor,
    sources: Sources,
    tables: Sequence[str],
    end: int,
    progress: Progress,
    *,
    compare: bool,
) -> list[_Tables]:
    done = 0
    loop = asyncio.get_running_loop()

    async def audit(some: Sequence[str]) -> _Tables:
        nonlocal done
        piece = await loop.run_in_executor(pool, _audit_tables, sources, some, end, compare)
        done += len(some)
        progress(done, len(tables))
        return piece

    pieces = [tables[start : start + TABLES_A_PIECE] for start in range(0, len(tables), TABLES_A_PIECE)]
    return list(await asyncio.gather(*map(audit, pieces)))


_STREAMS = f"""
    SELECT s.id::text, s.at_version, s.head, {COLUMNS}
    FROM (SELECT id, version AS at_version, head FROM codille.stream WHERE id = ANY ($1::uuid[])) s
    LEFT JOIN codille.event ON table_id = s.id
    ORDER BY s.id, version
"""  # noqa: S608 (no input in it)
"""Streams and their heads, read at one moment."""


def _audit_tables(sources: Sources, tables: Sequence[str], end: int, compare: bool) -> _Tables:
    """Audits some tables, with their read models if `compare` is set. Runs in a process of the pool."""

    async def work() -> _Tables:
        reader = Reader(load_registry(sources.registry))
        events = positioned = compared = behind = not_judged = 0
        differences: list[Difference] = []
        listed: list[ListedTable] = []
        async with _connected(sources) as (_, database, models):
            async for table, head, records in _streams(database, tables):
                audit = await audit_table(reader, models if compare else None, table, records, head)
                events += len(records)
                positioned += sum(record.position <= end for record in records)
                differences += audit.differences
                compared += audit.compared
                behind += audit.behind
                not_judged += not audit.judged
                state = reader.fold(None, records) if compare and audit.intact else None
                if state is not None:
                    listed.append(ListedTable.of(state))
        return _Tables(events, positioned, tuple(differences), tuple(listed), compared, behind, not_judged)

    return asyncio.run(work())


async def _streams(database: Database, tables: Sequence[str]) -> AsyncIterator[tuple[str, Head, list[Recorded]]]:
    for start in range(0, len(tables), TABLES_A_QUERY):
        rows = await database.fetch(_STREAMS, tables[start : start + TABLES_A_QUERY])
        for table, own in groupby(rows, key=lambda row: str(row[0])):
            stream = list(own)
            head = Head(stream[0][1], stream[0][2])
            yield table, head, [recorded(tuple(row)[3:]) for row in stream if row[4] is not None]
