"""A table's earlier events are read from a standby that has them, and from the primary otherwise."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.table.events import TableOpened
from service.compute.jobs import Setup, opened
from service.store.database import Database
from service.store.migrate import migrate
from service.store.standby import StandbyStore, open_reads
from service.store.store import Store
from tests.support.log import command, following, new_id
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.registry import REGISTRY
from tests.support.waiting import PATIENCE_S


class Counted(Database):
    """A database that counts its queries."""

    asked = 0

    async def fetch(self, query: str, *arguments: object) -> list[Any]:
        self.asked += 1
        return await super().fetch(query, *arguments)


class Both:
    """The store over both, and what each was asked."""

    def __init__(self, primary: Counted, standby: Counted) -> None:
        self.primary, self.standby = primary, standby
        self.store = StandbyStore(primary, standby, away_s=0.2)

    async def asked(self, read: Any) -> tuple[Any, int, int]:
        """The answer, and how often the primary and the standby were asked for it."""
        before = self.primary.asked, self.standby.asked
        answer = await read
        return answer, self.primary.asked - before[0], self.standby.asked - before[1]


@pytest.fixture
async def both(pair: tuple[Postgres, Postgres]) -> AsyncIterator[Both]:
    async with (
        Counted(as_service(pair[0].dsn())) as primary,
        Counted(as_service(pair[1].dsn()), acquire_s=0.5, command_s=0.5) as standby,
    ):
        yield Both(primary, standby)


async def has(standby: Database, table: str, version: int) -> None:
    """Returns once the standby has the table's events up to this version."""
    store = Store(standby)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            head = (await store.heads([table])).get(table)
            if head is not None and head.version >= version:
                return
            await asyncio.sleep(0.02)


def paused(standby: Postgres, *, pause: bool) -> None:
    """Lets the standby take over nothing new, or go on."""
    standby.execute(f"SELECT pg_wal_replay_{'pause' if pause else 'resume'}()")


async def test_a_standby_answers_as_far_as_it_has_come(pair: tuple[Postgres, Postgres], both: Both) -> None:
    opening = command(new_id(), count=4)
    store, table = both.store, opening.table
    await store.append([opening])
    await has(both.standby, table, 4)
    of_primary = Store(both.primary)
    reads: list[Any] = [
        lambda store: store.stream(table, 1, 4),
        lambda store: store.stream(table, 0, 4, 2),
        lambda store: store.stream_of_types(table, [TableOpened.TYPE], 0, 4, 10),
        lambda store: store.positions(table, 0, 4),
        lambda store: store.outline(table, [], 4),
        lambda store: store.deal_start(table, 4),
        lambda store: store.last_deal(table, 4),
    ]
    for read in reads:
        # The primary says only whether it has the same events.
        assert await both.asked(read(store)) == (await read(of_primary), 1, 2)
    # What is asked up to the end may be more than the standby has.
    _, of_primary_asked, of_standby_asked = await both.asked(store.stream(table))
    assert (of_primary_asked, of_standby_asked) == (1, 0)

    await asyncio.to_thread(paused, pair[1], pause=True)
    try:
        await store.append([following(opening)])
        records, *asked = await both.asked(store.stream(table, 0, 5))
        assert ([record.version for record in records], asked) == ([1, 2, 3, 4, 5], [1, 1])
        # The earlier events are still the standby's.
        assert (await both.asked(store.stream(table, 0, 4)))[1:] == (1, 2)
    finally:
        await asyncio.to_thread(paused, pair[1], pause=False)
    await has(both.standby, table, 5)
    records, *asked = await both.asked(store.stream(table, 0, 5))
    assert ([record.version for record in records], asked) == ([1, 2, 3, 4, 5], [1, 2])


async def test_a_standby_that_fails_is_left_alone_for_a_while(pair: tuple[Postgres, Postgres], both: Both) -> None:
    opening = command(new_id(), count=2)
    store, table = both.store, opening.table
    await store.append([opening])
    await has(both.standby, table, 2)
    pair[1].freeze()
    try:
        assert (await both.asked(store.stream(table, 0, 2)))[1:] == (1, 1)
        assert (await both.asked(store.stream(table, 0, 2)))[1:] == (1, 0)
    finally:
        pair[1].thaw()
    async with asyncio.timeout(PATIENCE_S):
        while not (await both.asked(store.stream(table, 0, 2)))[2]:  # noqa: ASYNC110 (it comes back at some time)
            await asyncio.sleep(0.02)


async def test_a_server_with_another_history_is_not_believed(pair: tuple[Postgres, Postgres], both: Both) -> None:
    """As a former primary that took what nobody else has, and was not rewound yet."""
    opening = command(new_id(), count=2)
    table = opening.table
    await both.store.append([opening])
    former = Postgres(binaries())
    try:
        await asyncio.to_thread(former.start)
        await migrate(former.dsn())
        async with Counted(as_service(former.dsn())) as other:
            mine = command(table, count=3)
            await Store(other).append([mine])
            store = StandbyStore(both.primary, other)
            records = await store.stream(table, 0, 2)
            assert [record.hash for record in records] == [event.hash for event in opening.records]
    finally:
        await asyncio.to_thread(former.remove)


async def test_jobs_read_from_it(pair: tuple[Postgres, Postgres]) -> None:
    urls = [as_service(server.dsn()) for server in pair]
    async with opened(Setup(urls[0], REGISTRY, urls[1])) as context:
        assert isinstance(context.store, StandbyStore)
    async with Database(urls[0]) as database, open_reads(database, None) as store:
        assert type(store) is Store
