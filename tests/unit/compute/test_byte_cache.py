"""What was made is kept within bounds, and made once for all that wait for it."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.compute.byte_cache import ByteCache, Made
from service.compute.fair_slots import Left


class Maker:
    """Makes bytes, and counts."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.go = asyncio.Event()
        self.go.set()

    def of(self, name: str, size: int = 1, *, lasting: bool = True) -> Callable[[], Awaitable[Made]]:
        async def make() -> Made:
            self.made.append(name)
            await self.go.wait()
            return Made(name.encode() * size, lasting)

        return make


async def test_bytes_are_made_once() -> None:
    cache, maker = ByteCache(10), Maker()
    assert [await cache.get("a", maker.of("a")) for _ in range(3)] == [b"a"] * 3
    assert maker.made == ["a"]


async def test_bytes_are_made_once_for_all_that_wait_even_if_the_first_gives_up() -> None:
    cache, maker = ByteCache(10), Maker()
    maker.go.clear()
    waiting = [asyncio.create_task(cache.get("a", maker.of("a"))) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    maker.go.set()
    assert await asyncio.gather(*waiting[1:]) == [b"a", b"a"]
    assert maker.made == ["a"]


async def test_where_the_one_has_left_for_whom_they_are_made_another_makes_them() -> None:
    cache, maker, gone = ByteCache(10), Maker(), asyncio.Event()

    async def leaves() -> Made:
        await gone.wait()
        raise Left

    leaving = asyncio.create_task(cache.get("a", leaves))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(cache.get("a", maker.of("a"))) for _ in range(2)]
    await asyncio.sleep(0)
    gone.set()
    assert await asyncio.gather(*waiting) == [b"a", b"a"]
    assert maker.made == ["a"]
    with pytest.raises(Left):
        await leaving


async def test_those_used_least_recently_give_way() -> None:
    cache, maker = ByteCache(10), Maker()
    for name in ("a", "b", "a", "c"):
        await cache.get(name, maker.of(name, 4))
    assert maker.made == ["a", "b", "c"]
    for name in ("a", "c", "b"):
        await cache.get(name, maker.of(name, 4))
    assert maker.made == ["a", "b", "c", "b"]


async def test_what_does_not_last_or_fit_is_not_kept() -> None:
    cache, maker = ByteCache(10), Maker()
    for _ in range(2):
        await cache.get("passing", maker.of("passing", lasting=False))
        await cache.get("large", maker.of("large", 3))
    assert maker.made == ["passing", "large"] * 2


async def test_a_failure_is_raised_and_tried_again() -> None:
    cache, maker = ByteCache(10), Maker()

    async def fail() -> Made:
        raise LookupError

    for _ in range(2):
        with pytest.raises(LookupError):
            await cache.get("a", fail)
    assert await cache.get("a", maker.of("a")) == b"a"
