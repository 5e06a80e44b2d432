"""Cross-origin requests (Fetch, 3.2): which other origins' pages may call the service, and what they may read.

Nothing depends on cookies, so no response allows credentials.
"""

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

READABLE = (b"access-control-expose-headers", ", ".join(EXPOSED).encode())
PREFLIGHT = (
    (b"access-control-allow-methods", ", ".join(METHODS).encode()),
    (b"access-control-allow-headers", ", ".join(SENT).encode()),
    (b"access-control-max-age", str(PREFLIGHT_S).encode()),
)
