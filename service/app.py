"""The application: routes, conventions and what surrounds them, over the services it is given."""

import gc
from typing import Any, cast

from litestar import Litestar, Response, Router
from litestar.connection import Request
from litestar.datastructures import State
from litestar.types import ASGIApp, ControllerRouterHandler

from service.config import Settings
from service.http import guards
from service.http.content_negotiation import JSON, acceptable
from service.http.context import Edge, Needs
from service.http.fast_path import Direct
from service.http.middleware.authenticate import Authenticate
from service.http.middleware.limit import Limit, Limiter
from service.http.middleware.observe import Observe
from service.http.operations import (
    actions,
    audits,
    disputes,
    events,
    export,
    games,
    health,
    ledgers,
    log,
    pages,
    players,
    specification,
    tables,
    tokens,
)
from service.http.problems import MEDIA_TYPE, Problem, problem_of
from service.http.query import check_query
from service.http.request import Ask
from service.http.responses import Reply

VERSION = "1.0.0"
"""Of the interface, not of the program."""

REQUESTS_UNDER_WAY = 20_000
"""How many objects may come up before Python looks for garbage among them: those of some 400 requests at once."""

RESOURCES = (players, tokens, games, tables, actions, events, audits, disputes, export, ledgers, log)

UNDOCUMENTED = (*specification.HANDLERS, *pages.HANDLERS)
"""Beside the interface: its document, and the pages for people."""


def routes() -> list[ControllerRouterHandler]:
    """All operations of the interface, on their paths."""
    handlers = [handler for resource in RESOURCES for handler in resource.HANDLERS]
    return [
        Router("/v1", route_handlers=handlers, before_request=_check, request_class=Ask),
        Router("/", route_handlers=health.HANDLERS, request_class=Ask),
    ]


def create_app(settings: Settings, services: Needs) -> Litestar:
    """The interface over these services, as an ASGI application."""
    edge = Edge(settings, services)
    app = Litestar(
        route_handlers=[*routes(), Router("/", route_handlers=UNDOCUMENTED, request_class=Ask)],
        exception_handlers={Exception: _answer},
        openapi_config=None,
        state=State({"edge": edge}),
        on_startup=[_look_seldom_for_garbage],
        logging_config=None,
        debug=False,
        request_max_body_size=None,
    )
    app.asgi_handler = _surrounded(Direct(app, check=_check, refusal=_answer), settings, services)
    return app


def _look_seldom_for_garbage() -> None:
    """Leaves what is there for good out of garbage collections, and has a process that serves make fewer of them.

    Next to nothing here is in cycles. But with Python's own threshold the requests under way outlive a collection or
    two, count as kept for long, and so have the whole process looked through again and again: a third of a view's time.
    """
    gc.freeze()
    gc.set_threshold(REQUESTS_UNDER_WAY)


def _surrounded(app: ASGIApp, settings: Settings, services: Needs) -> ASGIApp:
    """The application within its middleware, which also sees requests that no route takes."""
    app = Authenticate(app, services.bearers)
    if settings.rate_limit is not None:
        app = Limit(app, Limiter(settings.rate_limit, services.quota), services.bearers)
    return Observe(app, services.log, services.metrics)


async def _check(request: Request[Any, Any, Any]) -> None:
    """Guards, then media type and query; of a request with a body those come after it was read."""
    await guards.check(cast("Ask", request))
    handler = request.route_handler
    if "data" not in handler.parsed_fn_signature.parameters:
        acceptable(request, *handler.opt.get("media_types", (JSON,)))
        check_query(request.scope, handler)


def _answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answers an exception with its problem document; a mistake of ours with 500, and in the log."""
    problem = problem_of(error)
    if problem is None:
        cast("Edge", request.app.state["edge"]).log.error("request failed", exc_info=error)
        problem = Problem("internal", "the failure is in the log")
    return Reply(problem.body(), status=problem.status, media_type=MEDIA_TYPE, headers=problem.headers)
