"""One process of the service: the interface, the projector, both in one event loop, the sender of webhooks, or one
that plays for bots.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import uvloop
from structlog.typing import FilteringBoundLogger

from deploy.backoff import Backoff
from deploy.embedded import Servers
from service.audit import ContinuousAudit
from service.config import Settings
from service.observability.metrics import Metrics
from service.run.beside import beside
from service.run.listen import Listeners
from service.run.playing import be_least_urgent, play_apart, watch_bots
from service.run.sampling import sample
from service.run.sending import send_apart, watch_webhooks
from service.run.stop import Stop, until_stopped
from service.services import Services
from service.store.database import StoreUnavailable
from service.wiring import open_services

Work: TypeAlias = Callable[[asyncio.Event], Awaitable[None]]
"""Background work, which ends when the event is set."""

ANNOUNCE_S = 2.0
"""Seconds that a start waits for the announcement of the log's key."""

RESTART_S = (0.5, 30.0)
"""Seconds before failed background work is restarted: at first, and at most."""


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

    async def work() -> None:
        async with AsyncExitStack() as stack:
            opening = open_services(settings, servers.database_url, servers.redis_url, metrics)
            services = await stack.enter_async_context(opening)
            if settings.role in ("all", "projector"):
                await _project(stack, services, settings, servers, first_beside, stop, log)
            if settings.role == "webhooks":
                await _keep(stack, "webhook outbox", services.outbox.run, stop, services)
                await _keep(stack, "webhook sender", services.deliveries.run, stop, services)
            if settings.role == "bots":
                await _keep(stack, "player of bots", services.bots.run, stop, services)
            await stack.enter_async_context(_beside(sample(services, stop)))
            await stack.enter_async_context(_beside(_end_streams(services, stop)))
            if listeners.interface is not None or listeners.metrics is not None:
                await _answer(stack, services, settings, listeners, stop, ready, log)
            if listeners.interface is None:
                ready()
                await stop.requested.wait()

    if settings.role == "bots":
        be_least_urgent()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(until_stopped(work(), stop, log))


async def _project(
    stack: AsyncExitStack,
    services: Services,
    settings: Settings,
    servers: Servers,
    first_beside: int | None,
    stop: Stop,
    log: FilteringBoundLogger,
) -> None:
    """Starts the work of a process that projects: projections, signatures, audit, deadlines, and processes beside it.

    All of it ends with the stack.
    """
    keep = partial(_keep, stack, stop=stop, services=services)
    await keep("projector", services.projector.run)
    await _announce_key(services)
    await keep("signer", services.signer.run)
    await keep("signer of requests", services.request_signer.run)
    await keep("audit", _audit(services, log).run)
    await keep("timekeeper", services.timekeeper.run)
    webhooks, bots = asyncio.Event(), asyncio.Event()
    await keep("watch for webhooks", lambda _: watch_webhooks(services, stop, webhooks))
    await keep("watch for bots", lambda _: watch_bots(services, stop, bots))
    if settings.role == "all" or first_beside is not None:
        others = stack.enter_context(beside(services, servers, first_beside))
        await keep("process that sends to webhooks", lambda _: send_apart(others, stop, webhooks, log))
        await keep("processes that play for bots", lambda _: play_apart(services, others, stop, bots, log))


async def _answer(
    stack: AsyncExitStack,
    services: Services,
    settings: Settings,
    listeners: Listeners,
    stop: Stop,
    ready: Callable[[], None],
    log: FilteringBoundLogger,
) -> None:
    """Answers clients until `stop`, and operators as long as the stack is open, each if there is a socket for them."""
    # Imported late: a process that answers nobody starts sooner without, and needs less memory.
    from service.run.applications import serve_interface, serve_operations

    if listeners.metrics is not None:
        await stack.enter_async_context(_beside(serve_operations(services, settings, listeners.metrics, stop, log)))
    if listeners.interface is not None:
        await serve_interface(services, settings, listeners.interface, stop, ready, log)


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
    log, state = services.log, services.metrics.work[name]
    while not stop.requested.is_set():
        began = time.monotonic()
        state.goes_on()
        try:
            # In a task of its own: in early releases of Python 3.11, a task in which a group of tasks has failed counts
            # as cancelled from then on, and would end with the wait below.
            await asyncio.ensure_future(work(stop.requested))
        except Exception:  # any error here is no reason to stop serving
            state.halts()
            wait_s = backoff.after(time.monotonic() - began)
            log.exception(f"the {name} failed", again_in_s=wait_s)
            await stop.wait(wait_s)


async def _end_streams(services: Services, stop: Stop) -> None:
    """At `stop`, ends streams and waiting reads, which would not end on their own."""
    await stop.requested.wait()
    services.live.stop()


async def _announce_key(services: Services) -> None:
    """Announces a new log's key before the process is ready. If Postgres is away, the readiness check tries again."""
    with suppress(StoreUnavailable, TimeoutError):
        async with asyncio.timeout(ANNOUNCE_S):
            await services.transparency.announced()


def _audit(services: Services, log: FilteringBoundLogger) -> ContinuousAudit:
    return ContinuousAudit(
        services.store, services.reader, services.models, services.transparency, services.metrics, log
    )
