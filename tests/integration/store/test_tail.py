"""A follower of the log is woken, and misses nothing."""

import asyncio

from service.store.database import Database
from service.store.store import Store
from service.store.tail import Tail
from service.store.writer import Writer
from tests.support.log import command, following, new_id
from tests.support.postgres import disconnect


async def test_another_processs_append_wakes(database: Database, store: Store) -> None:
    async with asyncio.timeout(20), Tail(database, beat_s=60) as tail:
        await store.append([command(new_id(), count=2)])
        await tail.wait(0, timeout=60)
        assert tail.position == 2
        await asyncio.gather(tail.wait(2, timeout=60), store.append([command(new_id())]))
        assert tail.position == 3


async def test_what_was_there_before_is_known(database: Database, store: Store) -> None:
    await store.append([command(new_id(), count=2)])
    async with asyncio.timeout(20), Tail(database) as tail:
        await tail.wait(1, timeout=60)
        assert tail.position == 2


async def test_this_processs_append_wakes_at_once(database: Database) -> None:
    tail = Tail(database)
    waiting = asyncio.create_task(tail.wait(4, timeout=60))
    await asyncio.sleep(0)
    tail.wake(4)
    await asyncio.sleep(0)
    assert not waiting.done()
    tail.wake(5)
    tail.wake(3)
    await waiting
    assert tail.position == 5


async def test_waiting_ends_without_anything_new(database: Database) -> None:
    async with Tail(database) as tail:
        await tail.wait(0, timeout=0.01)
        assert tail.position == 0


async def test_a_lost_connection_is_made_anew(dsn: str, database: Database, store: Store) -> None:
    async with asyncio.timeout(20), Tail(database, beat_s=60) as tail:
        await store.append([command(new_id())])
        await tail.wait(0, timeout=60)
        await disconnect(dsn)
        await Writer(store).submit(command(new_id()))
        await tail.wait(1, timeout=60)
        assert tail.position == 2


async def test_a_follower_misses_nothing_under_load(database: Database, store: Store) -> None:
    writers = [Writer(store, bound=5) for _ in range(4)]
    target = 4 * 5 * 20

    async def play(writer: Writer) -> None:
        latest = command(new_id())
        for _ in range(20):
            await writer.submit(latest)
            latest = following(latest)

    async def follow(tail: Tail) -> list[int]:
        seen: list[int] = []
        while len(seen) < target:
            await tail.wait(len(seen), timeout=60)
            seen += [event.position for event in await store.log(len(seen), 50)]
        return seen

    async with asyncio.timeout(60), Tail(database, beat_s=60) as tail, asyncio.TaskGroup() as group:
        followers = [group.create_task(follow(tail)) for _ in range(3)]
        for writer in writers:
            for _ in range(5):
                group.create_task(play(writer))
    assert [task.result() for task in followers] == [list(range(1, target + 1))] * 3
