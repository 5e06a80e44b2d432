"""The audit of everything at once: an intact log passes, and a change to any part of it is named."""

# ruff: noqa: S608 (statements contain nothing but the test's own ids)

from collections.abc import Iterator
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from domain.record.recorded import Recorded
from projections.fold import ScoreChange
from projections.tallies import Gain, gains
from service.audit import AuditSummary
from service.audit.tallies import players_of
from service.store.store import Store
from tests.integration.audit.conftest import TABLES, Audited
from tests.support.auditing import one_auditor
from tests.support.exports import MemoryTransparency
from tests.support.for_each import for_each
from tests.support.projecting import MemoryLog, projector, quiet, recorded

__all__ = ["one_auditor"]

pytestmark = pytest.mark.usefixtures("one_auditor")


def places(summary: AuditSummary) -> set[tuple[str, str]]:
    return {(one.subject, one.check) for one in summary.differences}


async def test_an_intact_log(log: Audited) -> None:
    summary = await log.audit(processes=2)
    assert summary.differences == ()
    assert (summary.tables, summary.events, summary.position) == (TABLES, len(log.records), len(log.records))
    assert summary.tree == f"that of the checkpoint of {len(log.records)} events"
    assert summary.models == f"those of {TABLES} tables, {TABLES} in lists"
    assert (summary.tallies, summary.not_checked) == (f"those of {len(set(players_of(log.records)))} players", ())
    assert summary.rate > 0


async def test_a_part_of_the_log(log: Audited) -> None:
    last = log.records[-1]
    summary = await log.audit(table=last.table)
    assert (summary.differences, summary.tables) == ((), 1)
    summary = await log.audit(since=last.position - 1)
    assert (summary.differences, summary.tables) == ((), 1)
    assert "only a part" in summary.tree
    assert "only a part" in summary.tallies
    assert summary.not_checked == ("tree", "tallies")


async def test_an_empty_log(log: Audited, redis: Redis) -> None:
    await redis.flushall()
    await log.tamper("DELETE FROM codille.event", "DELETE FROM codille.stream", "UPDATE codille.log SET position = 0")
    summary = await log.audit(checkpoint=None)
    assert (summary.differences, summary.tables, summary.events) == ((), 0, 0)
    assert ("the log", "tree") in places(await log.audit())


async def test_a_changed_row(log: Audited) -> None:
    played = log.first(lambda record: record.type == "card-played")
    await log.tamper(
        f'UPDATE codille.event SET public = \'{{"card":"Ks","seat":7}}\' WHERE position = {played.position}'
    )
    assert (f"table {played.table}, event {played.version}", "chain") in places(await log.audit())


async def test_a_row_changed_with_all_hashes_after_it(log: Audited) -> None:
    """A table made anew with all its hashes still differs from the checkpoint."""
    last = log.records[-1]
    await log.tamper(
        f"UPDATE codille.event SET hash = decode(repeat('ab', 32), 'hex') WHERE position = {last.position}",
        f"UPDATE codille.stream SET head = decode(repeat('ab', 32), 'hex') WHERE id = '{last.table}'",
    )
    assert {("the log", "tree"), (f"table {last.table}, event {last.version}", "chain")} <= places(await log.audit())


async def test_a_missing_event(log: Audited) -> None:
    gone = log.first(lambda record: record.version == 9)
    await log.tamper(f"DELETE FROM codille.event WHERE position = {gone.position}")
    differing = places(await log.audit())
    assert {(f"position {gone.position}", "positions"), ("the log", "positions")} <= differing
    assert (f"table {gone.table}, event 9", "chain") in differing


async def test_a_missing_end(log: Audited) -> None:
    last = log.records[-1]
    await log.tamper(
        f"DELETE FROM codille.event WHERE position = {last.position}",
        f"UPDATE codille.log SET position = {last.position - 1}",
    )
    differing = places(await log.audit())
    assert {("the log", "tree"), (f"table {last.table}, event {last.version}", "chain")} <= differing


async def test_a_missing_table(log: Audited) -> None:
    await log.tamper(f"DELETE FROM codille.stream WHERE id = '{log.records[0].table}'")
    assert ("the log", "positions") in places(await log.audit())


async def test_events_that_changed_places(log: Audited) -> None:
    one, other = log.records[3].position, log.records[7].position
    await log.tamper(
        f"UPDATE codille.event SET position = 999999 WHERE position = {one}",
        f"UPDATE codille.event SET position = {one} WHERE position = {other}",
        f"UPDATE codille.event SET position = {other} WHERE position = 999999",
    )
    assert ("the log", "tree") in places(await log.audit())


async def test_a_checkpoint_that_no_key_of_the_log_signed(log: Audited) -> None:
    theirs = MemoryTransparency(log.transparency.hashes, secret=b"\1" * 32)
    differing = places(await log.audit(checkpoint=await theirs.newest()))
    assert differing == {(f"the checkpoint of size {len(log.records)}", "checkpoint")}


async def test_an_older_checkpoint_is_enough(log: Audited) -> None:
    older = MemoryTransparency(log.transparency.hashes[:-5])
    assert (await log.audit(checkpoint=await older.newest())).differences == ()


