"""A deadline does what `asyncio.timeout` does."""

import asyncio

import pytest

from service.moments import Timeout


async def test_what_is_in_time_is_left_alone() -> None:
    with Timeout(0.5):
        await asyncio.sleep(0)
    await asyncio.sleep(0.6)


async def test_what_takes_too_long_is_cancelled_and_told_as_such() -> None:
    with pytest.raises(TimeoutError), Timeout(0.01):
        await asyncio.sleep(10)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_an_error_of_what_is_within_stays_what_it_is() -> None:
    with pytest.raises(KeyError), Timeout(0.01):
        raise KeyError


async def test_who_is_cancelled_by_others_is_cancelled() -> None:
    async def work() -> None:
        with Timeout(10):
            await asyncio.sleep(10)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_who_is_cancelled_by_others_as_time_runs_out_is_cancelled() -> None:
    async def work() -> None:
        with Timeout(0.0):
            await asyncio.sleep(10)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
