"""Responses to problems: a document for programs, a page for a person at a browser."""

from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from service.http.content_negotiation import acceptable
from service.http.problems import MEDIA_TYPE, Problem, problem_of
from service.http.request import request_of
from service.http.responses import BytesResponse
from service.pages import ERROR_HEADERS, HTML, error_page


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


async def answer_problem(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Sends `problem_response` for the problem."""
    await problem_response(problem, scope)(scope, receive, send)


def _prefers_page(scope: Scope) -> bool:
    """Whether the client prefers HTML to JSON; one without a preference is a program."""
    if scope["type"] != ScopeType.HTTP:
        return False
    try:
        return acceptable(request_of(scope), (MEDIA_TYPE, "text/html")) == "text/html"
    except Problem:
        return False
