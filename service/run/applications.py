"""The applications of one process, served by uvicorn: the interface, and metrics and health for operators."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from typing import Literal

import uvicorn
from litestar.types import ASGIApp

from service.app import create_app, create_operations_app
from service.config import Settings
from service.limits.slots import most_streams
from service.run.connections import Connections, within_descriptors
from service.run.http import Http, ServerConfig
from service.run.serve_error import ServeError
from service.run.stop import Stop
from service.services import Services

FINISH_S = 1
"""Seconds for requests in progress once the process has to stop."""

OPERATORS = 32
"""The most connections at the address of metrics and health."""


async def serve_interface(services: Services, listener: socket.socket, stop: Stop, ready: Callable[[], None]) -> None:
    """Answers clients until `stop`; `ready` is called when it does. Raises ServeError if the interface cannot start."""
    settings, log = services.settings, services.logger
    most = within_descriptors(settings.max_connections, log)
    services.edge.live.slots.most = most_streams(most)
    clients = Connections(settings, services.metrics, log, listener="interface", most=most, quotas=services.edge.quotas)
    await _serve(configured(create_app(services), settings, clients), listener, stop, ready)


async def serve_operations(services: Services, listener: socket.socket, stop: Stop) -> None:
    """Answers requests for metrics and health until `stop`. Raises ServeError if that cannot start."""
    operators = Connections(services.settings, services.metrics, services.logger, listener="metrics", most=OPERATORS)
    operations = configured(create_operations_app(services), services.settings, operators, lifespan="off")
    await _serve(operations, listener, stop)


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
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    try:
        await serving
    except SystemExit as error:
        # uvicorn exits if the application does not start, after logging the reason.
        raise ServeError("the interface could not start; the log says why") from error
