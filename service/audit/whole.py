"""The audit of everything: positions, the log's tree, every table's record, and what the read models serve.

The work is cut into pieces and done by one process a core; each piece connects by itself, so that nothing is shared.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from itertools import groupby
from multiprocessing import get_context
from typing import TypeVar

from msgspec import Struct

from domain.record.history import Reader
from domain.record.merkle import GrowingTree, leaf_hash, subtree_hash
from domain.record.recorded import Recorded
from domain.registry import GAMES
from projections import ReadModels, ReadModelsUnavailable, connect
from service.audit.forgery import forged
from service.audit.read_models import Summarised, TableModels, differing, listed, served
from service.audit.tables import table_audit
from service.cli.progress import Tell
from service.store.database import SERVICE_ROLE, Database
from service.store.records import COLUMNS, recorded
from service.store.source import LogSource
from service.store.store import Head, Store
from service.store.tail import Tail
from service.transparency import AnnouncedKey, Checkpoint

T = TypeVar("T")

LEVEL = 15
"""Positions are looked at in aligned pieces of 2^15, each a subtree of the log's tree."""

PIECE = 1 << LEVEL
TABLES_A_PIECE = 96
TABLES_A_QUERY = 16
MOST_GAPS = 5
MODELS_TIMEOUT_S = 5.0


class Failure(Struct, frozen=True):
    """One thing that is wrong, and where."""

    place: str
    check: str
    text: str


class Summary(Struct, frozen=True):
    """What the audit of the log came to."""

    tables: int
    events: int
    position: int
    """Up to which the log was audited."""
    processes: int
    seconds: float
    tree: str
    """What can be said of the tree."""
    models: str
    """What can be said of the read models."""
    failures: tuple[Failure, ...]

    @property
    def rate(self) -> float:
        """Events a second."""
        return self.events / self.seconds if self.seconds else 0.0


class _Piece(Struct, frozen=True):
    """What came of some tables."""

    events: int
    placed: int
    """Those of them up to the end that the audit was begun at."""
    failures: tuple[Failure, ...]
    summaries: tuple[Summarised, ...]
    compared: int
    behind: int


class _Span(Struct, frozen=True):
    """What came of a piece of positions: how many there are, which are missing, and the subtree or its leaves."""

    start: int
    count: int
    missing: tuple[int, ...]
    node: bytes | None
    leaves: tuple[bytes, ...]


class Servers(Struct, frozen=True):
    """Where the log and the read models are."""

    database_url: str
    redis_url: str


async def audit_log(
    servers: Servers,
    tell: Tell,
    *,
    since: int = 0,
    table: str | None = None,
    checkpoint: Checkpoint | None = None,
    keys: Sequence[AnnouncedKey] = (),
    processes: int | None = None,
) -> Summary:
    """Audits all tables, those with events after a position, or one; without either also all positions and the tree.

    Raises StoreUnavailable.
    """
    started = time.perf_counter()
    everything = not since and table is None
    workers = processes or os.cpu_count() or 1
    async with _connected(servers) as (store, database, models):
        end = await store.end()
        lists, broken, said = await _lists(models)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            try:
                tree = "not looked at: only a part of the log is audited"
                failures: list[Failure] = []
                if everything:
                    spans = await _spans(pool, servers, end)
                    tree, failures = _positions(spans, end, checkpoint, keys)
                tables = [table] if table is not None else await _tables(database, since, end)
                pieces = await _pieces(pool, servers, tables, end, tell, compare=said is None)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    failures += [failure for piece in pieces for failure in piece.failures]
    failures += [Failure("the lists", "lists", text) for text in broken]
    if everything and (placed := sum(piece.placed for piece in pieces)) != end:
        text = f"{end} positions were given, and the tables' streams hold {placed} events"
        failures.append(Failure("the log", "positions", text))
    for summary in (summary for piece in pieces for summary in piece.summaries):
        for text in differing(summary, lists.get(summary.table)):
            failures.append(Failure(f"table {summary.table}", "lists", text))
    compared, behind = (sum(getattr(piece, name) for piece in pieces) for name in ("compared", "behind"))
    return Summary(
        tables=len(tables),
        events=sum(piece.events for piece in pieces),
        position=end,
        processes=workers,
        seconds=time.perf_counter() - started,
        tree=tree,
        models=said or f"those of {compared} tables, {len(lists)} in lists" + (f"; {behind} behind" if behind else ""),
        failures=tuple(failures),
    )


