"""The archive: how fast it is built, and what searches of a million deals cost, by each filter alone and by pairs.

Some deals are played at random, and stand in the archive many times, with other players, tables and times. The log need
not hold them.
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import asyncpg
import msgspec
import structlog
import uvloop
from msgspec.structs import asdict, replace

from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.registry import GAMES
from projections.archive.rows import ArchivedDeal
from projections.archive.table_rows import fold_table
from projections.connection import connect
from projections.runner import Projector
from service.auth.secrets import mint_token
from service.compute.heavy_reads import Spending
from service.edge_services import SEARCH_S
from service.live.archivist import Archivist
from service.observability.metrics import Metrics
from service.queries.archive_search import ArchiveSearch, ArchiveUnavailable, Wanted
from service.store.accounts import Accounts
from service.store.archive_store import ArchiveStore
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.watchers import PROJECTOR_TIMEOUT_S
from tests.lab.benchmarks.bench import Bench, alternating
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.rows.projections import laid_side_by_side
from tests.support.projecting import recorded

ROW = "archive"
READER = Reader(GAMES)
SEED = 56

Chosen: TypeAlias = Mapping[str, Any]
"""Fields of `Wanted`."""

_INSERT = "INSERT INTO played SELECT * FROM jsonb_populate_recordset(NULL::archive.deal, $1)"
_MULTIPLIED = """
    INSERT INTO archive.deal
    SELECT
        k * $2::int + p.position, md5(p.table_id::text || k)::uuid, p.deal, p.version,
        '2024-01-01Z'::timestamptz + (k * $2::int + p.position) * interval '1 day' * 1000 / $1::int, p.game,
        p.rules_version, p.options, random() < 0.9, random() < 0.2,
        (
            SELECT array_agg(md5('player' || (power(random(), 3) * 20000)::int)::uuid)
            FROM unnest(p.players) WHERE k IS NOT NULL
        ),
        p.sides, p.declarer, p.contract, p.trump, p.outcome, p.length, p.results, p.amount, p.rules,
        d.disputed, d.disputed AND random() < 0.3
    FROM generate_series(0, $1::int / $2::int - 1) k
    CROSS JOIN played p
    CROSS JOIN LATERAL (SELECT random() < 0.01 AND k IS NOT NULL AND p.deal > 0 AS disputed) d
"""
_INDEXES = """
    SELECT indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'archive' AND tablename = 'deal' AND indexname NOT IN ('deal_pkey', 'deal_table_id_deal_key')
