"""The fast path to the few operations that receive nearly all requests.

Litestar takes longer to find a handler and its arguments than a view takes. So plain requests for operations declared
`fast` skip its routing; all others go through it to the same functions.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias, cast
from uuid import UUID

from litestar import Litestar, Response
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from msgspec import Struct

from service.http.operation import Handler, Operation, operation_of
from service.http.prepare import prepare
from service.http.request import Request
from service.http.request_context import context_of

Refusal: TypeAlias = "Callable[[Request, Exception], Response[Any]]"

_PREFIX = "/v1/tables/"
_TABLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HOST = re.compile(rb"[0-9A-Za-z.:-]*")


class _Id(UUID):
    """A UUID that keeps its text."""

    __slots__ = ("text",)

    text: str

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # UUIDs are immutable; the library sets their attributes in this way.
        object.__setattr__(self, "text", text)

    def __str__(self) -> str:
        return self.text


_id = lru_cache(maxsize=10_000)(_Id)
"""The id in a path. Cached, as Litestar caches paths: most requests are for a table that was just requested."""


class _Route(Struct, frozen=True):
    handler: HTTPRouteHandler
    operation: Operation
    function: Handler
    template: str


class FastPath:
    """Answers plain requests for `fast` operations, and passes all others to the application.

    A plain request has a table's id in lower case, no query and no repeated header. `refusal` makes the response to an
    exception.
    """

    def __init__(self, app: Litestar, *, refusal: Refusal) -> None:
        self._app: ASGIApp = app.asgi_handler
        self._refusal = refusal
        self._routes = {
            (method, route.path_format.removeprefix(_PREFIX + "{table}")): _Route(
                handler, declared, handler.opt["function"], route.path_format
            )
            for route in app.routes
            if isinstance(route, HTTPRoute)
            for method, (handler, _) in route.route_handler_map.items()
            if (declared := operation_of(handler)) is not None and declared.fast
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route(scope) if scope["type"] == ScopeType.HTTP else None
        if route is None:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive, send)
        try:
            response = await route.function(await prepare(request, route.operation, route.handler))
        except Exception as error:  # every exception has a response
            response = self._refusal(request, error)
        await response.to_asgi_response(None, request)(scope, receive, send)

    def _route(self, scope: HTTPScope) -> _Route | None:
        """The route of a plain request, stored in the scope as Litestar would; None for other requests."""
        path = scope["path"]
        table, rest = path[len(_PREFIX) : len(_PREFIX) + 36], path[len(_PREFIX) + 36 :]
        route = self._routes.get((scope["method"], rest))
        if (
            route is None
            or scope["query_string"]
            or scope.get("root_path")
            or not path.startswith(_PREFIX)
            or not _TABLE.fullmatch(table)
        ):
            return None
        context = context_of(scope)
        if context.repeated or not _HOST.fullmatch(context.headers.get(b"host", b"")):
            return None
        scope["route_handler"] = route.handler
        scope["path_template"] = route.template
        scope["path_params"] = cast("dict[str, Any]", {"table": _id(table)})
        return route
