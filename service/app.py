"""The application: its operations and middleware, over the given services."""

import gc
from copy import copy
from functools import cache
from importlib.metadata import version
from typing import Any

from litestar import Litestar, Response
from litestar.connection import Request as LitestarRequest
from litestar.datastructures import State
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.types import ASGIApp

from service.config import Settings
from service.http.context import InterfaceServices, ServiceContext
from service.http.fast_path import FastPath
from service.http.middleware.admit import Admit
from service.http.middleware.cors import Cors
from service.http.middleware.exact_paths import ExactPaths
from service.http.middleware.observe import Observe
from service.http.operation import operation_of
from service.http.operations import (
    actions,
    audits,
    disputes,
    events,
    export,
    friends,
    games,
    health,
    leaving,
    ledgers,
    log,
    pages,
    players,
    specification,
    streams,
    tables,
    tokens,
    webhooks,
)
from service.http.prepare import prepare
from service.http.problem_answers import problem_response
from service.http.problems import Problem, problem_of
from service.http.quotas import Quotas, Tariff
from service.http.request import Request

VERSION = version("codille")
"""The package's version, which is also that of the interface's document."""

REQUESTS_UNDER_WAY = 20_000
"""The number of new objects that triggers a garbage collection: those of some 400 concurrent requests."""

RESOURCES = (
    players, tokens, webhooks, games, tables, friends, leaving, actions, events, audits, disputes, export, ledgers,
    streams, log, specification, health,
)  # fmt: skip

OPERATIONS = tuple(handler for resource in RESOURCES for handler in resource.HANDLERS)
"""All operations of the interface."""

TARIFF = Tariff(declared for handler in OPERATIONS if (declared := operation_of(handler)) is not None)


class Application(Litestar):
    """Litestar without its default plugins: they import Pydantic if it is installed, which takes long."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(settings: Settings, services: InterfaceServices) -> Litestar:
    """The interface over these services, as an ASGI application. Its state has the `quotas`; None without a limit."""
    app = _application((*OPERATIONS, *pages.HANDLERS), settings, services)
    quotas = None if settings.rate_limit is None else Quotas(settings, TARIFF, services.quota)
    app.state["quotas"] = quotas
    app.asgi_handler = _surrounded(ExactPaths(FastPath(app, refusal=_answer)), settings, services, quotas)
    return app


def create_operations_app(settings: Settings, services: InterfaceServices) -> Litestar:
    """Metrics and health of these services, as an ASGI application without limits."""
    app = _application(health.AT_METRICS_ADDRESS, settings, services)
    app.asgi_handler = Observe(ExactPaths(app.asgi_handler), services.log, services.metrics)
    return app


def _application(handlers: tuple[Any, ...], settings: Settings, services: InterfaceServices) -> Litestar:
    app = copy(_routed(handlers))
    app.state = State({"services": ServiceContext(settings, services)})
    return app


@cache
def _routed(handlers: tuple[Any, ...]) -> Litestar:
    """An application without services. Routes are most of the cost of one, so all applications of a process share them.

    A request's scope refers to the application that was called: a copy with its own state.
    """
    return Application(
        route_handlers=handlers,
        request_class=Request,
        before_request=_prepare,
        exception_handlers={Exception: _answer},
        openapi_config=None,
        on_startup=[_collect_garbage_seldom],
        logging_config=None,
        debug=False,
        request_max_body_size=None,
    )


def _collect_garbage_seldom() -> None:
    """Excludes existing objects from garbage collections, and makes collections rarer in a serving process.

    Next to nothing here is in cycles. With Python's own threshold, however, requests in progress survive a collection
    or two, count as long-lived, and so cause scans of the whole process again and again: a third of a view's time.
    """
    gc.freeze()
    gc.set_threshold(REQUESTS_UNDER_WAY)


def _surrounded(app: ASGIApp, settings: Settings, services: InterfaceServices, quotas: Quotas | None) -> ASGIApp:
    """The application within its middleware, which also sees requests that match no route."""
    admit = Admit(app, quotas, services.bearers, services.metrics)
    return Observe(Cors(admit, settings.cors_origins), services.log, services.metrics)


async def _prepare(request: LitestarRequest[Any, Any, Any]) -> None:
    """Prepares a request that Litestar routed, before Litestar reads the operation's own parameters."""
    declared = operation_of(request.route_handler)
    if declared is not None and isinstance(request, Request):
        request.prepared = await prepare(request, declared, request.route_handler)


def _answer(request: LitestarRequest[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The response to an exception: its problem, or 500 and a log entry for a bug."""
    problem = problem_of(error)
    if problem is None:
        services: ServiceContext = request.app.state["services"]
        services.log.error("request failed", exc_info=error)
        problem = Problem("internal", "the failure is in the log")
    return problem_response(problem, request.scope)
