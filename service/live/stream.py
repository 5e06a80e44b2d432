"""The bytes for one subscriber: frames of events, pings between them, a last frame if the service ends the stream."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from msgspec import Struct

from domain.record.catalogue import Unreadable
from projections.tasks import cancel_and_wait
from service.live.frames import RETRY_MS, ROOM_MS, Form, dropped, ping
from service.live.pings import Pings
from service.live.subscription import EarlyEnd, Ending, Subscription
from service.store.database import StoreUnavailable

T = TypeVar("T")

PIECE = 16 * 1024
"""Bytes from which further frames go into the next piece, which is made when the client has read this one."""

AGAIN_S = 0.5
"""Seconds between attempts to read the log during an outage."""


class Subscriber(Struct):
    """The subscriber of a stream, its options, and finally the reason for its end."""

    player: str
    """Empty without a token."""
    form: Form
    barred: Callable[[], Awaitable[Ending | None]]
    """Why the subscriber may receive nothing more; None while it may. Raises StoreUnavailable."""
    gone: Callable[[], Coroutine[Any, Any, None]]
    """Returns when the subscriber is gone."""
    pings: Pings
    """Nudges the subscriber while nothing happens."""
    early: EarlyEnd
    """Can end the stream from outside."""
    ended: Ending = "gone"
    retry_ms: int = RETRY_MS
    """Milliseconds after which the subscriber may reconnect, if the service ends its stream."""
    left: bool = False
    """Whether the subscriber has left its seat since the last call of `barred`."""

    def end(self, reason: Ending) -> bytes:
        """Notes why the stream ends, and returns its last frame; empty for a subscriber that needs none."""
        self.ended = reason
        match reason:
            case "room":
                return dropped(self.form, reason, ROOM_MS)
            case "slow" | "stopping" | "token" | "private" | "unreadable" | "quota":
                return dropped(self.form, reason, self.retry_ms)
            case "gone" | "over":
                return b""


@asynccontextmanager
async def ended_by(one: Subscription[Any], gone: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Within the context, the subscription ends when the subscriber is gone."""
    leaving = asyncio.create_task(gone())
    leaving.add_done_callback(lambda _: one.end("gone"))
    try:
        yield
    finally:
        await cancel_and_wait(leaving)


async def enduring(
    one: Subscription[Any], form: Form, read: Callable[[], AsyncIterator[bytes]]
) -> AsyncIterator[bytes]:
    """The pieces of what `read` returns, until that or the subscription ends.

    After an outage `read` is called again, and goes on after the last piece. Meanwhile there are pings.
    """
    while True:
        try:
            async for piece in read():
                yield piece
        except StoreUnavailable:
            if one.ended is not None:
                return
            await asyncio.sleep(AGAIN_S)
            yield ping(form)
        else:
            return


async def pieces(
    one: Subscription[T],
    subscriber: Subscriber,
    framed: Callable[[T], Awaitable[bytes]],
    stream_id: Callable[[], int | None] = lambda: None,
    beside: Callable[[], bytes] = lambda: b"",
) -> AsyncIterator[bytes]:
    """The bytes to write from now on. `framed` makes an item's frames, and may raise StoreUnavailable.

    `stream_id` gives the subscriber's position if nothing is pending; `beside` makes the frames without an id.
    """
    group = subscriber.pings.add(one)
    subscriber.early.watch(one)
    try:
        while True:
            await one.wait()
            piece = await _piece(one, subscriber, framed, beside)
            if piece:
                yield piece
                # A waiting stream keeps no sent bytes in memory.
                piece = b""
            elif one.ended is not None:
                last = subscriber.end(one.ended)
                if last:
                    yield last
                return
            elif not one.pending:
                yield ping(subscriber.form, stream_id())
    finally:
        group.discard(one)


async def _piece(
    one: Subscription[T], subscriber: Subscriber, framed: Callable[[T], Awaitable[bytes]], beside: Callable[[], bytes]
) -> bytes:
    """The frames of pending items, as many as fit into one piece; empty for a subscriber that is barred."""
    piece = b""
    try:
        barred = await subscriber.barred() if one.ended is None else None
        if barred is not None:
            one.end(barred)
        if one.ended is None:
            piece = beside()
        while one.pending and len(piece) < PIECE:
            item = one.pending[0]
            piece += await framed(item)
            if one.pending and one.pending[0] is item:
                del one.pending[0]
    except Unreadable:
        one.end("unreadable")
    except StoreUnavailable:
        # Pending items are sent when the log is back.
        await asyncio.sleep(AGAIN_S)
    return piece
