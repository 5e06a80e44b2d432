"""Connections that are held and not used: nothing sent, half a head, half a body, a byte at a time, nothing read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx

from tests.lab.attack.target import NotTried, Result, Target

CONNECTIONS = 300
FROM_ADDRESS = 100
"""So many connections are fewer than an address may have."""
AT_ONCE_S = 0.5
"""What ends before was not held."""
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
        here = [target.elsewhere() for _ in range(0, count, FROM_ADDRESS)]
        ends = [await stack.enter_async_context(_open(here[one // FROM_ADDRESS], sent)) for one in range(count)]
        beside = await _answered(target)
        waiting = [asyncio.create_task(_ended(*end, drip, reads=reads)) for end in ends if end]
        at_once = count - len(waiting) + len((await asyncio.wait(waiting, timeout=AT_ONCE_S))[0])
        if at_once == count:
            raise NotTried("no connection could be held")
        _, pending = await asyncio.wait(waiting, timeout=PATIENCE_S)
        for task in pending:
            task.cancel()
    seen = f"{at_once} refused at once; a reader beside them was {'' if beside else 'not '}answered"
    return Result(count + 1, count - len(pending) + beside, seen)


async def _answered(target: Target) -> bool:
    """Whether another reader is answered."""
    with suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(10), target.http(limited=True) as client:
            return (await client.get("/v1/games")).is_success
    return False


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
                async with asyncio.timeout(1.0):
                    if not await reader.read(4096):
                        return
            except TimeoutError:
                continue
    except ConnectionError:
        return
