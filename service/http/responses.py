"""Responses as bytes with their headers: JSON, pieces, files, and problems as documents or as pages for a person."""

import asyncio
import gzip
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any, cast

import msgspec
import structlog
from litestar import Response
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from projections.models import Page, Stored
from service.compute.heavy_reads import Spending
from service.http.charges import BYTE_COST, PER_SECOND, Meter
from service.http.content_negotiation import JSON, acceptable, takes_gzip
from service.http.preconditions import is_unchanged, known_tags
from service.http.problems import MEDIA_TYPE, Problem, problem_of
from service.http.request import Request, request_of
from service.pages import ERROR_HEADERS, HTML, File, error_page

_log = structlog.get_logger()

WORTH_COMPRESSING = 1024
"""Bytes from which a response is compressed if the client accepts that."""

COMPRESSED = ("application/gzip", "application/zip")
"""Media types of what is compressed already."""

DELAY_S = 1.0
"""Seconds for which a 429 response is delayed: a client that ignores it then costs next to nothing."""

DELAYED = 256
"""The most responses delayed at once, so that they do not take all connections of a proxy in front."""

FAST = 1
"""The compression level of content that is made for one request."""


class OwnResponse(Response[bytes]):
    """A response that sends itself. It does without Litestar's constructor, which prepares a rendering."""

    def to_asgi_response(self, *_: Any, **_others: Any) -> ASGIResponse:
        """Returns itself, since it sends the response."""
        return cast("ASGIResponse", self)


class BytesResponse(OwnResponse):
    """A response that sends its bytes unchanged: Litestar's rendering takes ten times as long.

    A response to GET is compressed if the client accepts that, unless it has an entity tag: another encoding of the
    same content needs another tag. Responses to POST, some of which have secrets, are never compressed.
    """

    def __init__(self, body: bytes, *, status: int, media_type: str, headers: Mapping[str, str]) -> None:
        self.content = body
        self.status_code = status
        self.media_type = media_type
        self.headers = dict(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (as ASGI has it)
        content = self.content
        if len(content) >= WORTH_COMPRESSING and "ETag" not in self.headers and scope.get("method") == "GET":
            content = self._encoded(request_of(scope))
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        if self.status_code != 304:
            headers.append((b"content-type", str(self.media_type).encode()))
            headers.append((b"content-length", b"%d" % len(content)))
        await send({"type": "http.response.start", "status": self.status_code or 200, "headers": headers})
        await send({"type": "http.response.body", "body": content, "more_body": False})

    def _encoded(self, request: Request) -> bytes:
        """The content in an encoding that the client accepts, which is added to the headers."""
        self.headers["Vary"] = f"{self.headers.get('Vary', 'Authorization')}, Accept-Encoding"
        if not takes_gzip(request.headers):
            return self.content
        self.headers["Content-Encoding"] = "gzip"
        return gzip.compress(self.content, FAST, mtime=0)


class PiecesResponse(OwnResponse):
    """A response in pieces, the first of which is ready. Each further piece is made when the client has read the last.

    If a piece cannot be made the response breaks off: the server ends the connection before the end of the body, so
    that nobody takes the part for the whole. No more pieces are made once the client is gone.

    Where the quota is used up the response goes on at once, since half of it would be sent again; one that `slows` goes
    on when the quota starts over.
    """

    def __init__(
        self,
        first: bytes,
        rest: AsyncGenerator[bytes, None],
        *,
        media_type: str,
        headers: Mapping[str, str],
        slows: bool = False,
    ) -> None:
        self.media_type = media_type
        self.status_code = 200
        self._slows = slows
        self.headers = dict(headers)
        self._first = first
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (as ASGI has it)
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers.items()]
        headers.append((b"content-type", str(self.media_type).encode()))
        request = request_of(scope)
        gone = asyncio.ensure_future(request.gone())
        meter = None if request.notes.taken is None else request.notes.taken.meter()
        try:
            async with aclosing(self._rest):
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                if not request.bodiless and not await self._sent(send, gone, meter, request.spending):
                    return
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()

    async def _sent(self, send: Send, gone: "asyncio.Future[None]", meter: Meter | None, spending: Spending) -> bool:
        """Sends all pieces, and charges them; False if one cannot be made or the client has gone."""
        piece, self._first = self._first, b""
        try:
            while not gone.done():
                computed = PER_SECOND * spending.take() if self._slows else 0.0
                wait_s = 0 if meter is None else meter.charge(len(piece) * BYTE_COST + computed)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                if self._slows and wait_s:
                    await rest(gone, wait_s)
                piece = await anext(self._rest)
        except StopAsyncIteration:
            return True
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                raise
            _log.warning("an answer broke off", code=problem.code, reason=str(error))
        return False


async def rest(gone: "asyncio.Future[None]", seconds: float) -> None:
    """Returns after so many seconds, or when the client is gone."""
    await asyncio.wait([gone], timeout=seconds)


def json(
    content: object,
    *,
    status: int = 200,
    location: str | None = None,
    replayed: bool = False,
    headers: Mapping[str, str] | None = None,
    version: int | None = None,
) -> Response[Any]:
    """A response with the content as JSON (bytes unchanged), and with the version's entity tag if there is one.

    `location` is the address of what was created. With `replayed` it is the first response to an idempotency key again.
    """
    body = content if isinstance(content, bytes) else msgspec.json.encode(content)
    all_headers = dict(headers or {})
    if location is not None:
        all_headers["Location"] = location
    if replayed:
        all_headers["Idempotency-Replayed"] = "true"
    if version is not None:
        all_headers |= _tagged(version)
    return BytesResponse(body, status=status, media_type=JSON, headers=all_headers)


def at_version(
    stored: Stored,
    known: tuple[str, ...] | None,
    *,
    media_type: str = JSON,
    headers: Mapping[str, str] | None = None,
) -> Response[Any]:
    """A response with a table's resource, or 304 if the client has it."""
    headers = {**_tagged(stored.version), **(headers or {})}
    if known is not None and is_unchanged(known, headers["ETag"]):
        return BytesResponse(b"", status=304, media_type=media_type, headers=headers)
    return BytesResponse(stored.body, status=200, media_type=media_type, headers=headers)


def _tagged(version: int) -> dict[str, str]:
    """The headers of a response whose entity tag is a table's version.

    Responses to all audiences have that tag. A cache could use one audience's tag to revalidate another's (RFC 9111,
    4.3.1), and browsers do: a player would see what the public saw. So no cache may store any.
    """
    return {"ETag": f'"{version}"', "Cache-Control": "no-store"}


def unless_unchanged(file: File, request: Request) -> Response[Any]:
    """A response with a file, compressed if the client accepts that; or 304 if the client has it. Raises Problem."""
    known, headers = known_tags(request), {}
    if len(file.body) >= WORTH_COMPRESSING and file.media_type not in COMPRESSED:
        headers["Vary"] = "Authorization, Accept-Encoding"
        file = file.gzipped if takes_gzip(request.headers) else file
    headers |= {"ETag": file.etag, **file.headers}
    if known is not None and is_unchanged(known, file.etag):
        return BytesResponse(b"", status=304, media_type=file.media_type, headers=headers)
    return BytesResponse(file.body, status=200, media_type=file.media_type, headers=headers)


def page(listed: Page) -> Response[Any]:
    """A page of items that are JSON already."""
    return json(b'{"items":[%b],"next":%b}' % (b",".join(listed.items), msgspec.json.encode(listed.next)))


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
