"""One process of the service: the interface, the projector, both in one event loop, the sender of webhooks, or one
that plays for bots.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any

import uvloop
from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers
from deploy.embedded.backoff import Backoff
from projections.models import ReadModelsUnavailable
from projections.tasks import pause
from service.config import Settings
from service.garbage import collect_seldom
from service.observability.metrics import Metrics
from service.roles import ROLES
from service.run.listen import Listeners
from service.run.on_demand import OnDemand
from service.run.stop import Stop, until_stopped
from service.services import Services
from service.store.database import StoreUnavailable
from service.watchers import Work, open_watchers
from service.wiring import open_services

ANNOUNCE_S = 2.0
"""Seconds that a start waits for the announcement of the log's key."""

RESTART_S = (0.5, 30.0)
"""Seconds before failed background work is restarted: at first, and at most."""

SAMPLE_S = 5.0
"""Seconds between two samples of the servers; less than Prometheus' usual interval of scraping."""

BOTS_NICENESS = 12
"""The niceness of processes that play for bots: requests and jobs come first, and on a busy machine bots act too."""

BOTS_SWITCH_S = 0.0001
"""Seconds after which a thread that thinks gives way to an act; else an act waits fifty times as long for an answer."""


def run(
    settings: Settings,
    servers: Servers,
    listeners: Listeners,
    metrics: Metrics | None = None,
    first_beside: int | None = None,
    *,
    stop: Stop,
    ready: Callable[[], None],
    log: FilteringBoundLogger,
) -> None:
    """Serves in the settings' role until `stop`; the interface, metrics and health are served if they have a socket.

    `first_beside` is the first number of the processes to start beside this one, if it projects for a service of
    several; a process of the role `all` numbers its own. `ready` is called when requests are answered or, without an
    interface, when the process is at work. Raises ServeError if the interface cannot start.
    """

    def begun() -> None:
        # By now everything is loaded that the process needs.
        collect_seldom()
        ready()

    async def work() -> None:
        async with AsyncExitStack() as stack:
            urls = servers.database_url, servers.redis_url
            services = await stack.enter_async_context(open_services(settings, *urls, metrics))
            for name, watching in (await open_watchers(stack, services, *urls)).items():
                await _keep(stack, name, watching, stop, services)
            if "signing key" in ROLES[settings.role].opens:
                await _announce_key(services)
                await _start_others(stack, services, servers, first_beside, stop)
            await stack.enter_async_context(_beside(_sample(services, stop)))
            if listeners.interface is not None or listeners.metrics is not None:
                await _answer(stack, services, listeners, stop, begun)
            if listeners.interface is None:
                begun()
                await stop.wait()

    if settings.role == "bots":
        os.nice(BOTS_NICENESS)
        sys.setswitchinterval(BOTS_SWITCH_S)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(until_stopped(work(), stop, log))


async def _start_others(
    stack: AsyncExitStack, services: Services, servers: Servers, first_beside: int | None, stop: Stop
) -> None:
    """Starts processes beside this one that projects, when they are first needed. They end with the stack."""
    keep = partial(_keep, stack, stop=stop, services=services)
    others = OnDemand(services, servers, first_beside, stack.enter_context(ExitStack()))
    await keep("watch for webhooks", others.watch_webhooks)
    await keep("watch for bots", others.watch_bots)
    if ROLES[services.settings.role].beside or first_beside is not None:
        await keep("process that sends to webhooks", others.send)
        await keep("processes that play for bots", others.play)


async def _answer(
    stack: AsyncExitStack, services: Services, listeners: Listeners, stop: Stop, ready: Callable[[], None]
) -> None:
    """Answers clients until `stop`, and operators as long as the stack is open, each if there is a socket for them."""
    # Imported late: a process that answers nobody starts sooner without, and needs less memory.
    from service.run.applications import serve_interface, serve_operations

    if listeners.metrics is not None:
        await stack.enter_async_context(_beside(serve_operations(services, listeners.metrics, stop)))
    if listeners.interface is not None:
        await stack.enter_async_context(_beside(_end_streams(services, stop)))
        await serve_interface(services, listeners.interface, stop, ready)


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work alongside the body, and waits for it to end; if the body fails, the work is cancelled."""
    task = asyncio.create_task(work)
    try:
        yield
        await task
    finally:
        task.cancel()


async def _keep(stack: AsyncExitStack, name: str, work: Work, stop: Stop, services: Services) -> None:
    """Keeps the work running beside the body of the stack, which waits for its end."""
    await stack.enter_async_context(_beside(_keep_running(name, work, stop, services)))


async def _keep_running(name: str, work: Work, stop: Stop, services: Services) -> None:
    """Runs the work until `stop`; after an error it is restarted, with growing waits.

    In between the process goes on serving: without the projector, tables are read from their records.
    """
    backoff = Backoff(*RESTART_S)
    log, state = services.logger, services.metrics.work[name]
    while not stop.is_set():
        began = time.monotonic()
        state.goes_on()
        try:
            # In a task of its own: in early releases of Python 3.11, a task in which a group of tasks has failed counts
            # as cancelled from then on, and would end with the wait below.
            await asyncio.ensure_future(work(stop))
        except Exception:  # any error here is no reason to stop serving
            state.halts()
            wait_s = backoff.after(time.monotonic() - began)
            log.exception(f"the {name} failed", again_in_s=wait_s)
            await pause(stop, wait_s)


async def _sample(services: Services, stop: Stop) -> None:
    """Samples this process and its servers at once and then at intervals, until `stop`."""
    while not stop.is_set():
        redis = None
        with suppress(ReadModelsUnavailable):
            redis = await services.models.state()
        connections, waiting = services.log.database.connections(), services.log.writer.waiting
        services.metrics.servers.sampled(connections, waiting, redis)
        await pause(stop, SAMPLE_S)


async def _end_streams(services: Services, stop: Stop) -> None:
    """At `stop`, ends streams and waiting reads, which would not end on their own."""
    await stop.wait()
    services.edge.live.stop()


async def _announce_key(services: Services) -> None:
    """Announces a new log's key before the process is ready. If Postgres is away, the readiness check tries again."""
    with suppress(StoreUnavailable, TimeoutError):
        async with asyncio.timeout(ANNOUNCE_S):
            await services.log.transparency.announced()