class _NoModels(Exception):
    """There are no read models to look at."""


@asynccontextmanager
async def _connected(servers: Servers) -> AsyncIterator[tuple[Store, Database, TableModels]]:
    async with Database(
        servers.database_url, role=SERVICE_ROLE, command_s=60, statement_s=60, connections=2
    ) as database:
        store = Store(database)
        redis = connect(servers.redis_url, timeout_s=MODELS_TIMEOUT_S)
        try:
            models = ReadModels(redis, LogSource(store, Tail(database)), GAMES, timeout_s=MODELS_TIMEOUT_S)
            yield store, database, models
        finally:
            await redis.aclose()


async def _lists(models: TableModels) -> tuple[dict[str, Summarised], list[str], str | None]:
    """What the lists say of all tables, or why that cannot be known."""
    try:
        return *(await listed(models)), None
    except ReadModelsUnavailable as error:
        return {}, [], f"not looked at: {error}"


async def _in_pool(pool: ProcessPoolExecutor, work: Callable[..., T], pieces: Sequence[tuple[object, ...]]) -> list[T]:
    loop = asyncio.get_running_loop()
    return list(await asyncio.gather(*(loop.run_in_executor(pool, work, *piece) for piece in pieces)))


async def _spans(pool: ProcessPoolExecutor, servers: Servers, end: int) -> list[_Span]:
    pieces = [(servers, start, min(start + PIECE, end)) for start in range(0, end, PIECE)]
    return await _in_pool(pool, _span, pieces)


def _span(servers: Servers, start: int, stop: int) -> _Span:
    """The positions after `start` up to `stop`, in a process of its own."""

    async def work() -> _Span:
        async with Database(servers.database_url, role=SERVICE_ROLE, command_s=60, statement_s=60) as database:
            rows = await database.fetch(_POSITIONS, start, stop)
        places = {position for position, _ in rows}
        missing = (
            [place for place in range(start + 1, stop + 1) if place not in places] if len(rows) < stop - start else []
        )
        leaves = tuple(leaf_hash(hash_) for _, hash_ in rows)
        whole = not missing and stop - start == PIECE
        return _Span(start, len(rows), tuple(missing[:MOST_GAPS]), subtree_hash(leaves) if whole else None, leaves)

    return asyncio.run(work())


_POSITIONS = "SELECT position, hash FROM codille.event WHERE position > $1 AND position <= $2 ORDER BY position"


def _positions(
    spans: Sequence[_Span], end: int, checkpoint: Checkpoint | None, keys: Sequence[AnnouncedKey]
) -> tuple[str, list[Failure]]:
    """What can be said of the tree, and what is wrong with positions and tree."""
    failures = [
        Failure(f"position {span.missing[0]}", "positions", f"there is no event at {', '.join(map(str, span.missing))}")
        for span in spans
        if span.missing
    ]
    if failures:
        return "not computed: positions are missing", failures
    if checkpoint is None:
        return "contiguous; there is no signed head to hold it against", failures
    if wrong := forged(checkpoint, keys):
        failures.append(Failure(f"the checkpoint of size {checkpoint.size}", "checkpoint", wrong))
    if checkpoint.size > end:
        text = f"a head of {checkpoint.size} events was signed, and the log ends at {end}"
        return text, [*failures, Failure("the log", "tree", text)]
    tree = GrowingTree()
    for span in spans:
        if checkpoint.size - span.start >= PIECE and span.node is not None:
            tree.add_subtree(LEVEL, span.node)
        else:
            for leaf in span.leaves[: max(0, checkpoint.size - span.start)]:
                tree.add_subtree(0, leaf)
    if tree.root() != checkpoint.root:
        text = (
            f"the log's first {checkpoint.size} events make another tree than the one that was signed: "
            f"{tree.root().hex()}, signed {checkpoint.root.hex()}"
        )
        return "differs from its signed head", [*failures, Failure("the log", "tree", text)]
    return f"that of the signed head of {checkpoint.size} events", failures


