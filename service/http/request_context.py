"""What the parts around a request tell each other about it."""

import re
from typing import TYPE_CHECKING

from litestar.types import Message, Receive, Scope, Send

from service.auth.secrets import digest
from service.commands.ids import new_id
from service.http.problems import MEDIA_TYPE, Problem, unauthenticated

if TYPE_CHECKING:
    from service.store.accounts import Bearer, PlayerProfile

KEY = "codille"

OPERATIONS = ("/health/", "/metrics")
"""Paths for whoever runs the service: neither limited nor authenticated, and not worth a line in the log."""

LISTS = frozenset({b"if-match", b"if-none-match"})
"""Headers whose list of values may stand in several lines (RFC 9110, 5.3)."""

_GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class Exchange:
    """One request and its answer: its id, who calls, which table it is about, headers to add."""

    __slots__ = ("address", "bearer", "given", "headers", "player", "repeated", "request_id", "table", "token")

    def __init__(self, scope: Scope) -> None:
        headers = tuple(scope["headers"])
        self.given = dict(reversed(headers))
        """The request's headers by their lower-case names; of several of one name the first."""
        self.repeated = len(self.given) < len(headers)
        """Whether a header was given more than once."""
        if self.repeated:
            scope["headers"] = headers = _joined(headers)
            self.given = dict(reversed(headers))
        own = self.given.get(b"x-request-id")
        self.request_id = own.decode() if own is not None and _GIVEN_ID.fullmatch(own) else new_id()
        client = scope.get("client")
        self.address = client[0] if client else "local"
        self.headers: list[tuple[bytes, bytes]] = []
        """To be added to the answer."""
        self.token = _token(scope)
        """The SHA-256 of the token that the request carries, or what is wrong with it."""
        self.bearer: Bearer | None = None
        self.table: str | None = None
        self.player: PlayerProfile | None = None
        """The player that the path names, once looked up."""


def exchange_of(scope: Scope) -> Exchange:
    """The exchange of a request that came through the middleware."""
    exchange: Exchange = scope[KEY]  # type: ignore[literal-required]  # a key of our own
    return exchange


def header(scope: Scope, name: bytes) -> bytes | None:
    """A request's header by its lower-case name."""
    return exchange_of(scope).given.get(name)


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


def _joined(headers: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[bytes, bytes], ...]:
    """The headers, with each list in one line."""
    lists: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        if name in LISTS:
            lists.setdefault(name, []).append(value)
    rest = (line for line in headers if line[0] not in LISTS)
    return (*rest, *((name, b", ".join(values)) for name, values in lists.items()))


def _token(scope: Scope) -> bytes | Problem | None:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if not given:
        return None
    scheme, _, secret = given[0].decode("latin-1").partition(" ")
    found = digest(secret.strip()) if len(given) == 1 and scheme.lower() == "bearer" else None
    return found or unauthenticated("the Authorization header must be: Bearer, a space, a token", presented=True)
