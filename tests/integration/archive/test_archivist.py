"""The archive follows the log, in whatever pages, as a rebuild makes it."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg
import pytest

from domain.record.recorded import Recorded
from domain.table.actions import Act, Entry, EraseText, OpenDispute, RuleDispute
from domain.table.events import DealScored, DisputeOpened, GameFinished, lines_of
from domain.table.options import SpectatorDelay, TableOptions
from domain.table.seat_offers import default_action
from domain.table.view import to_act
from projections.archive.rows import FOLD
from projections.checkpoint import LogPoint
from projections.tasks import cancel_and_wait
from service.live.archivist import ArchiveOfLaterVersion
from service.store.archive_store import ArchiveBatch, ArchiveStore
from service.store.database import Database
from service.store.store import Append, Store
from tests.support.archiving import append, archived, archivist, does, rebuilt
from tests.support.postgres import Owner
from tests.support.projecting import READER, games, played, quiet, until

EVERYBODY = "00000000-0000-0000-0000-000000000000"
ARBITER = "an arbiter"
NOTHING = ArchiveBatch((), (), (), {})


@pytest.fixture(scope="module")
def commands() -> list[list[Recorded]]:
    """Games at tables of all kinds, command by command."""
    return list(games(20))


@pytest.fixture(scope="module")
def game() -> list[Recorded]:
    """A game of three deals."""
    return played(1, 0)


def of_type(records: Sequence[Recorded], type_: str) -> list[Recorded]:
    return [record for record in records if record.type == type_]


async def deals_of(database: Database, table: str) -> Mapping[int, Any]:
    rows = await database.fetch("SELECT * FROM archive.deal WHERE table_id = $1", table)
    return {row["deal"]: row for row in rows}


async def counted(database: Database) -> Mapping[tuple[Any, ...], int]:
    """What the tallies should be, by the archive's deals."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for deal in await database.fetch("SELECT * FROM archive.deal"):
        listed = deal["listed"] and not deal["bots"]
        for seat, (player, result) in enumerate(zip(deal["players"], deal["results"], strict=True)):
            key = deal["contract"] or "", deal["outcome"], seat, deal["declarer"] == seat
            for whose in (str(player), EVERYBODY) if listed else (str(player),):
                for name, value in (("deals", 1), ("won", result > 0), ("points", result), ("squares", result**2)):
                    counts[deal["game"], whose, listed, *key, name] += int(value)
    return {key: value for key, value in counts.items() if value}


async def tallied(database: Database) -> Mapping[tuple[Any, ...], int]:
    tallies: Counter[tuple[Any, ...]] = Counter()
    for row in await database.fetch("SELECT * FROM archive.tally"):
        key = row["game"], str(row["player"]), row["listed"]
        key += row["contract"], row["outcome"], row["seat"], row["declares"]
        for name in ("deals", "won", "points", "squares"):
            tallies[*key, name] += int(row[name])
    return {key: value for key, value in tallies.items() if value}


async def test_pages_and_a_rebuild_give_the_same_rows(database: Database, commands: list[list[Recorded]]) -> None:
    await append(database, commands)
    whole = await rebuilt(database)
    assert whole["deal"]
    assert not whole["aside"]
    assert await rebuilt(database, page=97) == whole
    assert await tallied(database) == await counted(database)


async def test_a_row_has_what_its_deal_has_booked(database: Database, commands: list[list[Recorded]]) -> None:
    await append(database, commands)
    await rebuilt(database)
    records = [record for command in commands for record in command]
    for scored in of_type(records, DealScored.TYPE):
        deal = (await deals_of(database, scored.table))[scored.deal or 0]
        own = [one for one in records if (one.table, one.deal) == (scored.table, scored.deal)]
        lines = [line for one in own for line in lines_of(READER.read(one).public)]
        results = [sum(line.amount for line in lines if line.seat == seat) for seat in range(len(deal["players"]))]
        assert deal["results"] == results
        assert deal["amount"] == max(map(abs, results))
        assert deal["rules"] == sorted({line.rule for line in lines})
        assert deal["length"] == sum(one.version <= scored.version for one in own)
        assert deal["version"] == scored.version