async def _tables(database: Database, since: int, end: int) -> list[str]:
    """The tables to audit."""
    if since:
        found: dict[str, None] = {}
        for start in range(since, end, PIECE):
            found |= dict.fromkeys(table for (table,) in await database.fetch(_SINCE, start, min(start + PIECE, end)))
        return list(found)
    tables: list[str] = []
    after = "00000000-0000-0000-0000-000000000000"
    while rows := await database.fetch(_ALL, after):
        tables += [table for (table,) in rows]
        after = tables[-1]
    return tables


_SINCE = "SELECT DISTINCT table_id::text FROM codille.event WHERE position > $1 AND position <= $2"
_ALL = "SELECT id::text FROM codille.stream WHERE id > $1::uuid ORDER BY id LIMIT 10000"
_STREAMS = f"""
    SELECT s.id::text, s.at_version, s.head, {COLUMNS}
    FROM (SELECT id, version AS at_version, head FROM codille.stream WHERE id = ANY ($1::uuid[])) s
    LEFT JOIN codille.event ON table_id = s.id
    ORDER BY s.id, version
"""  # noqa: S608 (no input in it)
"""Streams and their heads, at one moment."""


async def _pieces(
    pool: ProcessPoolExecutor, servers: Servers, tables: Sequence[str], end: int, tell: Tell, *, compare: bool
) -> list[_Piece]:
    done = 0
    loop = asyncio.get_running_loop()

    async def one(some: Sequence[str]) -> _Piece:
        nonlocal done
        piece: _Piece = await loop.run_in_executor(pool, _piece, servers, some, end, compare)
        done += len(some)
        tell(done, len(tables))
        return piece

    cut = [tables[start : start + TABLES_A_PIECE] for start in range(0, len(tables), TABLES_A_PIECE)]
    work: list[Awaitable[_Piece]] = [one(some) for some in cut]
    return list(await asyncio.gather(*work))


def _piece(servers: Servers, tables: Sequence[str], end: int, compare: bool) -> _Piece:
    """Some tables, in a process of their own."""

    async def work() -> _Piece:
        reader = Reader(GAMES)
        found: list[_Piece] = []
        async with _connected(servers) as (_, database, models):
            for start in range(0, len(tables), TABLES_A_QUERY):
                rows = await database.fetch(_STREAMS, tables[start : start + TABLES_A_QUERY])
                for table, own in groupby(rows, key=lambda row: str(row[0])):
                    stream = list(own)
                    head = Head(stream[0][1], stream[0][2])
                    records = [recorded(tuple(row)[3:]) for row in stream if row[4] is not None]
                    found.append(await _one(reader, models if compare else None, table, head, records, end))
        return _Piece(
            sum(one.events for one in found),
            sum(one.placed for one in found),
            tuple(failure for one in found for failure in one.failures),
            tuple(summary for one in found for summary in one.summaries),
            sum(one.compared for one in found),
            sum(one.behind for one in found),
        )

    return asyncio.run(work())


async def _one(
    reader: Reader, models: TableModels | None, table: str, head: Head, records: Sequence[Recorded], end: int
) -> _Piece:
    """One table."""
    placed = sum(record.position <= end for record in records)
    failures = list(table_failures(reader, table, records, head))
    if failures or not records or models is None:
        # What does not follow from its events cannot be held against anything.
        return _Piece(len(records), placed, tuple(failures), (), 0, 0)
    state = reader.fold(None, records)
    summaries = () if state is None else (Summarised.of(state),)
    try:
        found = await served(models, reader, records)
    except ReadModelsUnavailable:
        return _Piece(len(records), placed, (), summaries, 0, 0)
    differences = tuple(Failure(f"table {table}", "read models", text) for text in found.differences)
    return _Piece(len(records), placed, differences, summaries, int(found.there), int(found.behind))


def table_failures(reader: Reader, table: str, records: Sequence[Recorded], head: Head) -> Iterator[Failure]:
    """What is wrong with a table's record."""
    for check in table_audit(reader, records, head).checks:
        if not check.passed:
            place = f"table {table}" + (f", event {check.events[0]}" if check.events else "")
            yield Failure(place, check.name, check.text)
