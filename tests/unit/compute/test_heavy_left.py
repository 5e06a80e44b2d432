"""Nothing is computed in the pool for a client who has left before its turn."""

import asyncio
from typing import cast

import pytest
import structlog

from service.compute.fair_slots import Left
from service.compute.heavy_reads import HeavyReads, Spending
from service.compute.jobs import JobContext, Setup
from service.compute.process_pool import ProcessPool
from service.observability.metrics import Metrics

NOWHERE = cast("JobContext", None)


async def job(_: JobContext) -> None:
    """Would need a process."""


async def test_a_job_of_who_has_left_is_not_begun() -> None:
    pool, gone = ProcessPool(Setup("", ""), Metrics(), structlog.get_logger()), asyncio.Event()

    async def leaves() -> None:
        await gone.wait()

    await pool.slots.acquire(("before",))
    asked = asyncio.create_task(HeavyReads(NOWHERE, pool).run(Spending(("a",), leaves), job, events=1))
    await asyncio.sleep(0)
    assert pool.slots.waiting == 1
    gone.set()
    with pytest.raises(Left):
        await asked
    assert (pool.slots.waiting, pool.idle) == (0, 0)
