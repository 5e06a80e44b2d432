"""Several processes of the service, kept running by one that does nothing else.

The workers share one listening socket, which this process holds: connections wait in its queue while a worker is
started again. The kernel kills the workers when this process dies.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers, launch
from deploy.embedded.process import ending
from service.config import PREFIX, Settings
from service.run.errors import ServeError
from service.run.measurements import VARIABLE
from service.run.stop import STOP_SECONDS, Stop, until_stopped

KILL_SECONDS = STOP_SECONDS - 0.2
"""How long a worker may take to stop; less than this process may take, so that it is not left to the kernel."""

RESTART_SECONDS = (0.1, 10.0)
"""The wait before an ended worker is started again, at first and at most."""

STEADY_SECONDS = 30.0
"""A worker that ran for this long has recovered from whatever ended it before."""


class Worker(Struct, frozen=True):
    """A process to keep running."""

    name: str
    settings: Mapping[str, str]
    """Environment variables, besides those of this process."""
    listener: int | None
    """The descriptor of the listening socket, for those that serve the interface."""
    number: int
    """Its place among the workers, under which it measures."""


def workers(settings: Settings, servers: Servers, listener: socket.socket, measurements: Path) -> list[Worker]:
    """The processes that the settings call for: several for the interface, which measure in one directory."""
    shared = {
        f"{PREFIX}DATABASE_URL": servers.database_url,
        f"{PREFIX}REDIS_URL": servers.redis_url,
        VARIABLE: str(measurements),
    }
    interface = shared | {f"{PREFIX}ROLE": "api"}
    made = [Worker(f"api {number}", interface, listener.fileno(), number) for number in range(1, settings.workers + 1)]
    if settings.role != "api":
        made.append(Worker("projector", shared | {f"{PREFIX}ROLE": "projector"}, None, 0))
    return made


def run(workers: Sequence[Worker], *, stop: Stop, ready: Callable[[], None], log: FilteringBoundLogger) -> None:
    """Keeps the workers running until `stop`; `ready` is called when all of them are.

    Raises ServeError when one ends before it was ever ready.
    """
    asyncio.run(until_stopped(_Supervisor(stop, log).run(workers, ready), stop, log))


class _Supervisor:
    def __init__(self, stop: Stop, log: FilteringBoundLogger) -> None:
        self._stop = stop
        self._log = log

    async def run(self, workers: Sequence[Worker], ready: Callable[[], None]) -> None:
        started = [asyncio.get_running_loop().create_future() for _ in workers]
        keeping = [asyncio.create_task(self._keep(*pair)) for pair in zip(workers, started, strict=True)]
        try:
            everyone = asyncio.gather(*started)
            # One that fails to start ends its keeper first.
            waited: list[asyncio.Future[Any]] = [everyone, *keeping]
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if everyone.done() and not self._stop.asked.is_set():
                ready()
            await asyncio.gather(*keeping)
        finally:
            for task in keeping:
                task.cancel()
            await asyncio.wait(keeping)

    async def _keep(self, worker: Worker, started: "asyncio.Future[None]") -> None:
        wait_s, most_s = RESTART_SECONDS
        while not self._stop.asked.is_set():
            began = time.monotonic()
            status = await self._once(worker, started)
            if self._stop.asked.is_set():
                return
            if not started.done():
                raise ServeError(f"the worker {worker.name} did not start ({ending(status)}); the log says why")
            if time.monotonic() - began > STEADY_SECONDS:
                wait_s = RESTART_SECONDS[0]
            self._log.error("a worker ended", worker=worker.name, status=ending(status), again_in_s=wait_s)
            await self._stop.within(wait_s)
            wait_s = min(2 * wait_s, most_s)

    async def _once(self, worker: Worker, started: "asyncio.Future[None]") -> int:
        """Runs the worker until it ends, or is to stop; answers its exit status."""
        process, told = await _spawn(worker)
        ended = asyncio.create_task(process.wait())
        asked = asyncio.create_task(self._stop.asked.wait())
        try:
            if not started.done() and await _says_ready(told, ended, asked):
                started.set_result(None)
            await asyncio.wait((ended, asked), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                process.terminate()
                await asyncio.wait([ended], timeout=KILL_SECONDS)
        finally:
            os.close(told)
            asked.cancel()
            if not ended.done():
                process.kill()
        return await ended


async def _spawn(worker: Worker) -> tuple[asyncio.subprocess.Process, int]:
    """The worker's process, and a descriptor to read that it is ready from."""
    told, tell = os.pipe()
    try:
        given = {"listener": worker.listener, "ready": tell}
        descriptors = {name: number for name, number in given.items() if number is not None}
        process = await asyncio.create_subprocess_exec(
            *launch.prefix(signal.SIGKILL),
            *(sys.executable, "-P", "-m", "service.run.worker"),
            *(f"{name}={number}" for name, number in descriptors.items()),
            f"number={worker.number}",
            env=os.environ | worker.settings,
            pass_fds=tuple(descriptors.values()),
            # Ctrl-C in the terminal is for this process to handle, which then stops its workers.
            start_new_session=True,
        )
    except BaseException:
        os.close(told)
        raise
    finally:
        os.close(tell)
    return process, told


async def _says_ready(told: int, *others: asyncio.Task[Any]) -> bool:
    """Whether the process behind the pipe says that it is ready, before it ends or one of the others does."""
    loop = asyncio.get_running_loop()
    spoken = asyncio.Event()
    loop.add_reader(told, spoken.set)
    speaking = asyncio.create_task(spoken.wait())
    try:
        await asyncio.wait((speaking, *others), return_when=asyncio.FIRST_COMPLETED)
    finally:
        loop.remove_reader(told)
        speaking.cancel()
    return spoken.is_set() and os.read(told, 1) != b""
