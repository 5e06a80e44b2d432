"""Jobs in processes of their own, over a real log."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog
import uvloop

from service.compute.fair_slots import Busy
from service.compute.job_messages import message
from service.compute.jobs import Setup
from service.compute.process_pool import JobLost, ProcessPool
from service.moments import new_id
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.store import Store
from tests.support import jobs
from tests.support.for_each import for_each
from tests.support.log import command
from tests.support.postgres import as_service
from tests.support.registry import REGISTRY
from tests.support.waiting import until

LONG = 2**22
"""The length of an answer that no buffer holds whole."""


class Pool:
    """A pool, and what it charged."""

    def __init__(self, dsn: str, **limits: float) -> None:
        self.metrics = Metrics()
        self.pool = ProcessPool(Setup(as_service(dsn), REGISTRY), self.metrics, structlog.get_logger(), **limits)  # type: ignore[arg-type]
        self.charged: list[float] = []

    async def run(self, job: Callable[..., Any], *arguments: object) -> Any:
        return await self.pool.run(("an address",), job, *arguments, events=1, charge=self.charged.append)


def runs(process: int) -> bool:
    """Whether there is such a process."""
    return Path(f"/proc/{process}").exists()


@pytest.fixture
async def pool(dsn: str) -> AsyncIterator[Pool]:
    made = Pool(dsn)
    yield made
    await made.pool.close()


async def test_jobs_read_the_log_in_one_process_and_their_time_is_charged(pool: Pool, store: Store) -> None:
    opening = command(new_id(), count=3)
    await store.append([opening])
    assert await pool.run(jobs.events, opening.table) == 3
    assert await pool.run(jobs.chatter) == "an answer"
    with pytest.raises(StoreUnavailable, match="as it was raised"):
        await pool.run(jobs.fail)
    await pool.run(jobs.burn, 0.05)
    assert len(pool.charged) == 4
    assert pool.charged[-1] >= 0.05
    # What the process has loaded is no garbage.
    assert await pool.run(jobs.frozen) > 10_000
    process = await pool.run(jobs.where)
    assert {await pool.run(jobs.where) for _ in range(2)} == {process}
    await pool.pool.close()
    assert not runs(process)


async def test_a_job_whose_process_ends_is_lost_and_the_next_one_is_done(pool: Pool) -> None:
    with pytest.raises(JobLost):
        await pool.run(jobs.die)
    assert runs(await pool.run(jobs.where))
    assert len(pool.charged) == 2
    measured = pool.metrics.exposition().decode()
    assert 'codille_jobs_total{result="lost"} 1.0' in measured
    assert 'codille_jobs_total{result="done"} 1.0' in measured


@for_each("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_process_that_is_killed_while_it_is_idle_loses_no_job(
    loop: Callable[[], asyncio.AbstractEventLoop], dsn: str
) -> None:
    async def play() -> None:
        pool = Pool(dsn)
        killed = await pool.run(jobs.where)
        os.kill(killed, signal.SIGKILL)
        await until(lambda: pool.pool.idle == 0)
        assert await pool.run(jobs.where) != killed
        await pool.pool.close()

    # The service runs on the second one, which raises other errors where a pipe is closed.
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(play())


@for_each(
    "sent, heard",
    [
        ((), False),
        (("setup", "half a job"), False),
        (("setup", "job"), False),
        (("setup", "long job"), True),
    ],
)
def test_a_process_whose_service_is_gone_ends_in_order(sent: Sequence[str], heard: bool, dsn: str) -> None:
    messages = {
        "setup": message(Setup(as_service(dsn), REGISTRY)),
        "half a job": message((jobs.where, ()))[:-1],
        "job": message((jobs.where, ())),
        "long job": message((jobs.tell, (LONG,))),
    }
    # Sockets, as the event loop of the service makes them: more can go wrong with them than with pipes.
    (to, stdin), (answers, stdout) = socket.socketpair(), socket.socketpair()
    with to, answers:
        with stdin, stdout:
            program = [sys.executable, "-P", "-m", "service.compute.job_process"]
            process = subprocess.Popen(program, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
        to.sendall(b"".join(messages[each] for each in sent))
        if heard:
            # It stays unread, and the process waits to write the rest.
            assert answers.recv(1, socket.MSG_PEEK)
    with process:
        _, said = process.communicate()
    assert (process.returncode, said) == (0, b"")


async def test_a_job_that_takes_too_long_is_ended(dsn: str) -> None:
    pool = Pool(dsn, job_s=0.0)
    with pytest.raises(JobLost):
        await pool.run(jobs.hang)
    assert len(pool.charged) == 1
    await pool.pool.close()


async def test_jobs_under_way_do_not_hold_up_the_end(pool: Pool) -> None:
    process = await pool.run(jobs.where)
    hanging = asyncio.create_task(pool.run(jobs.hang))
    waiting = asyncio.create_task(pool.run(jobs.where))
    await asyncio.sleep(0)
    await pool.pool.close()
    assert not runs(process)
    for task in (hanging, waiting):
        with pytest.raises(JobLost):
            await task


async def test_a_job_whose_caller_gave_up_keeps_its_slot_until_it_is_done(pool: Pool) -> None:
    process = await pool.run(jobs.where)
    given_up = asyncio.create_task(pool.run(jobs.burn, 0.05))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await pool.run(jobs.where) == process
    assert len(pool.charged) == 3


async def test_reads_that_take_a_millisecond_are_all_answered_though_they_come_at_once(pool: Pool) -> None:
    # As many as one address may have connections.
    looks = [pool.run(jobs.where) for _ in range(200)]
    assert len({await look for look in asyncio.as_completed(looks)}) == 1


async def test_what_has_taken_long_is_expected_to_take_as_long_again(dsn: str) -> None:
    pool = Pool(dsn)
    for _ in range(3):
        await pool.pool.run(("an address",), jobs.burn, 0.2, events=10, charge=pool.charged.append)
    slots = pool.pool.slots
    waiting = [
        asyncio.ensure_future(pool.pool.run(("an address",), jobs.burn, 0.0, events=10_000, charge=pool.charged.append))
        for _ in range(3)
    ]
    done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert [type(one.exception()) for one in done] == [Busy]
    assert slots.waiting == 1
    for one in left:
        await one
    await pool.pool.close()