@pytest.mark.parametrize(("what", "check"), [("view:public", "read models"), ("summary", "lists")])
async def test_read_models_that_say_something_else(log: Audited, redis: Redis, what: str, check: str) -> None:
    changed = None
    async for key in redis.scan_iter("codille:g*"):
        value = await redis.get(key) if await redis.type(key) == b"string" else None
        if value is None or b'"totals":[' not in value or (b'"seats":' in value) != (check == "read models"):
            continue
        version, _, shown = value.partition(b" ")
        said = msgspec.json.decode(shown)
        # Of a table that spectators see late, lists say what was before; they are compared when its deal is over.
        if said["version"] == int(version):
            head, _, rest = value.partition(b'"totals":[')
            await redis.set(key, head + b'"totals":[1,' + rest)
            changed = said["table"]
            break
    assert changed is not None
    assert places(await log.audit()) == {(f"table {changed}", check)}


async def test_without_read_models_only_the_log_is_audited(log: Audited, redis: Redis) -> None:
    await redis.flushall()
    summary = await log.audit()
    assert summary.differences == ()
    assert summary.models.startswith("not audited")
    assert summary.not_checked == ("read models", "tallies")


async def projected(redis: Redis, memory: MemoryLog) -> None:
    """Replaces the read models by those of this log."""
    await redis.flushall()
    await projector(memory, redis).rebuild(quiet)


@for_each("records", [recorded(4, seed=99), recorded(1, seed=99)])
async def test_read_models_of_another_log(log: Audited, redis: Redis, records: list[Recorded]) -> None:
    """It may be longer than this one, or shorter."""
    await projected(redis, MemoryLog(records))
    summary = await log.audit()
    assert places(summary) == {("the read models", "read models")}
    assert summary.models == "not audited: they are of another log"
    assert summary.not_checked == ("read models", "tallies")


async def test_read_models_that_are_ahead_of_a_log_that_was_cut(log: Audited, redis: Redis) -> None:
    longer = recorded(1, seed=99, first=100)
    await projected(redis, MemoryLog([*log.records, *longer]))
    assert places(await log.audit()) == {("the read models", "read models")}


async def test_read_models_that_are_behind(log: Audited, redis: Redis) -> None:
    await projected(redis, MemoryLog(log.records[:-1]))
    summary = await log.audit()
    assert (summary.differences, summary.tallies) == ((), f"not audited: they stand at position {len(log.records) - 1}")


async def test_tallies_that_say_something_else(log: Audited, redis: Redis) -> None:
    """Each is changed in a shard of its own; all places are named by one audit."""
    (boards, players, lines) = [
        sorted([key.decode() async for key in redis.scan_iter(f"codille:g*:{kind}:*")])
        for kind in ("{board}:tallies", "{p?}:player", "{p?}:lines")
    ]
    changed = set[tuple[str, str]]()
    player, tally = sorted((await redis.hgetall(boards[0])).items())[0]
    total, games, wins = map(int, tally.split())
    await redis.hset(boards[0], player, f"{total} {games} {wins + 1}")
    changed.add((f"the leaderboard of {boards[0].rpartition(':')[2]}", "tallies"))
    await redis.zremrangebyrank(boards[1].replace("tallies", "ranking"), 0, 0)
    changed.add((f"the leaderboard of {boards[1].rpartition(':')[2]}", "tallies"))
    field = next(field for field in await redis.hkeys(players[0]) if field.startswith(b"game:"))
    await redis.hset(players[0], field, "999 1 1")
    changed.add((f"player {players[0].rpartition(':')[2]}", "tallies"))
    line = next(key for key in lines if players[0].rpartition(":")[2] not in key)
    await redis.zremrangebyrank(line, 0, 0)
    changed.add((f"player {line.split(':')[-2]}", "tallies"))
    broken = next(key for key in players[1:] if key.rpartition(":")[2] not in line)
    await redis.hset(broken, field, "no tally")
    changed.add((f"player {broken.rpartition(':')[2]}", "tallies"))
    assert places(await log.audit()) == changed


async def test_a_fault_in_the_fold_of_tallies(log: Audited, redis: Redis) -> None:
    """It is named by the code that has the fault, and by the mended code until the read models are rebuilt."""

    def faulty(change: ScoreChange) -> Iterator[Gain]:
        for gain in gains(change):
            yield replace(gain, tally=replace(gain.tally, wins=gain.tally.games))

    with patch("projections.leaderboard.gains", faulty), patch("projections.player_records.gains", faulty):
        await projected(redis, MemoryLog(log.records))
        assert {check for _, check in places(await log.audit())} == {"tallies"}
    assert {check for _, check in places(await log.audit())} == {"tallies"}
    await projected(redis, MemoryLog(log.records))
    assert (await log.audit()).differences == ()


async def test_players_whose_tallies_change_meanwhile_are_not_compared(log: Audited) -> None:
    """The log of the audit ends before some lines are booked, which the read models have."""
    booked = [record for record in log.records if record.type == "deal-scored"][-1]
    (table,) = [await log.store.stream(booked.table)]
    with patch.object(Store, "end", return_value=booked.position - 1):
        summary = await log.audit(checkpoint=None)
    assert "tallies" not in {check for _, check in places(summary)}
    assert f"{len(set(players_of(table)))} not compared" in summary.tallies


async def test_read_models_of_tables_that_are_missing(log: Audited, redis: Redis) -> None:
    running = log.first(lambda record: not log.ended(record.table)).table
    async for key in redis.scan_iter(f"codille:g*:*{running}*"):
        await redis.delete(key)
    summary = await log.audit()
    assert places(summary) == {(f"table {running}", "read models"), (f"table {running}", "lists")}
    assert summary.models.endswith("; 1 not compared, which have none")
