"""The short way to the few operations that receive nearly all requests.

Litestar takes longer to find a handler and its arguments than a view takes. So plain requests for operations declared
`fast` skip its routing; all others go through it to the same functions.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from litestar.handlers import HTTPRouteHandler
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


class Routed(NamedTuple):
    """The route of a plain request, and the fields of the request that follow from its path."""

    route: Route
    fields: dict[str, Any]


class ShortWay:
    """Knows the `fast` ones of these operations by method and path."""

    def __init__(self, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._routes: dict[tuple[str, str], Route] = {}
        for handler in handlers:
            declared = operation_of(handler)
            if declared is not None and declared.fast:
                template = declared.route.replace("{table:uuid}", "{table}")
                route = Route(handler, declared, handler.opt["function"], template)
                self._routes[declared.method, template.removeprefix(_PREFIX + "{table}")] = route

    def route(self, request: Request, scope: HTTPScope) -> Routed | None:
        """The route of a plain request; None for other requests.

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
        return Routed(route, {"table": table, "parameters": {"table": table}, "template": route.template})
