"""What this process has just appended is read from memory as from the log."""

import asyncio

from service.store.log_source import Recent
from service.store.store import Store
from service.store.writer import Writer
from tests.support.log import command, following, new_id


def lane(store: Store, recent: Recent) -> Writer:
    return Writer(store, bound=3, told=(recent.add,))


async def test_it_is_the_end_of_the_log(store: Store) -> None:
    recent = Recent(bound=8)
    writer = lane(store, recent)
    assert recent.after(0, 10) == []
    await asyncio.gather(*(writer.submit(command(new_id(), count=1 + number % 3)) for number in range(7)))
    log = await store.log(0, 100)
    assert len(log) == 13
    for position in range(5):
        assert recent.after(position, 10) == []
    for position in range(5, 15):
        assert recent.after(position, 4) == log[position : position + 4]


async def test_it_has_no_gaps(store: Store) -> None:
    """What others append between is only in the log."""
    recent = Recent()
    writer = lane(store, recent)
    first = command(new_id())
    await writer.submit(first)
    await store.append([command(new_id(), count=2)])
    assert recent.after(0, 10) == await store.log(0, 1)
    await writer.submit(following(first))
    assert recent.after(0, 10) == recent.after(1, 10) == recent.after(2, 10) == []
    assert recent.after(3, 10) == await store.log(3, 10)


async def test_what_was_not_appended_is_not_there(store: Store) -> None:
    recent = Recent()
    writer = lane(store, recent)
    first = command(new_id())
    await writer.submit(first)
    await asyncio.gather(writer.submit(command(first.table)), writer.submit(command(new_id())))
    assert recent.after(0, 10) == await store.log(0, 10)
