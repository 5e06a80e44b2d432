"""One process of the service: the interface, the projector, or both in one event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from ipaddress import ip_network
from typing import Any

import uvicorn
import uvloop
from litestar.types import ASGIApp
from structlog.typing import FilteringBoundLogger

from deploy.embedded import Servers
from service.app import create_app
from service.audit import ContinuousAudit
from service.config import Settings
from service.observability.metrics import Metrics
from service.run.errors import ServeError
from service.run.http import Http
from service.run.stop import Stop, until_stopped
from service.wiring import Services, open_services

FINISH_SECONDS = 1
"""How long requests under way may take after the process was asked to stop."""

RESTART_SECONDS = (0.5, 30.0)
"""The wait before a failed projector is started again, at first and at most."""


def run(
    settings: Settings,
    servers: Servers,
    listener: socket.socket | None,
    metrics: Metrics | None = None,
    *,
    stop: Stop,
    ready: Callable[[], None],
    log: FilteringBoundLogger,
) -> None:
    """Serves until `stop`, in the settings' role; `listener` is a listening socket where that has the interface.

    `ready` is called when the work has begun. Raises ServeError.
    """

    async def work() -> None:
        async with AsyncExitStack() as stack:
            opening = open_services(settings, servers.database_url, servers.redis_url, metrics)
            services = await stack.enter_async_context(opening)
            if settings.role != "api":
                await stack.enter_async_context(_beside(_project(services, stop, log)))
                await stack.enter_async_context(_beside(services.signer.run(stop.asked)))
                await stack.enter_async_context(_beside(_audit(services, stop, log)))
            if listener is not None:
                await _interface(settings, services, listener, stop, ready)
            else:
                ready()
                await stop.asked.wait()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(until_stopped(work(), stop, log))


@asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs the work beside the body, after which it ends by itself; after an error it is broken off."""
    task = asyncio.create_task(work)
    try:
        yield
        await task
    finally:
        task.cancel()


async def _project(services: Services, stop: Stop, log: FilteringBoundLogger) -> None:
    """Keeps the projector at work: one that fails is started again, after a wait that grows."""
    wait_s, most_s = RESTART_SECONDS
    while not stop.asked.is_set():
        try:
            await services.projector.run(stop.asked)
        except Exception:  # whatever it is: writes go on meanwhile, and a table's reads fold its record
            log.exception("the projector failed", again_in_s=wait_s)
            await stop.within(wait_s)
            wait_s = min(2 * wait_s, most_s)


async def _audit(services: Services, stop: Stop, log: FilteringBoundLogger) -> None:
    """Keeps the audit at work, as the projector is."""
    audit = ContinuousAudit(
        services.store, services.reader, services.models, services.transparency, services.metrics, log
    )
    while not stop.asked.is_set():
        try:
            await audit.run(stop.asked)
        except Exception:  # as above: what the audit cannot bear is no reason to stop serving
            log.exception("the audit failed", again_in_s=RESTART_SECONDS[1])
            await stop.within(RESTART_SECONDS[1])


class _Server(uvicorn.Server):
    """Says when it takes requests, and leaves the signals to the process."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def configured(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the interface."""
    return uvicorn.Config(
        app,
        http=Http,
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=FINISH_SECONDS,
        # uvicorn goes through the addresses from the last one, which the nearest proxy has added, to the first that is
        # no proxy's: what a client itself puts before them is not looked at. Left to itself it believes who is local.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[form for proxies in settings.trusted_proxies for form in _forms(proxies)],
    )


def _forms(network: str) -> Iterator[str]:
    """The network as its addresses are told: of IPv4 also as a socket for both families tells them."""
    yield network
    parsed = ip_network(network)
    if parsed.version == 4:
        yield f"::ffff:{parsed.network_address}/{96 + parsed.prefixlen}"


async def _interface(
    settings: Settings, services: Services, listener: socket.socket, stop: Stop, ready: Callable[[], None]
) -> None:
    config = configured(create_app(settings, services), settings)
    server = _Server(config, ready)
    serving = asyncio.create_task(server.serve([listener]))
    asked = asyncio.create_task(stop.asked.wait())
    await asyncio.wait((serving, asked), return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    try:
        await serving
    except SystemExit as error:
        # How uvicorn says that the application did not start; it has logged why.
        raise ServeError("the interface could not start; the log says why") from error
