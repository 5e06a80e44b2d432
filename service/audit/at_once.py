"""The audit of everything at once: positions, the log's tree, every table's record, and the read models.

The work is split into pieces for one process per core. Each piece opens its own connections, so the processes share
nothing.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from itertools import groupby
from multiprocessing import get_context

from msgspec import Struct

from domain.kernel.game import Game
from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from domain.record.merkle import GrowingTree, leaf_hash, subtree_hash
from domain.record.recorded import Recorded
from projections.checkpoint import first_missing
from projections.connection import connect
from projections.models import Built, ReadModels, ReadModelsUnavailable
from projections.rebuild import Progress
from projections.redis_keys import FOLD
from service.audit.checks import Difference, check_end, check_root, check_signature, missing_events
from service.audit.one_table import audit_table
from service.audit.read_models import BEHIND_S, ListedTable, of_another_log, read_lists, shown
from service.audit.tallies import AuditTally, TallyKey, compare_tallies, players_of, summed, tallies_of
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

PART = "not audited: only a part of the log is"

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
    """The outcome for the read models of tables, in words."""
    tallies: str
    """The outcome for records, statements and leaderboards, in words."""
    not_checked: tuple[str, ...]
    """What of these three was not checked."""
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


class _Tables(Struct):
    """The audit of some tables, which grows with each of them."""

    events: int = 0
    positioned: int = 0
    """The number of events at positions up to the log's end when the audit began."""
    differences: list[Difference] = []
    listed: list[tuple[ListedTable, bool]] = []
    """What lists should show for the tables whose records are intact, and whether they have come so far."""
    unlisted: list[str] = []
    """The tables that no list may show."""
    tallies: dict[TallyKey, AuditTally] = {}
    """What all these tables, as shown at the log's end when the audit began, add to their players' accounts."""
    unsettled: set[str] = set()
    """The players of tables that add something unknown."""
    compared: int = 0
    absent: int = 0
    behind: int = 0
    not_judged: int = 0


