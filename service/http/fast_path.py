"""The direct way to the few operations that nearly all requests are for.

Litestar takes longer to find a handler and its arguments than a view takes. So requests of the plainest form for
handlers marked with `DIRECT` go there at once; all others take Litestar's way, to the same handlers.
"""

import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, TypeAlias, cast
from uuid import UUID

from litestar import Litestar, Response
from litestar.enums import ParamType, ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from msgspec import Struct

from service.http.request import Ask
from service.http.request_context import exchange_of

DIRECT = {"direct": True}
"""The option of a handler of one table that may be called directly, with the table and its body as only arguments."""

Check: TypeAlias = "Callable[[Ask], Awaitable[None]]"
Refusal: TypeAlias = "Callable[[Ask, Exception], Response[Any]]"

_PREFIX = "/v1/tables/"
_TABLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HOST = re.compile(rb"[0-9A-Za-z.:-]*")


class _Id(UUID):
    """A UUID that keeps its text, which it is mostly asked for."""

    __slots__ = ("text",)

    text: str

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # As the library sets what a UUID holds: to all others it does not change.
        object.__setattr__(self, "text", text)

    def __str__(self) -> str:
        return self.text


_id = lru_cache(maxsize=10_000)(_Id)
"""The id in a path. Remembered, as Litestar remembers paths: a table is asked for many times."""


class _Handler(Struct, frozen=True):
    handler: HTTPRouteHandler
    template: str
    has_body: bool
    parameters: frozenset[bytes]
    """Headers that it takes as arguments."""


class Direct:
    """Answers plain requests for handlers marked `DIRECT`, and leaves all others to the application.

    Before a handler `check` is called, and `refusal` with what it or the handler raises, as Litestar does.
    """

    def __init__(self, app: Litestar, *, check: Check, refusal: Refusal) -> None:
        self._app: ASGIApp = app.asgi_handler
        self._check = check
        self._refusal = refusal
        self._handlers = {
            (method, route.path_format.removeprefix(_PREFIX + "{table}")): _handler(route, handler)
            for route in app.routes
            if isinstance(route, HTTPRoute)
            for method, (handler, _) in route.route_handler_map.items()
            if "direct" in handler.opt
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._handler(scope) if scope["type"] == ScopeType.HTTP else None
        if found is None:
            await self._app(scope, receive, send)
            return
        ask = Ask(scope, receive, send)
        try:
            response = await self._answer(ask, found)
        except Exception as error:  # whatever it is, it has an answer
            response = self._refusal(ask, error)
        await response.to_asgi_response(None, ask)(scope, receive, send)

    def _handler(self, scope: HTTPScope) -> _Handler | None:
        """The handler of a plain request, which the scope then holds as Litestar would have it; else None."""
        path = scope["path"]
        table, rest = path[len(_PREFIX) : len(_PREFIX) + 36], path[len(_PREFIX) + 36 :]
        found = self._handlers.get((scope["method"], rest))
        if (
            found is None
            or scope["query_string"]
            or scope.get("root_path")
            or not path.startswith(_PREFIX)
            or not _TABLE.fullmatch(table)
        ):
            return None
        exchange = exchange_of(scope)
        if (
            exchange.repeated
            or not found.parameters.isdisjoint(exchange.given)
            or not _HOST.fullmatch(exchange.given.get(b"host", b""))
        ):
            return None
        scope["route_handler"] = found.handler
        scope["path_template"] = found.template
        scope["path_params"] = cast("dict[str, Any]", {"table": _id(table)})
        return found

    async def _answer(self, ask: Ask, found: _Handler) -> Response[Any]:
        await self._check(ask)
        given: dict[str, Any] = {"data": await ask.json()} if found.has_body else {}
        response: Response[Any] = await found.handler.fn(request=ask, table=ask.path_params["table"], **given)
        return response


def _handler(route: HTTPRoute, handler: HTTPRouteHandler) -> _Handler:
    fields = handler.parsed_fn_signature.parameters
    told = {name: field.kwarg_definition for name, field in fields.items()}
    headers = frozenset(
        (one.name or name).lower().encode()
        for name, one in told.items()
        if isinstance(one, ParameterKwarg) and one.param_type is ParamType.HEADER
    )
    return _Handler(handler, route.path_format, "data" in fields, headers)
