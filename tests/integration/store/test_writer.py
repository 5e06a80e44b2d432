"""The lane: everybody gets the answer to the own command, however the batches fall."""

import asyncio
from collections.abc import Sequence

import asyncpg
import pytest

from domain.record.recorded import Recorded
from service.store.database import StoreUnavailable
from service.store.store import Append, Appended, Conflict, Duplicate, Outcome, Store
from service.store.writer import Writer
from tests.support.log import chained, command, following, new_id, receipt, spans
from tests.support.waiting import settled


class Recorder(Store):
    """A store that remembers its batches, waits at a gate, and fails a set number of times."""

    def __init__(self, store: Store, outages: int = 0) -> None:
        self._behind = store
        self._outages = outages
        self.batches: list[list[Append]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def append(self, commands: Sequence[Append]) -> list[Outcome]:
        self.batches.append(list(commands))
        await self.gate.wait()
        answers = await self._behind.append(commands)
        if self._outages:
            self._outages -= 1
            raise StoreUnavailable("the answer was lost")
        return answers


async def test_what_waits_goes_in_one_batch(store: Store) -> None:
    recorder = Recorder(store)
    writer = Writer(recorder)
    commands = [command(new_id()) for _ in range(10)]
    outcomes = await asyncio.gather(*(writer.submit(each) for each in commands))
    assert spans(outcomes) == [(1, 1, position) for position in range(1, 11)]
    assert recorder.batches == [commands]


async def test_a_batch_is_bounded(store: Store) -> None:
    recorder = Recorder(store)
    writer = Writer(recorder, bound=4)
    await asyncio.gather(*(writer.submit(command(new_id())) for _ in range(10)))
    assert [len(batch) for batch in recorder.batches] == [4, 4, 2]


async def test_a_full_batch_goes_ahead_while_another_one_is_under_way(store: Store) -> None:
    recorder = Recorder(store)
    recorder.gate.clear()
    writer = Writer(recorder, bound=2)
    one, two, three, four = (command(new_id()) for _ in range(4))
    after_one = following(one)
    sent: list[asyncio.Task[Outcome]] = []
    for each, under_way in [
        (one, [[one]]),
        (after_one, [[one]]),
        (two, [[one], [two]]),
        (three, [[one], [two]]),
        (four, [[one], [two]]),
    ]:
        sent.append(asyncio.create_task(writer.submit(each)))
        await settled()
        assert recorder.batches == under_way
    recorder.gate.set()
    assert all(isinstance(outcome, Appended) for outcome in await asyncio.gather(*sent))
    assert sorted(map(len, recorder.batches)) == [1, 1, 1, 2]


async def test_a_table_stands_in_a_batch_once_and_keeps_its_order(store: Store) -> None:
    recorder = Recorder(store)
    writer = Writer(recorder)
    first = command(new_id())
    second = following(first)
    third = following(second)
    other = command(new_id())
    outcomes = await asyncio.gather(*(writer.submit(each) for each in (first, second, third, other)))
    assert spans(outcomes) == [(1, 1, 1), (2, 2, 3), (3, 3, 4), (1, 1, 2)]
    assert recorder.batches == [[first, other], [second], [third]]


async def test_rivals_for_a_version_one_wins(store: Store) -> None:
    writer = Writer(store)
    table = new_id()
    rivals = [command(table) for _ in range(5)]
    outcomes = await asyncio.gather(*(writer.submit(each) for each in rivals))
    assert spans(outcomes) == [(1, 1, 1)] + [Conflict()] * 4


async def test_concurrent_duplicates_all_get_the_answer(store: Store) -> None:
    writer = Writer(store)
    commands = [command(new_id(), receipt=receipt("key")) for _ in range(5)]
    outcomes = await asyncio.gather(*(writer.submit(each) for each in commands))
    assert spans(outcomes) == [(1, 1, 1)] + [Duplicate(commands[0].table, 1, 1)] * 4


async def test_one_that_cannot_be_stored_harms_nobody_else(store: Store) -> None:
    writer = Writer(store)
    good = [command(new_id()) for _ in range(3)]
    bad = command("not-a-table")
    outcomes = await asyncio.gather(*(writer.submit(each) for each in (*good, bad)), return_exceptions=True)
    assert spans(outcomes[:3]) == [(1, 1, position) for position in (1, 2, 3)]
    assert isinstance(outcomes[3], asyncpg.DataError)


async def test_a_lost_answer_is_asked_for_again(store: Store) -> None:
    recorder = Recorder(store, outages=2)
    writer = Writer(recorder, pauses_s=(0, 0))
    commands = [command(new_id()), command(new_id(), receipt=receipt("key"))]
    outcomes = await asyncio.gather(*(writer.submit(each) for each in commands))
    assert spans(outcomes) == [(1, 1, 1), (1, 1, 2)]
    assert recorder.batches == [commands] * 3


async def test_an_outage_that_lasts_is_told(store: Store) -> None:
    recorder = Recorder(store, outages=3)
    writer = Writer(recorder, pauses_s=(0, 0))
    with pytest.raises(StoreUnavailable):
        await writer.submit(command(new_id()))
    assert spans([await writer.submit(command(new_id()))]) == [(1, 1, 2)]


async def test_who_gives_up_waiting_does_not_break_the_batch(store: Store) -> None:
    recorder = Recorder(store)
    writer = Writer(recorder)
    recorder.gate.clear()
    sent = [asyncio.create_task(writer.submit(command(new_id()))) for _ in range(3)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    queued = [asyncio.create_task(writer.submit(command(new_id()))) for _ in range(3)]
    await asyncio.sleep(0)
    sent[1].cancel()
    queued[1].cancel()
    recorder.gate.set()
    outcomes = await asyncio.gather(*sent, *queued, return_exceptions=True)
    assert [isinstance(outcome, Appended) for outcome in outcomes] == [True, False, True, True, False, True]
    assert [len(batch) for batch in recorder.batches] == [3, 2]


async def test_too_many_waiting_are_turned_away(store: Store) -> None:
    writer = Writer(store, limit=2)
    outcomes = await asyncio.gather(*(writer.submit(command(new_id())) for _ in range(3)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Appended, Appended, StoreUnavailable]


async def test_closing_answers_those_that_wait_and_takes_no_more(store: Store) -> None:
    writer = Writer(store, bound=2)
    waiting = [asyncio.create_task(writer.submit(command(new_id()))) for _ in range(5)]
    await asyncio.sleep(0)
    await writer.close()
    assert all(isinstance(task.result(), Appended) for task in waiting)
    with pytest.raises(StoreUnavailable):
        await writer.submit(command(new_id()))


async def test_a_lane_that_is_stopped_leaves_nobody_waiting(store: Store) -> None:
    recorder = Recorder(store)
    recorder.gate.clear()
    writer = Writer(recorder)
    first = command(new_id())
    waiting = [asyncio.create_task(writer.submit(first))]
    await settled()
    waiting.append(asyncio.create_task(writer.submit(following(first))))
    await settled()
    (lane,) = (task for task in asyncio.all_tasks() if task.get_name() == "writer")
    lane.cancel()
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 2
    recorder.gate.set()
    assert spans([await writer.submit(first)]) == [(1, 1, 1)]


async def test_each_batch_is_reported(store: Store) -> None:
    sizes: list[int] = []
    told: list[Sequence[Recorded]] = []
    writer = Writer(store, measured=lambda size, _seconds: sizes.append(size), told=(told.append,))
    first = command(new_id(), count=4)
    await asyncio.gather(writer.submit(first), writer.submit(command(new_id(), count=2)))
    await writer.submit(command(first.table))
    assert sizes == [2, 1]
    # Nothing is told of a batch that appends nothing.
    assert told == [await store.log(0, 10)]
    assert len(told[0]) == 6


async def test_many_tables_through_one_lane_stay_whole(store: Store) -> None:
    writer = Writer(store, bound=7)

    async def play(table: str) -> None:
        latest = command(table, receipt=receipt(table))
        for number in range(10):
            assert isinstance(await writer.submit(latest), Appended)
            latest = following(latest, count=1 + number % 3, receipt=receipt(f"{table} {number}"))

    tables = [new_id() for _ in range(20)]
    await asyncio.gather(*map(play, tables))
    log = await store.log(0, 10_000)
    assert [event.position for event in log] == list(range(1, len(log) + 1))
    for table in tables:
        assert chained(await store.stream(table))
