"""The audit of everything at once: an intact log passes, and a change to any part of it is named."""

# ruff: noqa: S608 (statements contain nothing but the test's own ids)

import msgspec
import pytest
from redis.asyncio import Redis

from service.audit import AuditSummary
from tests.integration.audit.conftest import TABLES, Audited
from tests.support.auditing import one_auditor
from tests.support.exports import MemoryTransparency

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
    assert summary.rate > 0


async def test_a_part_of_the_log(log: Audited) -> None:
    last = log.records[-1]
    summary = await log.audit(table=last.table)
    assert (summary.differences, summary.tables) == ((), 1)
    summary = await log.audit(since=last.position - 1)
    assert (summary.differences, summary.tables) == ((), 1)
    assert "only a part" in summary.tree


async def test_an_empty_log(log: Audited) -> None:
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
