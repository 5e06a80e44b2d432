"""Slots are bounded, and shared fairly by origin."""

import asyncio

import pytest

from service.compute.fair_slots import Busy, FairSlots, Left


class Line:
    """What waits for slots, in the order in which each got one."""

    def __init__(self, slots: FairSlots) -> None:
        self.slots = slots
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def join(self, *origins: str, work_s: float = 1.0, refusable: bool = True) -> None:
        for origin in origins:
            self.tasks.append(asyncio.create_task(self._wait(origin, work_s, refusable)))
            await asyncio.sleep(0)

    async def _wait(self, origin: str, work_s: float, refusable: bool) -> None:
        await self.slots.acquire(tuple(origin.split("/")), work_s, refusable=refusable)
        self.served.append(origin)

    async def serve(self, times: int) -> list[str]:
        for _ in range(times):
            self.slots.release()
            await asyncio.sleep(0)
        return self.served


async def taken(slots: FairSlots, count: int = 1) -> Line:
    for _ in range(count):
        await slots.acquire(("before",))
    return Line(slots)


async def test_no_more_are_served_than_there_are_slots() -> None:
    line = await taken(FairSlots(2), 2)
    await line.join("a")
    assert line.served == []
    assert await line.serve(1) == ["a"]


async def test_origins_take_turns_however_many_each_has_waiting() -> None:
    line = await taken(FairSlots(1))
    await line.join("greedy", "greedy", "greedy", "greedy", "other", "third")
    assert await line.serve(6) == ["greedy", "other", "third", "greedy", "greedy", "greedy"]


async def test_parties_within_a_party_share_its_turns() -> None:
    line = await taken(FairSlots(1))
    await line.join("many/a", "many/a", "many/b", "many/c", "one/d", "one/d")
    assert await line.serve(6) == ["many/a", "one/d", "many/b", "one/d", "many/c", "many/a"]


async def test_beyond_the_bound_the_largest_within_the_largest_gives_way() -> None:
    line = await taken(FairSlots(1, waiting_s=5))
    await line.join("many/a", "many/b", "many/b", "many/c", "one/d")
    await line.join("one/e")
    with pytest.raises(Busy):
        await line.tasks[2]
    with pytest.raises(Busy):
        await line.slots.acquire(("one", "f"))
    assert line.slots.waiting == 5
    # Its own party has as much as the other, and makes room within itself.
    line = await taken(FairSlots(1, waiting_s=3))
    await line.join("many/a", "many/a", "one/d", "many/b")
    with pytest.raises(Busy):
        await line.tasks[1]
    assert await line.serve(3) == ["many/a", "one/d", "many/b"]


async def test_who_leaves_waits_no_longer() -> None:
    line, gone = await taken(FairSlots(1)), asyncio.Event()

    async def leaves() -> None:
        await gone.wait()

    leaving = asyncio.create_task(line.slots.acquire(("a",), gone=leaves))
    await line.join("b")
    gone.set()
    with pytest.raises(Left):
        await leaving
    assert line.slots.waiting == 1
    assert await line.serve(1) == ["b"]


async def test_beyond_the_bound_the_origin_with_the_most_waiting_gives_way() -> None:
    line = await taken(FairSlots(1, waiting_s=3))
    await line.join("greedy", "greedy", "greedy")
    with pytest.raises(Busy):
        await line.slots.acquire(("greedy",))
    await line.join("other")
    with pytest.raises(Busy):
        await line.tasks[2]
    assert await line.serve(3) == ["greedy", "other", "greedy"]


async def test_what_is_short_waits_in_any_number_and_what_is_long_in_few() -> None:
    line = await taken(FairSlots(1, waiting_s=3))
    await line.join(*["many"] * 1000, work_s=0.001)
    await line.join("long", work_s=2.0)
    with pytest.raises(Busy):
        await line.slots.acquire(("long",), 0.5)
    await line.join("other", work_s=0.5)
    with pytest.raises(Busy):
        await line.tasks[1000]
    assert line.slots.waiting == 1001
    assert (await line.serve(1001)).count("many") == 1000


async def test_one_address_holds_no_more_than_its_share_of_the_work_however_short_each_piece_is() -> None:
    line = await taken(FairSlots(1, waiting_s=3))
    await line.join(*["greedy"] * 300, work_s=0.01)
    with pytest.raises(Busy):
        await line.slots.acquire(("greedy",), 0.01)
    await line.join("other", work_s=1.0)
    assert line.slots.waiting == 201
    assert await line.serve(2) == ["greedy", "other"]
    for task in line.tasks:
        task.cancel()
    await asyncio.gather(*line.tasks, return_exceptions=True)


async def test_what_is_longer_than_all_that_may_wait_waits_alone() -> None:
    line = await taken(FairSlots(1, waiting_s=3))
    await line.join("a", work_s=20.0)
    with pytest.raises(Busy):
        await line.slots.acquire(("a",), 0.1)
    assert await line.serve(1) == ["a"]


async def test_who_must_be_served_is_never_refused() -> None:
    line = await taken(FairSlots(1, waiting_s=1, wait_s=0))
    await line.join("a", refusable=False)
    await line.join("b", refusable=False)
    assert await line.serve(2) == ["a", "b"]


async def test_waiting_has_an_end() -> None:
    slots = FairSlots(1, wait_s=0)
    await slots.acquire(("a",))
    with pytest.raises(Busy):
        await slots.acquire(("b",))
    assert slots.waiting == 0
    slots.release()
    await slots.acquire(("c",))


async def test_a_slot_that_nobody_waits_for_any_more_is_not_lost() -> None:
    line = await taken(FairSlots(1))
    await line.join("a", "b", "c")
    line.tasks[0].cancel()
    await asyncio.sleep(0)
    line.slots.release()
    # Its turn has come, and it does not know yet.
    line.tasks[1].cancel()
    await asyncio.gather(*line.tasks[:2], return_exceptions=True)
    await asyncio.sleep(0)
    assert line.served == ["c"]
    assert line.slots.waiting == 0


async def test_a_slot_that_is_freed_as_one_gives_up_goes_to_the_next() -> None:
    line = await taken(FairSlots(1))
    await line.join("a", "b")
    line.tasks[0].cancel()
    assert await line.serve(1) == ["b"]
    assert line.slots.waiting == 0
    line.slots.release()
    await line.slots.acquire(("c",))


async def test_a_slot_that_is_freed_as_the_last_one_gives_up_is_free() -> None:
    line = await taken(FairSlots(1))
    await line.join("a")
    line.tasks[0].cancel()
    line.slots.release()
    await asyncio.sleep(0)
    await line.slots.acquire(("b",))
    assert line.slots.waiting == 0


async def test_one_that_gives_way_and_gives_up_at_once_frees_nothing() -> None:
    line = await taken(FairSlots(1, waiting_s=2))
    await line.join("greedy", "greedy")
    joining = asyncio.create_task(line.slots.acquire(("other",)))
    await asyncio.sleep(0)
    line.tasks[1].cancel()
    await asyncio.gather(*line.tasks[1:], return_exceptions=True)
    assert not joining.done()
    assert await line.serve(1) == ["greedy"]
    assert not joining.done()
    joining.cancel()


async def test_one_that_has_just_given_up_makes_room() -> None:
    line = await taken(FairSlots(1, waiting_s=2))
    await line.join("greedy", "greedy")
    line.tasks[1].cancel()
    await line.join("other")
    assert line.tasks[1].cancelled()
    assert await line.serve(2) == ["greedy", "other"]
