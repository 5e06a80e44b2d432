"""Responses that continue: the frames of a stream, until the client leaves or the service ends it."""

import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from litestar import Response
from litestar.types import Receive, Scope, Send

from service.http.charges import BYTE_COST, PER_SECOND
from service.http.guards import looks
from service.http.request import Request, request_of
from service.http.responses import OwnResponse
from service.limits.addresses import keys_of
from service.live.frames import begun
from service.live.presence import EVERY_TABLE
from service.live.stream import Subscriber
from service.live.subscription import EarlyEnd, Ending
from service.observability.stream_metrics import StreamKind

HEADERS = ((b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"))
"""No cache stores a stream, and nginx passes it on unbuffered."""


PIECE_COST = 0.3
"""The cost of writing a piece besides its bytes, as measured, in the unit of quotas of cost."""


class StreamResponse(OwnResponse):
    """A response in pieces, the first of which is ready. It waits for the client to read each piece.

    `stream` is left at the end of the response.
    """

    def __init__(self, first: bytes, rest: AsyncIterator[bytes], stream: "_OpenStream") -> None:
        self._first = first
        self._rest = rest
        self._stream = stream
        self.media_type = stream.subscriber.form
        self.status_code = 200

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (as ASGI has it)
        request, began = request_of(scope), time.perf_counter()
        headers = [*HEADERS, (b"content-type", str(self.media_type).encode())]
        try:
            async with aclosing(cast("Any", self._rest)):
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                if not request.bodiless:
                    piece, self._first = self._first, b""
                    self._stream.wrote(len(piece))
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    # The sent piece is released while the next one is awaited.
                    del piece
                    async for piece in self._rest:
                        self._stream.wrote(len(piece))
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                        if last := self._stream.last_frame():
                            await send({"type": "http.response.body", "body": last, "more_body": True})
                            break
                        del piece
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._stream.leave()
            request.notes.waited_s = time.perf_counter() - began


def subscriber_of(request: Request, private: str = "") -> Subscriber:
    """The subscriber of the requested stream, which ends when they may no longer see the `private` table."""
    services, token, query, caller = request.services, request.token, request.query, request.bearer
    bearers = services.edge.bearers

    async def barred() -> Ending | None:
        if token is not None and bearers.remembered(token) is None and await bearers.of(token) is None:
            return "token"
        if private:
            remembered, subscriber.left = not subscriber.left, False
            if not await looks(services, private, query, caller, remembered=remembered):
                return "private"
        return None

    subscriber = Subscriber(
        request.player, request.media_type, barred, request.gone, services.edge.live.pings, EarlyEnd()
    )
    return subscriber


async def streamed(
    request: Request, kind: StreamKind, subscriber: Subscriber, pieces: AsyncIterator[bytes]
) -> Response[bytes]:
    """The stream as a response. Raises TooManyOpen, AllTaken, and what its first piece raises."""
    stream = _OpenStream(request, kind, subscriber)
    try:
        return StreamResponse(begun(subscriber.form) + await anext(pieces), pieces, stream)
    except BaseException:
        stream.leave()
        raise


class _OpenStream:
    """A stream that occupies one of its caller's slots, and is counted in the metrics."""

    __slots__ = ("_kind", "_meter", "_metrics", "_presence", "_slot", "_slots", "_spending", "_table", "subscriber")

    def __init__(self, request: Request, kind: StreamKind, subscriber: Subscriber) -> None:
        """Takes the slot. Raises TooManyOpen, AllTaken."""
        self._slots = request.services.edge.live.slots
        self._slot = self._slots.take(keys_of(request.address), request.player, subscriber.early.give_way)
        taken = request.notes.taken
        self._meter = None if taken is None else taken.meter()
        self._spending = request.spending
        self._metrics = request.services.metrics
        self._presence = request.services.edge.presence
        self._table = {"table": request.table, "player": EVERY_TABLE}.get(kind)
        """The table at which the stream counts its player as connected; None for the lobby's stream."""
        self._kind: StreamKind = kind
        self.subscriber = subscriber
        if self._table is not None:
            self._presence.enter(subscriber.player, self._table)
        self._metrics.streams.opened(kind)

    def wrote(self, size: int) -> None:
        """Counts the written bytes, and charges the subscriber, whose stream ends when the quota is used up."""
        self._metrics.streams.wrote(self._kind, size)
        if self._meter is None:
            return
        wait_s = self._meter.charge(PIECE_COST + size * BYTE_COST + PER_SECOND * self._spending.take())
        if wait_s and self.subscriber.early.reason is None:
            self.subscriber.retry_ms = 1000 * wait_s
            self.subscriber.early.end("quota")

    def last_frame(self) -> bytes:
        """The last frame, if the stream was ended from here; empty if it continues or ends by itself."""
        subscriber = self.subscriber
        return (
            subscriber.end(subscriber.early.reason)
            if subscriber.early.reason is not None and subscriber.ended == "gone"
            else b""
        )

    def leave(self) -> None:
        """Gives the slot back."""
        self._metrics.streams.ended(self._kind, self.subscriber.ended)
        self._slots.give_back(self._slot)
        if self._table is not None:
            self._presence.leave(self.subscriber.player, self._table)