async def test_it_follows_what_is_appended_and_erasures(database: Database, game: list[Recorded]) -> None:
    await append(database, [[record] for record in game[:-1]])
    stop = asyncio.Event()
    following = asyncio.create_task(archivist(database, page=16).run(stop))
    try:
        await reached(database, len(game) - 1)
        await append_next(database, game[-1])
        await does(database, game[0].table, OpenDispute(player(game), (), 1, "why?"))
        (dispute,) = of_type(await Store(database).stream(game[0].table), DisputeOpened.TYPE)
        await does(database, game[0].table, EraseText(dispute.version))
        await reached(database, len(game) + 2)
    finally:
        stop.set()
        await following
    (row,) = await database.fetch("SELECT * FROM archive.played_table")
    finished = of_type(game, GameFinished.TYPE)[0]
    assert (row["status"], row["finished"], row["erased"]) == ("finished", finished.version, len(game) + 2)
    assert (await deals_of(database, game[0].table))[1]["disputed"]
    followed = await archived(database)
    assert await rebuilt(database) == followed


async def append_next(database: Database, record: Recorded) -> None:
    """Appends an event of the table in the log."""
    store = Store(database)
    history = READER.history(await store.stream(record.table))
    assert history is not None
    await store.append([Append(record.table, history.version, history.head, (record,))])


def player(game: Sequence[Recorded], seat: int = 0) -> str:
    history = READER.history(game)
    assert history is not None
    found = history.table.players[seat]
    assert found is not None
    return found


async def reached(database: Database, position: int) -> None:
    async def done() -> bool:
        return (await ArchiveStore(database).checkpoint()).point.position == position

    await until(done)


async def corrected(database: Database, game: Sequence[Recorded]) -> None:
    """Has the first deal's first line taken back, and 40 points booked from seat 1 to seat 0 instead."""
    table = game[0].table
    await does(database, table, OpenDispute(player(game), (), 1, "wrong"))
    entry = Entry(0, 1, 40, "correction", "CR-9.1", "by agreement")
    await does(database, table, RuleDispute(ARBITER, 1, "upheld", "so it is", (entry,)))


async def test_a_correction_changes_results_amounts_and_counts(database: Database, game: list[Recorded]) -> None:
    await append(database, [game])
    kept = archivist(database)
    await kept.rebuild(quiet)
    before = await deals_of(database, game[0].table)
    await corrected(database, game)
    stop = asyncio.Event()
    following = asyncio.create_task(kept.run(stop))
    await reached(database, await Store(database).end())
    stop.set()
    await following
    after = await deals_of(database, game[0].table)
    assert after[1]["corrected"]
    assert after[1]["disputed"]
    assert (after[1]["results"], after[1]["amount"]) == ([40, -40, 0], 40)
    assert before[2] == after[2]
    assert await tallied(database) == await counted(database)
    followed = await archived(database)
    assert await rebuilt(database) == followed


async def test_a_late_table_shows_a_ruling_when_the_running_deal_ends(database: Database) -> None:
    late = played(1, 0, TableOptions(spectator_delay=SpectatorDelay(events=3)))
    second = [record.version for record in of_type(late, "cards-dealt")][1]
    await append(database, [late[: second + 2]])
    await rebuilt(database)
    table = late[0].table
    await does(database, table, OpenDispute(player(late), (), 1, "wrong"))
    await rebuilt(database)
    assert not (await deals_of(database, table))[1]["disputed"]
    while len(await deals_of(database, table)) == 1:
        history = READER.history(await Store(database).stream(table))
        assert history is not None
        game = READER.of(history.table)
        (seat, *_) = to_act(game, history.table)
        await does(database, table, Act(player(late, seat), default_action(game, history.table, seat)))
        await rebuilt(database)
    assert (await deals_of(database, table))[1]["disputed"]


