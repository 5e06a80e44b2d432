"""Cross-origin requests (Fetch, 3.2): which other origins' pages may call the service, and what they may read.

Nothing depends on cookies, so no response allows credentials.
"""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.request_context import RequestContext, context_of

ANY = "*"

EXPOSED = ("ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed")
"""The response headers that a page may read, beside those that the standard allows."""

SENT = (
    "Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID",
    "X-Request-Id",
)  # fmt: skip
"""The request headers that a page may send."""

METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS")

PREFLIGHT_S = 7200
"""Seconds for which a browser may cache a preflight; browsers have shorter limits of their own."""

_EXPOSED = (b"access-control-expose-headers", ", ".join(EXPOSED).encode())
_PREFLIGHT = (
    (b"access-control-allow-methods", ", ".join(METHODS).encode()),
    (b"access-control-allow-headers", ", ".join(SENT).encode()),
    (b"access-control-max-age", str(PREFLIGHT_S).encode()),
)


class Cors:
    """Adds the headers of cross-origin requests to every response, including refusals, except on operator paths.

    A preflight is handled like any other OPTIONS request.
    """

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        """`origins` are the allowed ones, as browsers write them; `*` allows any, and () none."""
        self._app = app
        self._any = ANY in origins
        self._origins = frozenset(origin.encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and self._origins:
            context = context_of(scope)
            if not context.for_operator:
                self._allow(context, preflight=scope["method"] == "OPTIONS")
        await self._app(scope, receive, send)

    def _allow(self, context: RequestContext, *, preflight: bool) -> None:
        origin, headers = context.headers.get(b"origin"), context.answer_headers
        if not self._any:
            # A cache must not serve one origin's response to another.
            headers.append((b"vary", b"Origin"))
        if origin is None or not (self._any or origin in self._origins):
            return
        headers.append((b"access-control-allow-origin", b"*" if self._any else origin))
        headers.append(_EXPOSED)
        if preflight and b"access-control-request-method" in context.headers:
            headers.extend(_PREFLIGHT)
