"""What the parts around a request tell each other about it."""

from typing import TYPE_CHECKING, Any, cast

from litestar.types import Message, Receive, Scope, Send

from service.errors import MEDIA_TYPE, Problem

if TYPE_CHECKING:
    from service.store.accounts import Bearer, Player

KEY = "codille"

OPERATIONS = ("/health/", "/metrics")
"""Paths for whoever runs the service: neither limited nor authenticated, and not worth a line in the log."""


class Exchange:
    """One request and its answer: its id, who calls, which table it is about, headers to add."""

    __slots__ = ("address", "bearer", "headers", "player", "request_id", "table", "token")

    def __init__(self, request_id: str, address: str, token: bytes | Problem | None = None) -> None:
        self.request_id = request_id
        self.address = address
        self.headers: list[tuple[bytes, bytes]] = []
        self.token = token
        """The SHA-256 of the token that the request carries, or what is wrong with it."""
        self.bearer: Bearer | None = None
        self.table: str | None = None
        self.player: Player | None = None
        """The player that the path names, once looked up."""


def exchange_of(scope: Scope) -> Exchange:
    """The exchange of a request that came through the middleware."""
    return cast("Exchange", cast("dict[str, Any]", scope)[KEY])


def header(scope: Scope, name: bytes) -> bytes | None:
    """A request's header by its lower-case name."""
    for key, value in scope["headers"]:
        if key == name:
            return value
    return None


def for_operations(scope: Scope) -> bool:
    """Whether the request is for whoever runs the service."""
    return scope["path"].startswith(OPERATIONS)


async def answer_problem(problem: Problem, _receive: Receive, send: Send) -> None:
    """Answers with the problem document."""
    body = problem.body()
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
    ]
    start: Message = {"type": "http.response.start", "status": problem.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": False})