@pytest.mark.parametrize(
    "point", [LogPoint(10**9, bytes(32)), LogPoint(5, b"?" * 32)], ids=["ahead of the log", "another hash"]
)
async def test_a_checkpoint_that_the_log_does_not_have_is_built_anew(
    database: Database, owner: Owner, game: list[Recorded], point: LogPoint
) -> None:
    await append(database, [game])
    whole = await rebuilt(database)
    await owner.execute("UPDATE archive.checkpoint SET position = $1, hash = $2", point.position, point.hash)
    await owner.execute("UPDATE archive.deal SET amount = amount + 1")
    stop = asyncio.Event()
    following = asyncio.create_task(archivist(database).run(stop))
    await reached(database, len(game))
    stop.set()
    await following
    assert await archived(database) == whole


async def test_rows_are_taken_once_and_without_a_gap(database: Database, game: list[Recorded]) -> None:
    await append(database, [game])
    whole = await rebuilt(database)
    stored = ArchiveStore(database)
    at = (await stored.checkpoint()).point
    later = LogPoint(at.position + 1, b"!" * 32)
    assert not await stored.advance(LogPoint(at.position - 1, at.hash), FOLD, later, NOTHING)
    assert not await stored.advance(LogPoint(at.position, b"?" * 32), FOLD, later, NOTHING)
    assert not await stored.advance(at, FOLD + 1, later, NOTHING)
    assert await stored.advance(at, FOLD, later, NOTHING)
    assert not await stored.advance(at, FOLD, later, NOTHING)
    assert await archived(database) == whole


async def test_two_keep_it_at_once(database: Database, commands: list[list[Recorded]]) -> None:
    stop = asyncio.Event()
    two = [asyncio.create_task(archivist(database, page=50).run(stop)) for _ in range(2)]
    await append(database, commands)
    await reached(database, sum(map(len, commands)))
    stop.set()
    await asyncio.gather(*two)
    both = await archived(database)
    assert await rebuilt(database) == both


async def test_a_table_that_cannot_be_read_is_set_aside_alone(
    database: Database, owner: Owner, game: list[Recorded]
) -> None:
    other = played(2, 0)
    await append(database, [game, other])
    await owner.execute("SET session_replication_role = replica")
    await owner.execute("UPDATE codille.event SET public = '{}' WHERE table_id = $1 AND version = 5", game[0].table)
    rows = await rebuilt(database)
    assert len(rows["aside"]) == 1
    assert game[0].table in rows["aside"][0]
    assert len(await deals_of(database, other[0].table)) == 3
    assert not await deals_of(database, game[0].table)


async def test_the_archive_of_a_later_version_is_left_alone(database: Database, owner: Owner) -> None:
    await owner.execute("UPDATE archive.checkpoint SET fold = $1", FOLD + 1)
    with pytest.raises(ArchiveOfLaterVersion):
        await archivist(database).rebuild(quiet)
    following = asyncio.create_task(archivist(database).run(asyncio.Event()))
    await asyncio.sleep(0.1)
    await cancel_and_wait(following)
    assert (await ArchiveStore(database).checkpoint()).fold == FOLD + 1


async def test_the_service_reads_the_archive_and_changes_it_by_its_functions_alone(database: Database) -> None:
    for statement in ("DELETE FROM archive.deal", "UPDATE archive.checkpoint SET position = 1"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await database.fetch(statement)
    rows = await database.fetch(
        "SELECT proname, rolname, rolcanlogin FROM pg_proc JOIN pg_roles r ON r.oid = proowner "
        "WHERE pronamespace = 'archive'::regnamespace AND prosecdef"
    )
    assert {tuple(row) for row in rows} == {
        (name, "codille_archive", False) for name in ("advance_archive", "restart_archive")
    }
    ((may,),) = await database.fetch(
        "SELECT bool_or(has_table_privilege('codille_archive', c.oid, 'SELECT, INSERT, UPDATE, DELETE')) "
        "FROM pg_class c WHERE relnamespace = 'codille'::regnamespace AND relkind = 'r'"
    )
    assert not may
