"""Work in the background is ended, whatever becomes of a cancellation."""

import asyncio

import pytest

from projections import tasks
from projections.tasks import cancel_and_wait


async def losing(cancellations: int, cancelled: list[str]) -> None:
    """Goes on for ever, and loses so many cancellations."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append("cancelled")
            if len(cancelled) > cancellations:
                raise


@pytest.mark.parametrize("lost", [0, 1, 3])
async def test_who_loses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
    monkeypatch.setattr(tasks, "AGAIN_S", 0.001)
    cancelled: list[str] = []
    task = asyncio.create_task(losing(lost, cancelled))
    await asyncio.sleep(0)
    await cancel_and_wait(task)
    assert task.cancelled()
    assert len(cancelled) == lost + 1


async def test_what_has_ended_is_left_alone() -> None:
    task = asyncio.create_task(asyncio.sleep(0, "done"))
    await task
    await cancel_and_wait(task)
    assert task.result() == "done"


async def test_nothing_to_end_is_no_wait() -> None:
    await cancel_and_wait()
