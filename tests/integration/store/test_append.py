"""What one call of append promises, one command or many."""

import asyncpg
import pytest
from msgspec.structs import replace

from domain.record.recorded import GENESIS
from service.store.store import Conflict, Duplicate, Head, KeyReused, Receipt, Store, StoredReceipt
from tests.support.log import chained, command, following, new_id, receipt, spans


async def test_a_table_begins_with_its_first_command(store: Store) -> None:
    opening = command(new_id(), count=3)
    assert spans(await store.append([opening])) == [(1, 3, 1)]
    assert await store.heads([opening.table]) == {opening.table: Head(3, opening.records[-1].hash)}


async def test_events_come_back_as_they_went_in(store: Store) -> None:
    opening = command(new_id(), count=3)
    await store.append([opening])
    read = await store.stream(opening.table)
    assert [event.position for event in read] == [1, 2, 3]
    assert chained(read)
    for before, after in zip(opening.records, read, strict=True):
        for field in before.__struct_fields__:
            if field != "position":
                assert getattr(after, field) == getattr(before, field), field


async def test_positions_go_on_over_tables_and_commands(store: Store) -> None:
    one, other = command(new_id(), count=2), command(new_id(), count=3)
    assert spans(await store.append([one, other])) == [(1, 2, 1), (1, 3, 3)]
    assert spans(await store.append([following(one)])) == [(3, 3, 6)]
    assert await store.end() == 6


@pytest.mark.parametrize(
    ("version", "head"),
    [(0, GENESIS), (1, bytes([1]) * 32), (2, bytes([1]) * 32), (3, GENESIS)],
    ids=["as if new", "stale", "wrong head", "ahead"],
)
async def test_a_command_that_expects_another_head_is_a_conflict(store: Store, version: int, head: bytes) -> None:
    opening = command(new_id(), count=2)
    await store.append([opening])
    assert await store.append([command(opening.table, version, head)]) == [Conflict()]


async def test_a_conflict_on_no_table_leaves_nothing(store: Store) -> None:
    table = new_id()
    assert await store.append([command(table, 1, bytes([1]) * 32)]) == [Conflict()]
    assert await store.append([command(table, 0, bytes([1]) * 32)]) == [Conflict()]
    assert await store.heads([table]) == {}
    assert await store.end() == 0


async def test_a_loser_leaves_no_gap(store: Store) -> None:
    won, lost, last = command(new_id()), command(new_id(), 4, bytes([1]) * 32, count=5), command(new_id())
    assert spans(await store.append([won, lost, last])) == [(1, 1, 1), Conflict(), (1, 1, 2)]
    assert [event.position for event in await store.log(0, 10)] == [1, 2]


async def test_a_key_seen_before_gets_the_first_answer(store: Store) -> None:
    first = command(new_id(), count=2, receipt=receipt("key"))
    await store.append([first])
    again = command(first.table, 2, first.records[-1].hash, receipt=receipt("key"))
    elsewhere = command(new_id(), count=7, receipt=receipt("key"))
    assert await store.append([again, elsewhere]) == [Duplicate(first.table, 1, 2)] * 2
    assert await store.heads([elsewhere.table]) == {}
    assert await store.end() == 2


async def test_a_key_seen_before_is_looked_at_before_the_version(store: Store) -> None:
    first = command(new_id(), count=2, receipt=receipt("key"))
    await store.append([first])
    await store.append([following(first)])
    assert await store.append([command(first.table, receipt=receipt("key"))]) == [Duplicate(first.table, 1, 2)]


async def test_a_key_with_another_body_is_reused(store: Store) -> None:
    first = command(new_id(), receipt=receipt("key", "{}"))
    await store.append([first])
    assert await store.append([following(first, receipt=receipt("key", "[]"))]) == [KeyReused()]


async def test_a_refused_command_keeps_no_receipt(store: Store) -> None:
    first = command(new_id())
    await store.append([first])
    await store.append([command(first.table, receipt=receipt("key"))])
    assert spans(await store.append([following(first, receipt=receipt("key"))])) == [(2, 2, 2)]


