"""Runs several processes of the service under one supervisor that does nothing else.

The workers share one listening socket, which this process keeps open: while a worker restarts, connections wait in the
socket's queue. The kernel kills the workers when this process dies.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers, launch
from deploy.embedded.backoff import Backoff
from deploy.embedded.children import ending
from projections.tasks import pause
from service.bots.chance import new_secret
from service.config import PREFIX, RoleName, Settings
from service.roles import ROLES
from service.run.listen import Listeners
from service.run.measurements import VARIABLE
from service.run.serve_error import ServeError
from service.run.stop import STOP_S, Stop, until_stopped

KILL_S = STOP_S - 0.2
"""Seconds for a worker to stop: less than this process has, so that it still sees the worker end."""

RESTART_S = (0.1, 10.0)
"""Seconds before an ended worker is restarted: at first, and at most."""


class Worker(Struct, frozen=True):
    """A process to keep running."""

    name: str
    settings: Mapping[str, str]
    """Environment variables that replace this process's own; empty ones count as unset."""
    listeners: Mapping[str, int]
    """The descriptors of the listening sockets, by the names of Listeners' fields."""
    number: int
    """Its number among the workers, which its measurements carry."""
    beside: int | None = None
    """The first number of the processes that this one starts beside itself; None if it starts none."""


def workers(settings: Settings, servers: Servers, listeners: Listeners, measurements: Path) -> list[Worker]:
    """The processes for these settings, which share one directory of measurements: several for the interface and one
    that projects, or several that play for bots.

    Any of the several can answer a request for metrics for all of them.
    """
    sockets = {name: socket.fileno() for name, socket in structs.asdict(listeners).items() if socket is not None}
    if settings.role == "bots":
        made = players(servers, measurements, 1, settings.processes_for_bots, settings.bot_secret or new_secret())
        return [structs.replace(player, listeners=sockets) for player in made]
    interface = _variables("api", servers, measurements)
    made = [Worker(f"api {number}", interface, sockets, number) for number in range(1, settings.workers + 1)]
    if settings.role != "api":
        projector = _variables("projector", servers, measurements)
        made.append(Worker("projector", projector, {}, 0, beside=settings.workers + 1))
    return made


def sender(servers: Servers, measurements: Path, number: int) -> Worker:
    """The process that sends to webhooks."""
    return Worker("webhooks", _variables("webhooks", servers, measurements), {}, number)


def players(servers: Servers, measurements: Path, first: int, number: int, secret: bytes) -> list[Worker]:
    """So many processes that play for bots, with the secret of their chance."""
    settings = _variables("bots", servers, measurements) | {f"{PREFIX}BOT_SECRET": secret.hex()}
    return [Worker(f"bots {place + 1}", settings, {}, first + place) for place in range(number)]


def _variables(role: RoleName, servers: Servers, measurements: Path) -> dict[str, str]:
    """The variables of a process of this role; without the signing key if it does not sign."""
    return {
        f"{PREFIX}ROLE": role,
        f"{PREFIX}DATABASE_URL": servers.database_url,
        f"{PREFIX}REDIS_URL": servers.redis_url,
        f"{PREFIX}DATABASE_OWNER_URL": "",
        VARIABLE: str(measurements),
        **({} if "signing key" in ROLES[role].opens else {f"{PREFIX}SIGNING_KEY": ""}),
    }


def run(workers: Sequence[Worker], *, stop: Stop, ready: Callable[[], None], log: FilteringBoundLogger) -> None:
    """Keeps the workers running until `stop`; `ready` is called once all of them are ready.

    Raises ServeError if a worker ends before it was ready for the first time.
    """
    asyncio.run(until_stopped(_run(workers, stop, ready, log), stop, log))


async def _run(workers: Sequence[Worker], stop: Stop, ready: Callable[[], None], log: FilteringBoundLogger) -> None:
    started = [asyncio.get_running_loop().create_future() for _ in workers]
    keeping = [asyncio.create_task(keep(one, stop, log, first)) for one, first in zip(workers, started, strict=True)]
    try:
        everyone = asyncio.gather(*started)
        # If one fails to start, its keeper ends first.
        waited: list[asyncio.Future[Any]] = [everyone, *keeping]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if everyone.done() and not stop.is_set():
            ready()
        await asyncio.gather(*keeping)
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)


async def keep(
    worker: Worker, stop: asyncio.Event, log: FilteringBoundLogger, started: "asyncio.Future[None] | None" = None
) -> None:
    """Keeps the worker running until `stop`; sets `started` when it is ready for the first time.

    Raises ServeError if the worker ends before `started` is set.
    """
    backoff = Backoff(*RESTART_S)
    while not stop.is_set():
        began = time.monotonic()
        status = await _once(worker, stop, started)
        if stop.is_set():
            return
        if started is not None and not started.done():
            raise ServeError(f"the worker {worker.name} did not start ({ending(status)}); the log says why")
        wait_s = backoff.after(time.monotonic() - began)
        log.error("a worker ended", worker=worker.name, status=ending(status), again_in_s=wait_s)
        await pause(stop, wait_s)


async def _once(worker: Worker, stop: asyncio.Event, started: "asyncio.Future[None] | None") -> int:
    """Runs the worker until it ends or has to stop; returns its exit status. Sets `started` when it is ready."""
    process, pipe = await _spawn(worker)
    ended = asyncio.create_task(process.wait())
    stopping = asyncio.create_task(stop.wait())
    try:
        if started is not None and not started.done() and await _becomes_ready(pipe, ended, stopping):
            started.set_result(None)
        await asyncio.wait((ended, stopping), return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            process.terminate()
            await asyncio.wait([ended], timeout=KILL_S)
    finally:
        os.close(pipe)
        stopping.cancel()
        if not ended.done():
            process.kill()
    return await ended


async def _spawn(worker: Worker) -> tuple[asyncio.subprocess.Process, int]:
    """Starts the worker; returns its process, and a pipe from which one byte can be read when it is ready."""
    reading, writing = os.pipe()
    try:
        descriptors = {**worker.listeners, "ready": writing}
        process = await asyncio.create_subprocess_exec(
            *launch.prefix(signal.SIGKILL),
            *(sys.executable, "-P", "-m", "service.run.worker"),
            *(f"{name}={number}" for name, number in descriptors.items()),
            f"number={worker.number}",
            *([] if worker.beside is None else [f"beside={worker.beside}"]),
            env=os.environ | worker.settings,
            pass_fds=tuple(descriptors.values()),
            # So that Ctrl-C in the terminal reaches only this process, which then stops its workers.
            start_new_session=True,
        )
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return process, reading


async def _becomes_ready(pipe: int, *others: asyncio.Task[Any]) -> bool:
    """Whether the process behind the pipe reports that it is ready before one of the other tasks ends."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(pipe, readable.set)
    waiting = asyncio.create_task(readable.wait())
    try:
        await asyncio.wait((waiting, *others), return_when=asyncio.FIRST_COMPLETED)
    finally:
        loop.remove_reader(pipe)
        waiting.cancel()
    return readable.is_set() and os.read(pipe, 1) != b""
