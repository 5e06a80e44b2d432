"""One process of the service: the interface, the projector, both in one event loop, the sender of webhooks, or one
that plays for bots.
"""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from ipaddress import ip_network
from typing import Any, Literal

import uvicorn
import uvloop
from litestar.types import ASGIApp
from structlog.typing import FilteringBoundLogger

from deploy.backoff import Backoff
from deploy.embedded import Servers
from service.app import create_app, create_operations_app
from service.audit import ContinuousAudit
from service.config import Settings
from service.limits.slots import most_streams
from service.observability.metrics import Metrics
from service.run.beside import beside
from service.run.connections import Connections, within_descriptors
from service.run.http import Http, ServerConfig
from service.run.listen import Listeners
from service.run.playing import be_least_urgent, play_apart, watch_bots
from service.run.sampling import sample
from service.run.sending import send_apart, watch_webhooks
from service.run.serve_error import ServeError
from service.run.stop import Stop, until_stopped
from service.services import Services
from service.store.database import StoreUnavailable
from service.wiring import open_services

FINISH_S = 1
"""Seconds for requests in progress once the process has to stop."""

ANNOUNCE_S = 2.0
"""Seconds that a start waits for the announcement of the log's key."""

OPERATORS = 32
"""The most connections at the address of metrics and health."""

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
                outbox = _keep_running("webhook outbox", services.outbox.run, stop, log)
                await stack.enter_async_context(_beside(outbox))
                deliveries = _keep_running("webhook sender", services.deliveries.run, stop, log)
                await stack.enter_async_context(_beside(deliveries))
            if settings.role == "bots":
                playing = _keep_running("player of bots", services.bots.run, stop, log)
                await stack.enter_async_context(_beside(playing))
            await stack.enter_async_context(_beside(sample(services, stop)))
            await stack.enter_async_context(_beside(_end_streams(services, stop)))
            if listeners.metrics is not None:
                operators = Connections(settings, services.metrics, log, listener="metrics", most=OPERATORS)
                operations = configured(create_operations_app(services), settings, operators, lifespan="off")
                await stack.enter_async_context(_beside(_serve(operations, listeners.metrics, stop)))
            if listeners.interface is not None:
                most = within_descriptors(settings.max_connections, log)
                services.live.slots.most = most_streams(most)
                app = create_app(services)
                clients = Connections(
                    settings, services.metrics, log, listener="interface", most=most, quotas=services.quotas
                )
                await _serve(configured(app, settings, clients), listeners.interface, stop, ready)
            else:
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
    projector = _keep_running("projector", services.projector.run, stop, log)
    await stack.enter_async_context(_beside(projector))
    await _announce_key(services)
    await stack.enter_async_context(_beside(services.signer.run(stop.requested)))
    await stack.enter_async_context(_beside(services.request_signer.run(stop.requested)))
    audit = _keep_running("audit", _audit(services, log).run, stop, log)
    await stack.enter_async_context(_beside(audit))
    keeping = _keep_running("timekeeper", services.timekeeper.run, stop, log)
    await stack.enter_async_context(_beside(keeping))
    webhooks, bots = asyncio.Event(), asyncio.Event()
    await stack.enter_async_context(_beside(watch_webhooks(services, stop, webhooks)))
    watching = _keep_running("watch for bots", lambda _: watch_bots(services, stop, bots), stop, log)
    await stack.enter_async_context(_beside(watching))
    if settings.role == "all" or first_beside is not None:
        others = stack.enter_context(beside(services, servers, first_beside))
        sending = partial(send_apart, others, stop, webhooks, log)
        apart = _keep_running("process that sends to webhooks", lambda _: sending(), stop, log)
        await stack.enter_async_context(_beside(apart))
        playing = partial(play_apart, services, others, stop, bots, log)
        apart = _keep_running("processes that play for bots", lambda _: playing(), stop, log)
        await stack.enter_async_context(_beside(apart))


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work alongside the body, and waits for it to end; if the body fails, the work is cancelled."""
    task = asyncio.create_task(work)
    try:
        yield
        await task
    finally:
        task.cancel()


async def _keep_running(
    name: str, work: Callable[[asyncio.Event], Awaitable[None]], stop: Stop, log: FilteringBoundLogger
) -> None:
    """Runs the work until `stop`; after an error it is restarted, with growing waits.

    In between the process goes on serving: without the projector, tables are read from their records.
    """
    backoff = Backoff(*RESTART_S)
    while not stop.requested.is_set():
        began = time.monotonic()
        try:
            await work(stop.requested)
        except Exception:  # any error here is no reason to stop serving
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


class UvicornServer(uvicorn.Server):
    """uvicorn's server, which calls `ready` when it accepts requests, and leaves signals to the process."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def _wait_tasks_to_complete(self) -> None:
        try:
            await super()._wait_tasks_to_complete()
        except asyncio.CancelledError:
            # The time is over, and requests still in progress are cancelled.
            for connection in self.server_state.connections:
                if isinstance(connection, Http):
                    connection.abandon_begun()
            raise


def configured(
    app: ASGIApp, settings: Settings, connections: Connections, lifespan: Literal["on", "off"] = "on"
) -> ServerConfig:
    """uvicorn's configuration for an application."""
    return ServerConfig(
        app,
        connections,
        http=Http,
        ws="none",
        lifespan=lifespan,
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=FINISH_S,
        # uvicorn reads forwarded addresses from the last, which the nearest proxy added, to the first that is not a
        # proxy's, and ignores what the client put before that. By default it would trust local clients.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[form for proxies in settings.trusted_proxies for form in _forms(proxies)],
    )


def _forms(network: str) -> Iterator[str]:
    """The network and, for IPv4, its form on a socket for both families."""
    yield network
    parsed = ip_network(network)
    if parsed.version == 4:
        yield f"::ffff:{parsed.network_address}/{96 + parsed.prefixlen}"


async def _serve(
    config: uvicorn.Config, listener: socket.socket, stop: Stop, ready: Callable[[], None] = lambda: None
) -> None:
    """Answers requests until `stop`. Raises ServeError if the application does not start."""
    server = UvicornServer(config, ready)
    serving = asyncio.create_task(server.serve([listener]))
    stopping = asyncio.create_task(stop.requested.wait())
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    try:
        await serving
    except SystemExit as error:
        # uvicorn exits if the application does not start, after logging the reason.
        raise ServeError("the interface could not start; the log says why") from error
