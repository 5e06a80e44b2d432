"""Responses to problems: a document for programs, a page for a person at a browser."""

import asyncio
from collections.abc import Awaitable, Callable

from litestar.enums import ScopeType
from litestar.types import Scope
from structlog.typing import FilteringBoundLogger

from service.http.content_negotiation import acceptable
from service.http.problems import MEDIA_TYPE, Problem, problem_of
from service.http.request import request_of
from service.http.responses import BytesResponse
from service.pages import ERROR_HEADERS, HTML, error_page

DELAY_S = 1.0
"""Seconds for which a 429 response is delayed: a client that ignores it then costs next to nothing."""

DELAYED = 256
"""The most responses delayed at once, so that they do not take all connections of a proxy in front."""


class Delays:
    """Delays refusals. `pause` sleeps for a number of seconds."""

    def __init__(self, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._pause, self._delayed = pause, 0

    async def wait(self) -> None:
        """Delays a refusal, unless many others are being delayed."""
        if self._delayed < DELAYED:
            self._delayed += 1
            try:
                await self._pause(DELAY_S)
            finally:
                self._delayed -= 1


def response_to(error: Exception, scope: Scope, log: FilteringBoundLogger) -> BytesResponse:
    """The response to an exception: its problem, or 500 and a log entry for a bug."""
    problem = problem_of(error)
    if problem is None:
        log.error("request failed", exc_info=error)
        problem = Problem("internal", "the failure is in the log")
    return problem_response(problem, scope)


def problem_response(problem: Problem, scope: Scope) -> BytesResponse:
    """A page if the client prefers one and the path is outside the interface; otherwise a problem document."""
    of_interface = f"{scope['path']}/".startswith("/v1/")  # only programs call it
    if not of_interface and _prefers_page(scope):
        document = problem.document
        body, media_type = error_page(document.status, document.title, document.detail, document.code), HTML
        own = ERROR_HEADERS
    else:
        body, media_type, own = problem.body(), MEDIA_TYPE, {}
    vary = {} if of_interface else {"Vary": "Accept, Authorization"}
    return BytesResponse(body, status=problem.status, media_type=media_type, headers={**problem.headers, **vary, **own})


def _prefers_page(scope: Scope) -> bool:
    """Whether the client prefers HTML to JSON; one without a preference is a program."""
    if scope["type"] != ScopeType.HTTP:
        return False
    try:
        return acceptable(request_of(scope).lines, (MEDIA_TYPE, "text/html")) == "text/html"
    except Problem:
        return False