class _Served(Struct, frozen=True):
    """The read models when the audit began."""

    built: Built | None
    """None if they are not compared."""
    lists: dict[str, ListedTable] = {}
    differences: tuple[Difference, ...] = ()
    why: str = ""
    """The reason why they are not compared."""


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

    Without `since` and `table` it audits all positions, the tree and tallies too. By default there is one process per
    core. Raises StoreUnavailable.
    """
    started = time.perf_counter()
    everything = not since and table is None
    workers = processes or os.cpu_count() or 1
    games = load_registry(sources.registry)
    tree, differences = PART, list[Difference]()
    async with _connected(sources) as (store, database, models):
        end = await store.end()
        served = await _served(store, models)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            try:
                if everything:
                    positions = await _all_positions(pool, sources, end)
                    tree, differences = _check_positions(positions, end, checkpoint, keys)
                tables = [table] if table is not None else await _table_ids(database, since, end)
                pieces = await _all_tables(pool, sources, tables, end, progress, served.built)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        said, wrong = served.why, list[Difference]()
        if served.built and everything:
            said, wrong = await _compare_tallies(store, database, models, games, served.built, pieces, end)
        elif served.built:
            said = PART
    differences += [one for piece in pieces for one in piece.differences] + [*served.differences]
    if everything and (positioned := sum(piece.positioned for piece in pieces)) != end:
        text = f"{end} positions were given, and the tables' streams hold {positioned} events"
        differences.append(Difference("the log", "positions", text))
    differences += _check_lists(served.lists, pieces, tables if everything else None)
    differences += wrong
    of_tables = served.why if served.built is None else _compared(served.built, len(served.lists), pieces)
    outcomes = {"tree": tree, "read models": of_tables, "tallies": said}
    return AuditSummary(
        tables=len(tables),
        events=sum(piece.events for piece in pieces),
        position=end,
        processes=workers,
        seconds=time.perf_counter() - started,
        tree=tree,
        models=of_tables,
        tallies=said,
        not_checked=tuple(what for what, outcome in outcomes.items() if outcome.startswith("not ")),
        not_judged=sum(piece.not_judged for piece in pieces),
        differences=tuple(differences),
    )


def _compared(built: Built, listed: int, pieces: Sequence[_Tables]) -> str:
    """What was compared of the read models of tables, in words."""
    compared, absent = sum(piece.compared for piece in pieces), sum(piece.absent for piece in pieces)
    behind = sum(piece.behind for piece in pieces)
    words = f"those of {compared} tables, {listed} in lists"
    words += f"; {behind} behind" if behind else ""
    words += f"; {absent} not compared, which have none" if absent else ""
    return words if built.fold == FOLD else f"{words}; version {built.fold} folded them, and this is {FOLD}"


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


async def _served(store: Store, models: ReadModels) -> _Served:
    """The read models, if they can be read and are of this log."""
    try:
        built = await models.built()
        missing = await first_missing(store.log, built.points)
        if missing is not None:
            return _Served(None, {}, (of_another_log(missing),), "not audited: they are of another log")
        lists, broken = await read_lists(models)
    except ReadModelsUnavailable as error:
        return _Served(None, why=f"not audited: {error}")
    return _Served(built, lists, tuple(broken))


def _check_lists(
    lists: Mapping[str, ListedTable], pieces: Sequence[_Tables], all_tables: Sequence[str] | None
) -> Iterator[Difference]:
    """The differences between the lists and these tables; `all_tables` are all that there are, None if unknown."""
    for piece in pieces:
        for table, reached in piece.listed:
            yield from table.differences(lists, reached=reached)
        for hidden in piece.unlisted:
            if hidden in lists:
                yield Difference(f"table {hidden}", "lists", "it is in the lists, which must not show it")
    if all_tables is not None:
        for unknown in sorted(lists.keys() - set(all_tables)):
            yield Difference(f"table {unknown}", "lists", "it is in the lists, and not in the log")


async def _compare_tallies(
    store: Store,
    database: Database,
    models: ReadModels,
    games: Mapping[str, Game],
    began: Built,
    pieces: Sequence[_Tables],
    end: int,
) -> tuple[str, list[Difference]]:
    """The outcome for records, statements and leaderboards, in words, and the differences.

    They are read now. What has been added since the position `end` is not in the tallies of the pieces, so players to
    whom something was added are not compared.
    """
    reader = Reader(games)
    try:
        deadline = time.monotonic() + BEHIND_S
        while (before := await models.built()).position < end:
            if time.monotonic() > deadline:
                return f"not audited: they stand at position {before.position}", []
            await asyncio.sleep(0.05)
        tallies = summed(piece.tallies for piece in pieces)
        compared = await compare_tallies(models, games, tallies)
        after = await models.built()
    except ReadModelsUnavailable as error:
        return f"not audited: {error}", []
    if after.generation != began.generation:
        return "not audited: they were rebuilt meanwhile", []
    unsettled = {player for piece in pieces for player in piece.unsettled}
    ahead = max(point.position for point in after.points)
    changed = set(await _table_ids(database, end, ahead) if ahead > end else ()) | before.aside | after.aside
    for table in changed:
        unsettled |= _changed(reader, await store.stream(table), end, ahead, aside=table in before.aside | after.aside)
    players = {account.player for account in tallies}
    said = f"those of {len(players - unsettled)} players"
    said += f"; {len(unsettled)} not compared, since their tables go on or are not judged" if unsettled else ""
    moved = after.points != before.points
    return said, [one for player, one in compared if player not in unsettled and not (moved and player is None)]


def _changed(reader: Reader, records: Sequence[Recorded], end: int, ahead: int, *, aside: bool) -> set[str]:
    """The players of a table whose tallies may have changed between the positions `end` and `ahead`."""
    players = set(players_of(records))
    if aside:
        return players
    try:
        return set() if _tallies(reader, records, end) == _tallies(reader, records, ahead) else players
    except Unreadable:
        return players


def _tallies(reader: Reader, records: Sequence[Recorded], end: int) -> dict[TallyKey, AuditTally]:
    """What the table adds to its players' accounts, as shown at this position."""
    table = shown(reader, [record for record in records if record.position <= end])
    return {} if table is None else tallies_of(table)


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
    built: Built | None,
) -> list[_Tables]:
    done = 0
    loop = asyncio.get_running_loop()

    async def audit(some: Sequence[str]) -> _Tables:
        nonlocal done
        piece = await loop.run_in_executor(pool, _audit_tables, sources, some, end, built)
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


def _audit_tables(sources: Sources, tables: Sequence[str], end: int, built: Built | None) -> _Tables:
    """Audits some tables, with their read models if these are given. Runs in a process of the pool."""

    async def work() -> _Tables:
        reader = Reader(load_registry(sources.registry))
        found = _Tables()
        tallies: list[dict[TallyKey, AuditTally]] = []
        async with _connected(sources) as (_, database, models):
            async for table, head, records in _streams(database, tables):
                reached = -1 if built is None or table in built.aside else built.position
                audit = await audit_table(reader, models if built else None, table, records, head, reached)
                found.events += len(records)
                found.positioned += sum(record.position <= end for record in records)
                found.differences += audit.differences
                found.compared += audit.compared
                found.absent += audit.intact and not audit.compared
                found.behind += audit.behind
                found.not_judged += not audit.judged
                state = shown(reader, records) if built and audit.intact else None
                if state is None:
                    found.unsettled |= set(players_of(records))
                    continue
                if state.table_options.visibility == "public":
                    found.listed.append((ListedTable.of(state), records[-1].position <= reached))
                else:
                    found.unlisted.append(table)
                tallies.append(tallies_of(state) if records[-1].position <= end else _tallies(reader, records, end))
        found.tallies = summed(tallies)
        return found

    return asyncio.run(work())


async def _streams(database: Database, tables: Sequence[str]) -> AsyncIterator[tuple[str, Head, list[Recorded]]]:
    for start in range(0, len(tables), TABLES_A_QUERY):
        rows = await database.fetch(_STREAMS, tables[start : start + TABLES_A_QUERY])
        for table, own in groupby(rows, key=lambda row: str(row[0])):
            stream = list(own)
            head = Head(stream[0][1], stream[0][2])
            yield table, head, [recorded(tuple(row)[3:]) for row in stream if row[4] is not None]
