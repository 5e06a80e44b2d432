"""A reader gets what has come, and no more is kept for it than may wait."""

import asyncio

import pytest

from service.live.pings import ROUNDS, Pings
from service.live.places import Places, TooManyHeld
from service.live.subscription import Subscription
from tests.support.waiting import settled, until


async def test_what_comes_wakes_the_reader() -> None:
    one: Subscription[int] = Subscription()
    waiting = asyncio.create_task(one.wait())
    await settled()
    one.push(1)
    one.push(2)
    await waiting
    assert one.pending == [1, 2]
    await one.wait()


async def test_a_nudge_wakes_the_reader_once() -> None:
    one: Subscription[int] = Subscription()
    one.nudge()
    await one.wait()
    waiting = asyncio.create_task(one.wait())
    await settled()
    assert not waiting.done()
    waiting.cancel()


async def test_a_reader_that_does_not_read_is_ended_and_holds_nothing() -> None:
    one: Subscription[int] = Subscription(limit=3)
    for number in range(10):
        one.push(number)
    assert (one.ended, one.pending) == ("slow", [])
    await one.wait()


def test_the_first_reason_to_end_stands() -> None:
    one: Subscription[int] = Subscription()
    one.end("over")
    one.end("stopping")
    one.push(1)
    assert (one.ended, one.pending) == ("over", [])


def test_places_are_counted_by_address_and_by_player() -> None:
    places = Places(per_address=2, per_player=1)
    with places.taken("a", "ada"):
        with pytest.raises(TooManyHeld, match="player"), places.taken("b", "ada"):
            pass
        with places.taken("a", ""), pytest.raises(TooManyHeld, match="address"), places.taken("a", "berta"):
            pass
        with places.taken("a", "berta"):
            pass
    with places.taken("b", "ada"), places.taken("a", ""), places.taken("a", ""):
        pass
    assert not places._taken


async def test_readers_are_nudged_in_turn_for_as_long_as_they_are_there() -> None:
    pings = Pings(seconds=0.001)
    ones: list[Subscription[int]] = [Subscription() for _ in range(2 * ROUNDS)]
    groups = [pings.add(one) for one in ones]
    assert {len(group) for group in groups} == {2}
    for one in ones:
        await one.wait()
        await one.wait()
    for one, group in zip(ones, groups, strict=True):
        group.discard(one)
    await until(lambda: pings._timer is None)
    assert pings.add(ones[0])
    await ones[0].wait()
