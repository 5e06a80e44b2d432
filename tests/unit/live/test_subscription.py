"""A reader gets what has come, and no more is kept for it than may wait."""

import asyncio

import pytest

from service.live import subscription
from service.live.pings import ROUNDS, Pings
from service.live.subscription import EarlyEnd, Subscription
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


async def test_a_reader_that_does_not_read_is_ended_and_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscription, "MOST_PENDING", 3)
    one: Subscription[int] = Subscription()
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


def test_an_early_end_ends_what_is_watched_before_and_after_it() -> None:
    ones: list[Subscription[int]] = [Subscription() for _ in range(2)]
    early = EarlyEnd()
    early.watch(ones[0])
    early.give_way()
    early.end("quota")
    early.watch(ones[1])
    assert [one.ended for one in ones] == ["room", "room"]
