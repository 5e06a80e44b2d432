"""A commit that waits for its standby is told of by nobody: a failover may undo what only the primary has."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from service.store.database import Database, StoreUnavailable
from service.store.store import Appended, Store
from tests.support.log import command, following, new_id, spans
from tests.support.postgres import Postgres, as_service
from tests.support.waiting import PATIENCE_S, until

WAITS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture(scope="module")
def pair(pair: tuple[Postgres, Postgres]) -> tuple[Postgres, Postgres]:
    """A primary with the log, whose commits wait for its standby."""
    pair[0].execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    return pair


@pytest.fixture
async def hasty(pair: tuple[Postgres, Postgres]) -> AsyncIterator[Store]:
    """A store that waits for half a second."""
    async with Database(as_service(pair[0].dsn()), command_s=0.5, connections=4) as database:
        yield Store(database)


@pytest.fixture
async def other(pair: tuple[Postgres, Postgres]) -> AsyncIterator[Store]:
    """What everybody else sees."""
    async with Database(as_service(pair[0].dsn())) as database:
        yield Store(database)


async def waiting(primary: Postgres) -> "list[asyncpg.Record]":
    """The sessions whose commits wait, of which there must be one."""
    connection = await asyncpg.connect(primary.dsn())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not (sessions := await connection.fetch(WAITS)):  # noqa: ASYNC110 (another process)
                await asyncio.sleep(0.02)
    finally:
        await connection.close()
    return list(sessions)


async def test_what_waits_for_the_standby_is_unknown_to_all_until_it_is_there(
    pair: tuple[Postgres, Postgres], hasty: Store, other: Store
) -> None:
    opening = command(new_id(), count=2)
    assert spans(await hasty.append([opening])) == [(1, 2, await other.end() - 1)]
    end, more = await other.end(), following(opening)
    pair[1].freeze()
    try:
        with pytest.raises(StoreUnavailable) as failed:
            await hasty.append([more])
        assert failed.value.cause == "timeout"
        await waiting(pair[0])
        # Sent again it waits for the first attempt, and is no more known than before.
        with pytest.raises(StoreUnavailable):
            await hasty.append([more])
        assert await other.end() == end
        assert len(await other.stream(opening.table)) == 2
    finally:
        pair[1].thaw()
    async with asyncio.timeout(PATIENCE_S):
        while await other.end() == end:  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.02)
    (outcome,) = await hasty.append([more])
    assert isinstance(outcome, Appended)
    assert [event.position for event in outcome.records] == [end + 1]


async def test_a_cancelled_wait_is_a_commit_that_only_the_primary_has(
    pair: tuple[Postgres, Postgres], hasty: Store, other: Store
) -> None:
    """An operator cancels the wait. All see the row, and the standby does not have it: the outcome is unknown."""
    opening = command(new_id())
    pair[1].freeze()
    try:
        appending = asyncio.create_task(other.append([opening]))
        (session,) = await waiting(pair[0])
        connection = await asyncpg.connect(pair[0].dsn())
        await connection.execute("SELECT pg_cancel_backend($1)", session["pid"])
        await connection.close()
        with pytest.raises(StoreUnavailable, match="may be undone"):
            await appending
        assert len(await other.stream(opening.table)) == 1
        # What is found there is answered once the standby has it.
        with pytest.raises(StoreUnavailable):
            await hasty.append([opening])
    finally:
        pair[1].thaw()
    assert spans(await other.append([opening])) == [(1, 1, await other.end())]


async def test_a_cancelled_caller_is_cancelled_and_the_pool_goes_on(dsn: str) -> None:
    async with Database(as_service(dsn), connections=1, command_s=0.2) as database:
        for _ in range(3):
            asking = asyncio.create_task(database.fetch("SELECT pg_sleep(1)"))
            await until(lambda: database.connections()[:2] == (1, 0))
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            with pytest.raises(StoreUnavailable):
                await database.fetch("SELECT pg_sleep(1)")
            assert [tuple(row) for row in await database.fetch("SELECT 1")] == [(1,)]