async def test_a_key_twice_in_a_batch_wins_once(store: Store) -> None:
    batch = [command(new_id(), receipt=receipt("key")) for _ in range(3)]
    other_body = command(new_id(), receipt=receipt("key", "[]"))
    assert spans(await store.append([*batch, other_body])) == [
        (1, 1, 1),
        Duplicate(batch[0].table, 1, 1),
        Duplicate(batch[0].table, 1, 1),
        KeyReused(),
    ]


async def test_a_loser_does_not_take_the_key_from_the_next_in_the_batch(store: Store) -> None:
    stale = command(new_id(), 3, bytes([1]) * 32, receipt=receipt("key"))
    good = command(new_id(), receipt=receipt("key"))
    assert spans(await store.append([stale, good])) == [Duplicate(good.table, 1, 1), (1, 1, 1)]


async def test_a_table_twice_in_a_batch_goes_one_after_the_other(store: Store) -> None:
    first = command(new_id())
    rival = command(first.table)
    second = following(first, count=2)
    assert spans(await store.append([first, second, rival])) == [
        (1, 1, 1),
        (2, 3, 2),
        Conflict(),
    ]


@pytest.mark.parametrize("key", [None, receipt("key")], ids=["without a key", "with a key"])
async def test_a_command_sent_again_is_answered_as_the_first_time(store: Store, key: Receipt | None) -> None:
    sent = command(new_id(), count=2, receipt=key)
    before = command(new_id())
    await store.append([before, sent])
    await store.append([following(sent)])
    assert spans(await store.append([sent])) == [(1, 2, 2)]
    assert await store.end() == 4


async def test_no_commands_no_answers(store: Store) -> None:
    assert await store.append([]) == []


async def test_reading_a_stream_by_versions(store: Store) -> None:
    opening = command(new_id(), count=6)
    await store.append([opening])

    async def versions(**bounds: int) -> list[int]:
        return [event.version for event in await store.stream(opening.table, **bounds)]

    assert await versions(after=4) == [5, 6]
    assert await versions(upto=2) == [1, 2]
    assert await versions(after=1, upto=5, limit=2) == [2, 3]
    assert await versions(after=2**40) == []
    assert await store.stream(new_id()) == []


async def test_reading_the_log_by_pages(store: Store) -> None:
    batch = [command(new_id(), count=3) for _ in range(5)]
    await store.append(batch)
    read = []
    while page := await store.log(len(read), 4):
        read += page
    assert [event.position for event in read] == list(range(1, 16))
    assert [event.hash for event in read] == [event.hash for each in batch for event in each.records]


async def test_how_far_tables_have_come_at_a_place_in_the_log(store: Store) -> None:
    one, other, undealt = command(new_id(), count=2), command(new_id(), count=3), command(new_id())
    undealt = replace(undealt, records=tuple(replace(event, deal=None) for event in undealt.records))
    await store.append([one, other, undealt])
    await store.append([following(one, count=2)])
    assert sorted(await store.ends([one.table, undealt.table], 6)) == sorted([(one.table, 2, 1), (undealt.table, 1, 0)])
    assert await store.ends([one.table], 7) == [(one.table, 3, 1)]
    assert await store.ends([one.table], 100) == [(one.table, 4, 1)]
    assert await store.ends([], 100) == []


async def test_looking_at_a_table_and_a_key_at_once(store: Store) -> None:
    first = command(new_id(), count=2, receipt=receipt("key"))
    await store.append([first])
    scope, digest = receipt("key").scope, receipt("key").digest
    head, kept = Head(2, first.records[-1].hash), StoredReceipt(first.table, 1, 2, digest)
    assert await store.head_and_receipt(first.table, scope) == (head, kept)
    assert await store.head_and_receipt(first.table, None) == (head, None)
    assert await store.head_and_receipt(new_id(), scope) == (None, kept)
    assert await store.head_and_receipt(new_id(), receipt("other").scope) == (None, None)


async def test_what_is_no_uuid_is_the_callers_mistake(store: Store) -> None:
    with pytest.raises(asyncpg.DataError):
        await store.stream("not-a-table")