"""
_DRAWN = "SELECT * FROM archive.deal WHERE listed AND position % 997 = 5 AND declarer IS NOT NULL ORDER BY position"


def measure(bench: Bench) -> Iterator[Figure]:
    """A build, beside that of the read models. Then each filter, with values from deals that there are, and drawn pairs
    of filters.
    """
    url, events = laid_side_by_side(bench, "archive_built")
    built = alternating(bench.rounds, {"both": lambda: uvloop.run(_built(url, bench.empty_redis()))})["both"]
    yield Figure(
        row=ROW,
        case="rebuild",
        value=events / median([archive for archive, _ in built]),
        unit="events/s",
        beside=Beside(name="read models, rebuild", value=events / median([models for _, models in built])),
        must=Bound(least=1),
        note=f"{events:,} events of tables played at the same time",
    )
    played, rows = bench.pick((20_000, 1_000_000), (600, 1_000_000), (40, 2_000))
    url = bench.database("archive", migrated=True)
    began = time.monotonic()
    asyncio.run(_fill(url, played, rows))
    note = f"{rows:,} deals, of {played:,} that were played; filled in {time.monotonic() - began:.0f} s"
    costs = asyncio.run(_costs(bench.as_service(url), bench.pick(5, 3, 1), bench.pick(100, 100, 5)))
    for of, some in costs.items():
        worst = sorted(some.items(), key=lambda one: -one[1])[:8]
        details = {"dearest": {name: round(ms, 1) for name, ms in worst}}
        values = list(some.values())
        for case, value, most in (("median", median(values), 20), ("most", max(values), 200)):
            yield Figure(
                row=ROW,
                case=f"{of}, {case}",
                value=value,
                unit="CPU ms",
                must=Bound(most=most, of_ratio=False),
                note=note,
                details=details,
            )


async def _built(url: str, redis_url: str) -> tuple[float, float]:
    """Seconds in which the archive is built from the log, and the read models."""
    log = structlog.get_logger()
    async with (
        Database(url, owner=True) as database,
        connect(redis_url, timeout_s=PROJECTOR_TIMEOUT_S) as redis,
    ):
        source = LogSource(Store(database), Tail(database))
        archive = Archivist(ArchiveStore(database), source, READER, Metrics(), log).rebuild
        models = Projector(source, READER, redis, log).rebuild
        taken = {archive: 0.0, models: 0.0}
        # Whichever is first opens the connections.
        for build in (archive, models, models, archive):
            began = time.perf_counter()
            await build(lambda _done, _total: None)
            taken[build] += (time.perf_counter() - began) / 2
    return taken[archive], taken[models]


def _played(part: tuple[str, int, int]) -> list[ArchivedDeal]:
    """At least so many deals of a game, played at random with this seed."""
    game, deals, seed = part
    made: list[ArchivedDeal] = []
    while len(made) < deals:
        seed += 1
        tables: dict[str, list[Recorded]] = {}
        for position, record in enumerate(recorded(4, seed, game=GAMES[game]), 1):
            tables.setdefault(record.table, []).append(replace(record, position=position))
        for number, records in enumerate(tables.values()):
            table = f"{seed:08x}-0000-7000-8000-{number:012x}"
            made += [replace(deal, table_id=table) for deal in fold_table(READER, records, None)[1].deals]
    return made[:deals]


async def _fill(url: str, played: int, rows: int) -> None:
    parts = [(game, played // len(GAMES) + 1, 1000 * number) for number, game in enumerate(GAMES)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        deals = [deal for some in pool.map(_played, parts) for deal in some][:played]
    # Games of one kind do not stand side by side.
    random.Random(SEED).shuffle(deals)  # noqa: S311 (nothing is secret)
    rows_of = [asdict(replace(deal, position=number)) for number, deal in enumerate(deals)]
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("CREATE TEMPORARY TABLE played (LIKE archive.deal)")
        await connection.execute(_INSERT, msgspec.json.encode(rows_of).decode())
        indexes = await connection.fetch(_INDEXES)
        for index in indexes:
            await connection.execute(f"DROP INDEX archive.{index['indexname']}")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(_MULTIPLIED, rows, len(deals))
        for index in indexes:
            await connection.execute(index["indexdef"])
        await connection.execute("VACUUM ANALYZE archive.deal")
    finally:
        await connection.close()


def _filters(deal: Mapping[str, Any], own: str, frequent: str) -> Mapping[str, Chosen]:
    """Filters that find this deal, by name."""
    seats = [str(player) for player in deal["players"]]
    declarer = deal["declarer"] or 0
    others = [player for seat, player in enumerate(seats) if deal["sides"][seat] != deal["sides"][declarer]]
    partners = [player for seat, player in enumerate(seats) if deal["sides"][seat] == deal["sides"][0]]
    game: dict[str, Any] = {"game": deal["game"]}
    option = dict(list(msgspec.json.decode(deal["options"]).items())[:1])
    filters: dict[str, Chosen] = {
        "nothing": {},
        "game": game,
        "game, largest": game | {"order": "largest"},
        "option": game | {"options": option},
        "rules version": game | {"rules_version": deal["rules_version"]},
        "player": {"players": (own,)},
        "frequent player": {"players": (frequent,)},
        "two players": {"players": tuple(dict.fromkeys(seats))[:2]},
        "partners": {"players": tuple(dict.fromkeys(partners))[:2], "among": "partners"},
        "declarer": {"players": (seats[declarer],), "among": "declarer"},
        "declarer against": {"players": tuple(dict.fromkeys((seats[declarer], *others)))[:2], "among": "declarer"},
        "month": {"since": deal["at"].replace(day=1), "until": deal["at"]},
        "long ago": {"until": datetime(2024, 1, 3, tzinfo=UTC)},
        "outcome": game | {"outcome": deal["outcome"]},
        "amount": {"amount": (deal["amount"], deal["amount"] + 5)},
        "large amount": {"amount": (10_000, None)},
        "length": {"length": (deal["length"], deal["length"])},
        "great length": {"length": (5_000, None)},
        "rule": {"rule": deal["rules"][0] if deal["rules"] else "XX-1"},
        "no such rule": {"rule": "XX-1"},
        "bots": {"flags": {"bots": True}},
        "people": {"flags": {"bots": False}},
        "disputed": {"flags": {"disputed": True}},
        "corrected": {"flags": {"corrected": True}},
    }
    if deal["contract"] is not None:
        filters["contract"] = game | {"contract": deal["contract"]}
    if deal["trump"] is not None:
        filters["trump"] = game | {"trump": deal["trump"]}
    return filters


def _together(one: Chosen, other: Chosen) -> Chosen:
    flags = {**one.get("flags", {}), **other.get("flags", {})}
    return {**one, **other, "flags": flags}


async def _costs(url: str, times: int, pairs: int) -> Mapping[str, Mapping[str, float]]:
    """The processor time in ms of each filter, and of each pair."""
    rng = random.Random(SEED)  # noqa: S311 (as above)
    async with Database(url, connections=1, statement_s=SEARCH_S, custom_plans=True) as database:
        drawn = await database.fetch(_DRAWN)
        deals = [rng.choice(drawn) for _ in range(times)]
        accounts = Accounts(database)
        ((frequent,),) = await database.fetch("SELECT md5('player0')::uuid::text")
        players = {frequent, *(str(player) for deal in drawn for player in deal["players"])}
        for number, player in enumerate(sorted(players)):
            await accounts.register(player, f"Player {number}", mint_token(("play",))[1], datetime.now(UTC))
        search = ArchiveSearch(database, accounts, READER)
        found = [_filters(deal, rng.choice([str(player) for player in deal["players"]]), frequent) for deal in deals]
        names = sorted({name for filters in found for name in filters})

        async def cost(chosen: Sequence[Chosen]) -> float:
            return median([await _cost(search, database, Wanted(**each)) for each in chosen])

        alone = {name: await cost([filters[name] for filters in found if name in filters]) for name in names}
        together: dict[str, float] = {}
        while len(together) < pairs:
            one, other = sorted(rng.sample(names, 2))
            # Each of a deal of its own, so that many pairs find nothing.
            first, second = rng.choice(found), rng.choice(found)
            if one in first and other in second:
                together[f"{one}; {other}"] = await cost([_together(first[one], second[other])])
    return {"each filter": alone, "pairs of filters": together}


async def _cost(search: ArchiveSearch, database: Database, wanted: Wanted) -> float:
    """The processor time in ms of one search, here and in the one process of Postgres that this one has."""
    ((backend,),) = await database.fetch("SELECT pg_backend_pid()")
    before = time.process_time_ns() + _ran_ns(backend)
    try:
        await search.deals("", wanted, Spending(()))
    except ArchiveUnavailable:
        return 1000 * SEARCH_S
    return (time.process_time_ns() + _ran_ns(backend) - before) / 1e6


def _ran_ns(process: int) -> int:
    """For how many nanoseconds a process has run."""
    ran, *_ = Path(f"/proc/{process}/schedstat").read_text().split()
    return int(ran)
