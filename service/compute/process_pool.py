"""Processes for work that would block the event loop: a bounded number, shared fairly among clients' networks.

Written by hand, since the standard library's pool neither ends a job that takes too long nor stops at once: see
deploy/decisions/0012.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar, TypeVarTuple, cast

from structlog.typing import FilteringBoundLogger

from service.compute.fair_slots import Busy, FairSlots, Origin
from service.compute.job_messages import Done, message, read_message
from service.compute.jobs import JobContext, Setup
from service.compute.pace import JobPace
from service.config import PREFIX
from service.observability.metrics import Metrics

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

JOB_S = 20.0
"""Seconds that a job may take. Its queries have shorter timeouts of their own."""


class JobLost(Exception):
    """The job's process ended, or the job took too long. It can be tried again."""


class ProcessPool:
    """Runs jobs in at most `processes` processes, which start on first use. Used from one event loop."""

    def __init__(
        self, setup: Setup, metrics: Metrics, log: FilteringBoundLogger, *, processes: int = 1, job_s: float = JOB_S
    ) -> None:
        self.slots = FairSlots(processes)
        self._pace = JobPace()
        self._setup = setup
        self._metrics = metrics
        self._log = log
        self._job_s = job_s
        self._idle: list[_Process] = []
        self._running: set[_Process] = set()
        self._jobs: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def run(
        self,
        origin: Origin,
        job: Callable[[JobContext, *Ts], Awaitable[T]],
        *arguments: *Ts,
        events: int,
        charge: Callable[[float], None],
        refusable: bool = True,
        gone: Callable[[], Awaitable[None]] | None = None,
    ) -> T:
        """The job's result. The job is a module's function, so that it can be pickled by its name.

        The number of `events` gives an estimate of its duration, which limits how much work may wait. `charge` is
        called with the CPU seconds that it took, or with the elapsed seconds if it is lost. A cancelled caller's job
        continues. `gone` returns when nobody waits for it any more; one that waits for its turn is then not begun.
        Raises Busy, if `refusable` is set, Left, JobLost, and what the job raises.
        """
        try:
            expected_s = self._pace.expected_s(job.__name__, events)
            await self.slots.acquire(origin, expected_s, refusable=refusable, gone=gone)
        except Busy:
            self._metrics.job("refused")
            raise

        def spent(seconds: float) -> None:
            self._pace.learn(job.__name__, events, seconds)
            charge(seconds)

        task = asyncio.create_task(self._do(spent, (job, arguments)))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return cast("T", await asyncio.shield(task))

    async def close(self) -> None:
        """Ends all processes. Jobs in progress are lost."""
        self._closed = True
        for process in (*self._idle, *self._running):
            await process.kill()
        if self._jobs:
            await asyncio.wait(self._jobs)

    @property
    def idle(self) -> int:
        """The number of processes that run and have no job."""
        return sum(process.runs for process in self._idle)

    def _take(self) -> "_Process":
        """An idle process, or one that starts with its job. A process that ended while it was idle loses no job."""
        while self._idle:
            process = self._idle.pop()
            if process.runs:
                return process
        return _Process(self._setup)

    async def _do(self, charge: Callable[[float], None], job: tuple[Any, ...]) -> Any:
        process = self._take()
        self._running.add(process)
        done, began = None, time.monotonic()
        try:
            if self._closed:
                raise JobLost
            async with asyncio.timeout(self._job_s):
                done = await process.do(job)
        except TimeoutError as error:
            self._log.warning("a job took too long", job=job[0].__name__, limit_s=self._job_s)
            raise JobLost from error
        except (OSError, asyncio.IncompleteReadError) as error:
            if not self._closed:
                self._log.warning("a process that does jobs ended", job=job[0].__name__)
            raise JobLost from error
        finally:
            self._running.discard(process)
            if done is None:
                self._metrics.job("lost")
                charge(time.monotonic() - began)
                await process.kill()
            else:
                self._metrics.job("done", done.cpu_s)
                charge(done.cpu_s)
                self._idle.append(process)
            self.slots.release()
        if done.error is not None:
            raise done.error
        return done.result


class _Process:
    """One process, started for its first job."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._process: asyncio.subprocess.Process | None = None
        self._stdin: asyncio.StreamWriter | None = None

    @property
    def runs(self) -> bool:
        """Whether the process is not known to have ended."""
        return self._stdin is not None and not self._stdin.is_closing()

    async def do(self, job: tuple[Any, ...]) -> Done:
        """The outcome of a job. Raises OSError or IncompleteReadError if the process ends first."""
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "service.compute.job_process"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={name: text for name, text in os.environ.items() if not name.startswith(PREFIX)},
                # Ctrl-C in the terminal reaches only the service, which then ends this process.
                start_new_session=True,
            )
            self._stdin = self._process.stdin
            self._send(self._setup)
        self._send(job)
        done: Done = await read_message(cast("asyncio.StreamReader", self._process.stdout))
        return done

    def _send(self, value: object) -> None:
        if self._stdin is None or self._stdin.is_closing():
            # What a write would raise then depends on the event loop.
            raise BrokenPipeError
        self._stdin.write(message(value))

    async def kill(self) -> None:
        """Ends the process at once, and waits for its end."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
