"""The short way to the few operations that receive nearly all requests.

Litestar takes longer to find a handler and its arguments than a view takes. So plain requests for operations declared
`fast` skip its routing; all others go through it to the same functions.
"""

import re
from collections.abc import Iterable
from typing import Any

from litestar.types import HTTPScope

from service.http.operation import Operation
from service.http.request import Request

_PREFIX = "/v1/tables/"
_TABLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HOST = re.compile(rb"[0-9A-Za-z.:-]*")


class ShortWay:
    """Knows the `fast` ones of these operations by method and path."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._routes: dict[tuple[str, str], tuple[Operation, str]] = {}
        for one in operations:
            if one.fast:
                template = one.route.replace("{table:uuid}", "{table}")
                self._routes[one.method, template.removeprefix(_PREFIX + "{table}")] = one, template

    def route(self, request: Request, scope: HTTPScope) -> tuple[Operation, dict[str, Any]] | None:
        """The operation of a plain request, and the fields of the request that follow from its path; None for other
        requests.

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
        operation, template = route
        return operation, {"table": table, "parameters": {"table": table}, "template": template}
