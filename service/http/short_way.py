"""The short way to the few operations that receive nearly all requests.

Litestar takes longer to find a handler and its arguments than a view takes. So plain requests for operations declared
`fast` skip its routing; all others go through it to the same functions.
"""

import re

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPScope
from msgspec import Struct

from service.http.operation import Handler, Operation, operation_of
from service.http.request import Request

_PREFIX = "/v1/tables/"
_TABLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HOST = re.compile(rb"[0-9A-Za-z.:-]*")


class Route(Struct, frozen=True):
    """An operation at the end of the short way."""

    handler: HTTPRouteHandler
    operation: Operation
    function: Handler
    template: str


class ShortWay:
    """Knows the `fast` operations of an application by method and path."""

    def __init__(self, app: Litestar) -> None:
        self._routes = {
            (method, route.path_format.removeprefix(_PREFIX + "{table}")): Route(
                handler, declared, handler.opt["function"], route.path_format
            )
            for route in app.routes
            if isinstance(route, HTTPRoute)
            for method, (handler, _) in route.route_handler_map.items()
            if (declared := operation_of(handler)) is not None and declared.fast
        }

    def route(self, request: Request, scope: HTTPScope) -> tuple[Route, str] | None:
        """The route of a plain request, and the table in its path; None for other requests.

        A plain request has a table's id in lower case, no query and no repeated header.
        """
        path = request.path
        table, rest = path[len(_PREFIX) : len(_PREFIX) + 36], path[len(_PREFIX) + 36 :]
        route = self._routes.get((scope["method"], rest))
        if (
            route is None
            or request.query
            or request.repeated
            or scope.get("root_path")
            or not path.startswith(_PREFIX)
            or not _TABLE.fullmatch(table)
            or not _HOST.fullmatch(request.headers.get(b"host", b""))
        ):
            return None
        return route, table
