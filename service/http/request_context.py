"""One request as the parts around it know it: its id, its headers, its caller, and headers to add to its answer."""

import re
from typing import TYPE_CHECKING, Any, cast

from litestar.types import Scope

from service.commands.moments import new_id

if TYPE_CHECKING:
    from domain.seats import Seat
    from service.http.quotas import Meter
    from service.queries.heavy_reads import Spending
    from service.store.accounts import Bearer, PlayerProfile

KEY = "codille"

OPERATOR_PATHS = ("/health/",)
"""Paths for the operator: neither limited nor authenticated, and not worth a line in the log."""

LISTS = frozenset({b"if-match", b"if-none-match"})
"""Headers whose list of values may stand in several lines (RFC 9110, 5.3)."""

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class RequestContext:
    """What is known of one request. It is filled from outside in: id and headers, caller, then what guards look up."""

    __slots__ = (
        "address",
        "answer_headers",
        "bearer",
        "bodiless",
        "for_operator",
        "headers",
        "held_s",
        "meter",
        "player",
        "repeated",
        "request_id",
        "seat",
        "spending",
        "table",
        "token",
    )

    def __init__(self, scope: Scope) -> None:
        headers = tuple(scope["headers"])
        self.headers = dict(reversed(headers))
        """The request's headers by their lower-case names; of several of one name the first."""
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
        """To be added to the answer."""
        self.bodiless = False
        """Whether the answer has no body: the method is HEAD."""
        self.held_s = 0.0
        """How long the answer was held until there was something to say; no part of the time that it took."""
        self.meter: Meter | None = None
        """What is charged for what goes on after the request was let in; None where nothing is limited."""
        self.for_operator = scope["path"].startswith(OPERATOR_PATHS)
        self.bearer: Bearer | None = None
        self.token: bytes | None = None
        """The SHA-256 of the token that the request carries, if that is valid."""
        self.table: str | None = None
        """The id of the table that the path names, once it is looked up."""
        self.seat: Seat | None = None
        """The caller's seat at that table, once it is looked up."""
        self.player: PlayerProfile | None = None
        """The player that the path names, once it is looked up."""
        self.spending: Spending | None = None
        """What is computed for the request, where anything may be."""


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
