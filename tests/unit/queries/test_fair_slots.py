"""Slots are bounded, and shared fairly by origin."""

import asyncio

import pytest

from service.queries.fair_slots import Busy, FairSlots


class Line:
    """What waits for slots, in the order in which each got one."""

    def __init__(self, slots: FairSlots) -> None:
        self.slots = slots
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def join(self, *origins: str, refusable: bool = True) -> None:
        for origin in origins:
            self.tasks.append(asyncio.create_task(self._wait(origin, refusable)))
            await asyncio.sleep(0)

    async def _wait(self, origin: str, refusable: bool) -> None:
        await self.slots.acquire(origin, refusable=refusable)
        self.served.append(origin)

    async def serve(self, times: int) -> list[str]:
        for _ in range(times):
            self.slots.release()
            await asyncio.sleep(0)
        return self.served


async def taken(slots: FairSlots, count: int = 1) -> Line:
    for _ in range(count):
        await slots.acquire("before")
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


async def test_beyond_the_bound_the_origin_with_the_most_waiting_gives_way() -> None:
    line = await taken(FairSlots(1, waiting=3))
    await line.join("greedy", "greedy", "greedy")
    with pytest.raises(Busy):
        await line.slots.acquire("greedy")
    await line.join("other")
    with pytest.raises(Busy):
        await line.tasks[2]
    assert await line.serve(3) == ["greedy", "other", "greedy"]


async def test_who_must_be_served_is_never_refused() -> None:
    line = await taken(FairSlots(1, waiting=1, wait_s=0))
    await line.join("a", refusable=False)
    await line.join("b", refusable=False)
    assert await line.serve(2) == ["a", "b"]


async def test_waiting_has_an_end() -> None:
    slots = FairSlots(1, wait_s=0)
    await slots.acquire("a")
    with pytest.raises(Busy):
        await slots.acquire("b")
    assert slots.waiting == 0
    slots.release()
    await slots.acquire("c")


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
