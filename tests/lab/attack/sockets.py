"""Connections that are held and not used: nothing sent, half a head, half a body, a byte at a time, nothing read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from tests.lab.attack.target import Result, Target

CONNECTIONS = 300
PATIENCE_S = 45.0
"""How long a connection may be held."""

HALF_HEAD = b"GET /v1/games HTTP/1.1\r\nHost: codille.test\r\nAccept: "
HALF_BODY = (
    b"POST /v1/players HTTP/1.1\r\nHost: codille.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    b'{"name": "'
)


async def nothing_sent(target: Target, measure: float) -> Result:
    """Connections on which nothing is sent."""
    return await _held(target, measure, b"")


async def half_heads(target: Target, measure: float) -> Result:
    """Connections on which half a head is sent."""
    return await _held(target, measure, HALF_HEAD)


async def half_bodies(target: Target, measure: float) -> Result:
    """Connections on which half a body is sent."""
    return await _held(target, measure, HALF_BODY)


async def dripped_heads(target: Target, measure: float) -> Result:
    """Connections on which a head is sent a byte a second."""
    return await _held(target, measure, HALF_HEAD, drip=b"a")


async def not_reading(target: Target, measure: float) -> Result:
    """Connections on which much is asked for, and no answer read."""
    request = b"GET /v1/openapi.json HTTP/1.1\r\nHost: codille.test\r\n\r\n" * 200
    return await _held(target, measure, request, reads=False)


async def _held(target: Target, measure: float, sent: bytes, *, drip: bytes = b"", reads: bool = True) -> Result:
    """Opens the connections, and counts those that the service ends. Another reader must be answered meanwhile."""
    count = max(5, int(CONNECTIONS * measure))
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(_open(target, sent)) for _ in range(count)]
        async with asyncio.timeout(10), target.http() as client:
            answered = (await client.get("/v1/games")).status_code
        waiting = [asyncio.create_task(_ended(*end, drip, reads=reads)) for end in ends if end]
        refused = count - len(waiting)
        done, pending = await asyncio.wait(waiting, timeout=PATIENCE_S) if waiting else (set(), set())
        for task in pending:
            task.cancel()
    return Result(count, refused + len(done), f"{refused} refused at once; a reader beside them: {answered}")


@asynccontextmanager
async def _open(target: Target, sent: bytes) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None]:
    """A connection on which this was sent; None where it is refused."""
    try:
        reader, writer = await target.connected()
        writer.write(sent)
    except OSError:
        yield None
        return
    try:
        yield reader, writer
    finally:
        writer.close()


async def _ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drip: bytes, *, reads: bool) -> None:
    """Returns when the service has ended the connection."""
    try:
        while True:
            if drip:
                writer.write(drip)
                await writer.drain()
            if not reads:
                # What is not read is only looked at for its end: a write fails when the other side is gone.
                await asyncio.sleep(1)
                writer.write(b"\r\n")
                await writer.drain()
                continue
            try:
                if not await asyncio.wait_for(reader.read(4096), 1.0):
                    return
            except TimeoutError:
                continue
    except ConnectionError:
        return
