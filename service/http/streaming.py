"""Answers that go on: the frames of a stream, until the client leaves or the service ends it."""

import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.http.limits import key_of
from service.http.request import PreparedRequest
from service.http.request_context import context_of
from service.live.stream import Listener
from service.observability.metrics import StreamKind

HEADERS = ((b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"))
"""No cache keeps a stream, and nginx passes it on as it comes."""


class StreamResponse(Response[bytes]):
    """An answer in pieces, of which the first is there. It waits for the client to read each of them."""

    def __init__(self, first: bytes, rest: AsyncIterator[bytes], media_type: str) -> None:
        # Not Litestar's, as in `BytesResponse`.
        self._first = first
        self._rest = rest
        self.media_type = media_type
        self.status_code = 200

    def to_asgi_response(self, *_: Any, **_others: Any) -> ASGIResponse:
        """Itself: it is what sends the answer."""
        return cast("ASGIResponse", self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (as ASGI has it)
        context, began = context_of(scope), time.perf_counter()
        headers = [*HEADERS, (b"content-type", str(self.media_type).encode())]
        try:
            async with aclosing(cast("Any", self._rest)):
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                if not context.bodiless:
                    piece, self._first = self._first, b""
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    # Nothing holds a piece that is sent while the next one is waited for.
                    del piece
                    async for piece in self._rest:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                        del piece
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            context.held_s = time.perf_counter() - began


def listener_of(request: PreparedRequest) -> Listener:
    """Who reads the stream that is asked for."""
    bearers, token = request.services.bearers, request.context.token

    async def valid() -> bool:
        return token is None or bearers.remembered(token) is not None or await bearers.of(token) is not None

    return Listener(request.player, request.media_type, valid, request.gone, request.services.live.pings)


async def streamed(
    request: PreparedRequest, kind: StreamKind, listener: Listener, pieces: AsyncIterator[bytes]
) -> Response[bytes]:
    """The stream as an answer. Raises TooManyHeld, and what comes before the first piece."""
    counted = _counted(request, kind, listener, pieces)
    return StreamResponse(await anext(counted), counted, request.media_type)


async def _counted(
    request: PreparedRequest, kind: StreamKind, listener: Listener, pieces: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """The pieces, in one of the places that the caller has."""
    live, metrics = request.services.live, request.services.metrics
    with live.places.taken(key_of(request.context.address), request.player):
        metrics.stream_opened(kind)
        try:
            async with aclosing(cast("Any", pieces)):
                async for piece in pieces:
                    metrics.stream_wrote(kind, len(piece))
                    yield piece
                    del piece
        finally:
            metrics.stream_ended(kind, listener.ended)
