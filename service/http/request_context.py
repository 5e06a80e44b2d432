"""One request as seen by the middleware: its id, headers and caller, and headers to add to its response."""

import re
from typing import TYPE_CHECKING, Any, cast

from litestar.types import Scope

from service.moments import new_id

if TYPE_CHECKING:
    from domain.seats import Seat
    from service.http.quotas import Meter
    from service.queries.heavy_reads import Spending
    from service.store.accounts import Bearer, PlayerProfile

KEY = "codille"

OPERATOR_PATHS = ("/health/",)
"""Paths for the operator: neither limited nor authenticated, and not logged."""

LISTS = frozenset({b"if-match", b"if-none-match"})
"""Headers whose list of values may be spread over several lines (RFC 9110, 5.3)."""

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class RequestContext:
    """What is known of one request, filled in order: id and headers, the caller, then what guards look up."""

    __slots__ = (
        "address",
        "answer_headers",
        "bearer",
        "bodiless",
        "for_operator",
        "headers",
        "meter",
        "player",
        "repeated",
        "request_id",
        "seat",
        "spending",
        "table",
        "token",
        "waited_s",
    )

    def __init__(self, scope: Scope) -> None:
        headers = tuple(scope["headers"])
        self.headers = dict(reversed(headers))
        """The request's headers by lower-case name; the first one of several with one name."""
        self.repeated = len(self.headers) < len(headers)
        """Whether a header was given more than once."""
        if self.repeated:
            scope["headers"] = headers = _joined(headers)
            self.headers = dict(reversed(headers))
        own = self.headers.get(b"x-request-id")
        self.request_id = own.decode() if own is not None and _REQUEST_ID.fullmatch(own) else new_id()
        client = scope.get("client")
        self.address = client[0] if client else "local"
        self.answer_headers: list[tuple[bytes, bytes]] = []
        """Headers to add to the response."""
        self.bodiless = False
        """Whether the response has no body, because the method is HEAD."""
        self.waited_s = 0.0
        """Seconds for which the response waited for an event; they do not count as its duration."""
        self.meter: Meter | None = None
        """Charges for work after the request was admitted; None if nothing is limited."""
        self.for_operator = scope["path"].startswith(OPERATOR_PATHS)
        self.bearer: Bearer | None = None
        self.token: bytes | None = None
        """The SHA-256 of the request's token, if it is valid."""
        self.table: str | None = None
        """The id of the path's table, once it is looked up."""
        self.seat: Seat | None = None
        """The caller's seat at that table, once it is looked up."""
        self.player: PlayerProfile | None = None
        """The path's player, once it is looked up."""
        self.spending: Spending | None = None
        """Counts what is computed for the request, once anything is."""


def context_of(scope: Scope) -> RequestContext:
    """The context of a request that came through the middleware."""
    return cast("dict[str, Any]", scope)[KEY]  # type: ignore[no-any-return]


def _joined(headers: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[bytes, bytes], ...]:
    """The headers, with each list in one line."""
    lists: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        if name in LISTS:
            lists.setdefault(name, []).append(value)
    rest = (line for line in headers if line[0] not in LISTS)
    return (*rest, *((name, b", ".join(values)) for name, values in lists.items()))
