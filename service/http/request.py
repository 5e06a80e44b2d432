"""A request: one frozen value, which becomes complete on its way through the edge."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from litestar import Request as LitestarRequest
from litestar.datastructures import State
from litestar.types import HTTPScope, Receive, Scope
from msgspec import Struct

from service.auth.bearers import digest
from service.compute.heavy_reads import Spending
from service.http.charges import Taken
from service.http.interface import Interface
from service.http.problems import unauthenticated
from service.limits.addresses import keys_of
from service.moments import new_id
from service.services import Services
from service.store.accounts import Bearer, PlayerProfile
from service.store.store import Receipt

KEY = "codille"

SUFFIX = ".svg"
"""The suffix of tables' pictures."""

OPERATOR_PATHS = ("/health/",)
"""Paths for the operator: neither authenticated nor logged, and for no other origin's pages."""

WITHOUT_TOKEN = (*OPERATOR_PATHS, "/oauth/")
"""Paths at which no token is looked at: OAuth's own endpoints say by themselves that they take none."""

LISTS = frozenset({b"if-match", b"if-none-match"})
"""Headers whose list of values may be spread over several lines (RFC 9110, 5.3)."""

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class Notes(Struct):
    """What is noted while a request is answered; all else about the request is fixed."""

    headers: list[tuple[bytes, bytes]] = []
    """Headers to add to the response."""
    taken: Taken | None = None
    """What the request has taken from its quotas, once it is to be admitted."""
    table: str = ""
    """The id of the table that the request is about, for its log line."""
    waited_s: float = 0.0
    """Seconds for which the response waited for an event; they do not count as its duration."""
    spending: Spending | None = None
    """Counts what is computed for the request, once anything is."""


class Request(Struct, frozen=True):
    """Everything that guards, operations and responses need of a request, looked up, decoded and checked once.

    `arrived` knows its head. The edge adds the caller, the route, and what it looks up and decodes for the operation.
    """

    services: Services
    interface: Interface
    id: str
    method: str
    path: str
    query: bytes
    """The query as it was sent."""
    headers: Mapping[bytes, bytes]
    """The request's headers by lower-case name; the first one of several with one name."""
    lines: tuple[tuple[bytes, bytes], ...]
    """All headers, in their order."""
    repeated: bool
    """Whether a header was given more than once."""
    address: str
    bodiless: bool
    """Whether the response has no body, because the method is HEAD."""
    for_operator: bool
    """Whether the path is one of the operator's."""
    receive: Receive
    notes: Notes
    player: str = ""
    """The id of the calling player; empty without a token."""
    bearer: Bearer | None = None
    """The caller's token, if there is one."""
    token: bytes | None = None
    """The SHA-256 of that token."""
    template: str = ""
    """The path of the operation, with the names of its parameters."""
    parameters: Mapping[str, Any] = {}
    """The path's parameters by name."""
    table: str = ""
    """The id of the path's table; empty if the path has none."""
    game: str = ""
    """The name of the table's game, in operations that take an act; empty in others."""
    profile: PlayerProfile | None = None
    """The path's player, if a guard looked it up."""
    body: Any = None
    """The body as the operation's type; for an act, the action as defined by the table's rules."""
    receipt: Receipt | None = None
    """Makes the request idempotent, if it has a key."""
    expected: tuple[int, ...] | None = None
    """The versions that If-Match names; None for any."""
    known_tags: tuple[str, ...] | None = None
    """The entity tags that If-None-Match names."""
    last_event_id: int | None = None
    """The place in a stream that Last-Event-ID gives."""
    media_type: str = ""
    """The media type of the response."""
    others: tuple[tuple[str, str], ...] = ()
    """The parameters of an open query beside the operation's own; see `Operation.open_query`."""

    @property
    def spending(self) -> Spending:
        """Counts what is computed for the request, to settle its cost at the end."""
        if self.notes.spending is None:
            # From the widest network to the caller, each within the one before.
            origin = (*reversed(keys_of(self.address)), self.player)
            # Held by the notes, `self.gone` would close a cycle, which is garbage.
            self.notes.spending = Spending(origin, partial(_gone, self.receive))
        return self.notes.spending

    async def gone(self) -> None:
        """Returns when the client is gone. Must not be called before the body was read."""
        await _gone(self.receive)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class RoutedRequest(LitestarRequest[Any, Any, State]):
    """A request on Litestar's way."""

    @property
    def prepared(self) -> Request:
        """The request as the operation takes it."""
        return request_of(self.scope)


def arrived(scope: HTTPScope, receive: Receive, services: Services, interface: Interface) -> tuple[Request, HTTPScope]:
    """The request by its head, which is all that is known before it is admitted, and the scope to be routed, with it.

    The server's own scope stays unchanged, as the server relies on it.
    """
    routed: dict[str, Any] = {}
    method, path, client = scope["method"], scope["path"], scope.get("client")
    if method == "HEAD":
        # Every GET route answers it with the same headers.
        routed["method"] = "GET"
    if path.startswith("/v1/tables/") and path.endswith(SUFFIX):
        # Parameters fill whole segments. No client can send such a segment, which begins with a dot.
        routed["path"] = path = f"{path.removesuffix(SUFFIX)}/{SUFFIX}"
    lines = tuple(scope["headers"])
    headers = dict(reversed(lines))
    repeated = len(headers) < len(lines)
    if repeated:
        routed["headers"] = lines = _joined(lines)
        headers = dict(reversed(lines))
    own = headers.get(b"x-request-id")
    request = Request(
        services=services,
        interface=interface,
        notes=Notes(),
        id=own.decode() if own is not None and _REQUEST_ID.fullmatch(own) else new_id(),
        method=method,
        path=path,
        query=scope["query_string"],
        headers=headers,
        lines=lines,
        repeated=repeated,
        address=client[0] if client else "local",
        bodiless=method == "HEAD",
        for_operator=path.startswith(OPERATOR_PATHS),
        receive=receive,
    )
    if routed:
        scope = cast("HTTPScope", dict(scope) | routed)
    cast("dict[str, Any]", scope)[KEY] = request
    return request, scope


def token_of(request: Request) -> bytes | None:
    """The SHA-256 of the token that was sent, if there is one. Raises Problem if it has not the form of one."""
    sent = request.headers.get(b"authorization")
    if sent is None:
        return None
    scheme, _, secret = sent.decode("latin-1").partition(" ")
    once = not request.repeated or sum(name == b"authorization" for name, _ in request.lines) == 1
    token = digest(secret.strip()) if once and scheme.lower() == "bearer" else None
    if token is None:
        raise unauthenticated("the Authorization header must be: Bearer, a space, a token", presented=True)
    return token


def request_of(scope: Scope) -> Request:
    """The request of this scope, as far as it is known."""
    return cast("dict[str, Any]", scope)[KEY]  # type: ignore[no-any-return]


def keep(request: Request, scope: Scope) -> None:
    """Makes it the request of this scope."""
    cast("dict[str, Any]", scope)[KEY] = request


def _joined(headers: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[bytes, bytes], ...]:
    """The headers, with each list in one line."""
    lists: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        if name in LISTS:
            lists.setdefault(name, []).append(value)
    rest = (line for line in headers if line[0] not in LISTS)
    return (*rest, *((name, b", ".join(values)) for name, values in lists.items()))
