"""The outermost middleware: request ids, metrics, headers, the last resort, and a log line a request at `debug`."""

import asyncio
import logging
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from structlog.contextvars import STRUCTLOG_KEY_PREFIX
from structlog.typing import FilteringBoundLogger

from service.http.problem_answers import answer_problem
from service.http.problems import Problem, unavailable
from service.http.request_context import KEY, RequestContext
from service.observability.metrics import Metrics

if TYPE_CHECKING:
    from litestar.types import HTTPResponseStartEvent

UNROUTED = "unrouted"
"""The route of a request that matches none, so that paths made up by clients get no metrics of their own."""

REQUEST_ID: ContextVar[str] = ContextVar(f"{STRUCTLOG_KEY_PREFIX}request_id")
"""Added to every log entry while the request is handled: structlog merges variables with this prefix. Setting it takes
a tenth of the time of structlog's own binding, which looks through all variables.
"""


class Observe:
    """Gives each request an id, logs and measures its response, and answers every unhandled exception."""

    def __init__(self, app: ASGIApp, log: FilteringBoundLogger, metrics: Metrics) -> None:
        self._app = app
        # Bound once: an unbound logger makes its methods again for every entry.
        self._log: FilteringBoundLogger = log.bind()
        # A line for every request would let any client fill the disk. Actions have lines of their own.
        self._each = self._log.is_enabled_for(logging.DEBUG)
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        context = RequestContext(scope)
        cast("dict[str, Any]", scope)[KEY] = context
        bound = REQUEST_ID.set(context.request_id)
        method: str = scope["method"]
        bodiless = method == "HEAD"
        if bodiless:
            context.bodiless = True
            # Every GET route answers HEAD with the same headers. The server's own scope stays unchanged, as the server
            # relies on it.
            scope = cast("HTTPScope", dict(scope) | {"method": "GET"})
        status = 0

        async def send_observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _complete(message, scope, context)
            elif bodiless and message["type"] == "http.response.body":
                message = {"type": "http.response.body", "body": b"", "more_body": message["more_body"]}
            await send(message)

        try:
            await self._app(scope, receive, send_observed)
        except asyncio.CancelledError:
            # The process is stopping. The request may or may not have been carried out, as after any outage.
            if status:
                # A response that has begun cannot be replaced: the server ends the connection.
                return
            await answer_problem(unavailable("the service is stopping"), scope, receive, send_observed)
        except Exception:  # the client gets a response, and the log the traceback
            self._log.exception("request failed", method=method, route=_route(scope))
            if status:
                raise
            await answer_problem(Problem("internal", "the failure is in the log"), scope, receive, send_observed)
        finally:
            self._record(scope, context, method, status, time.perf_counter() - started - context.waited_s)
            REQUEST_ID.reset(bound)

    def _record(self, scope: HTTPScope, context: RequestContext, method: str, status: int, seconds: float) -> None:
        route = _route(scope)
        self._metrics.request(method, route, status, seconds)
        if self._each and not context.for_operator:
            self._log.debug(
                "request",
                method=method,
                route=route,
                status=status,
                duration_ms=round(seconds * 1000, 3),
                player=context.bearer.player if context.bearer else None,
                table=context.table,
            )


def _complete(message: "HTTPResponseStartEvent", scope: HTTPScope, context: RequestContext) -> None:
    """Adds the headers that every response has, unless it has its own."""
    headers = list(message["headers"])
    named = {name for name, _ in headers}
    if b"cache-control" not in named:
        private = scope["method"] != "GET" or b"authorization" in context.headers
        headers.append((b"cache-control", b"no-store" if private else b"no-cache"))
    if b"vary" not in named:
        headers.append((b"vary", b"Authorization"))
    if b"allow" in named:
        headers = [(name, _allowed(scope, value) if name == b"allow" else value) for name, value in headers]
    headers.append((b"x-content-type-options", b"nosniff"))
    headers.append((b"x-request-id", context.request_id.encode()))
    headers.extend(context.answer_headers)
    message["headers"] = headers


def _allowed(scope: HTTPScope, named: bytes) -> bytes:
    """The methods of the path: every GET route answers HEAD, and OPTIONS names those of all the path's handlers."""
    methods = {method.strip() for method in named.decode().split(",")}
    if scope["method"] == "OPTIONS":
        # Litestar names only those of the handler that was registered first.
        template = _route(scope)
        methods |= {
            method
            for route in scope["litestar_app"].routes
            if route.path_format == template and isinstance(route, HTTPRoute)
            for method in route.methods
        }
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods)).encode()


def _route(scope: Scope) -> str:
    return str(cast("dict[str, Any]", scope).get("path_template", UNROUTED))
