"""Paths are matched literally, so that proxies, caches and quotas see one address for each resource."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.problem_answers import answer_problem
from service.http.problems import Problem


class ExactPaths:
    """Answers 404 where Litestar would normalise the path: with `%`, `//` or a trailing slash.

    No path of the service needs any of these.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not _exact(scope):
            await answer_problem(Problem("no-such-route", "nothing is served at this address"), scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _exact(scope: HTTPScope) -> bool:
    path = scope["raw_path"]
    return b"%" not in path and b"//" not in path and (path[-1:] != b"/" or path == b"/")
