"""Receivers of webhooks on this machine, which answer as a test says and keep what they got."""

import asyncio
import hmac
import json
import ssl
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any, TypeAlias

from msgspec import Struct

from tests.support.waiting import PATIENCE_S

OK = b"HTTP/1.1 204 No Content\r\n\r\n"


class Received(Struct, frozen=True):
    """A request that a receiver got."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The message's id."""
        return self.headers["webhook-id"]

    @property
    def notice(self) -> dict[str, Any]:
        """What the message says."""
        told: dict[str, Any] = json.loads(self.body)
        return told

    def signed_with(self, secret: str) -> bool:
        """Whether one of the signatures is that of the secret, as the specification has it computed."""
        key = b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        due = "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()
        return due in self.headers["webhook-signature"].split(" ")


Answer: TypeAlias = Callable[[Received], bytes | Awaitable[bytes] | AsyncIterator[bytes]]
"""The bytes that answer a request, at once or in pieces."""


def status(code: int, *headers: str) -> bytes:
    """An answer with this status and without a body."""
    lines = (f"HTTP/1.1 {code} Whatever", "Content-Length: 0", *headers, "", "")
    return "\r\n".join(lines).encode()


class Receiver:
    """A server for webhooks."""

    def __init__(self) -> None:
        self.answer: Answer = lambda _: OK
        self.received: list[Received] = []
        self.abandoned = 0
        """Connections that were closed while the receiver went on to write."""
        self.under_way = 0
        """Requests that are being answered."""
        self.host = ""
        self.port = 0
        self._came = asyncio.Event()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self.host}:{self.port}/hook"

    async def until(self, condition: Callable[["Receiver"], bool]) -> None:
        """Returns once the condition holds after some request."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition(self):
                await self._came.wait()
                self._came.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            headers = {name.lower(): text for name, text in (line.split(": ", 1) for line in lines)}
            received = Received(first.split(" ")[1], headers, await reader.readexactly(int(headers["content-length"])))
            self.received.append(received)
            self._came.set()
            self.under_way += 1
            try:
                async for piece in _pieces(self.answer(received)):
                    writer.write(piece)
                    await writer.drain()
            except ConnectionError:
                self.abandoned += 1
                self._came.set()
            finally:
                self.under_way -= 1
        writer.close()


async def _pieces(answer: bytes | Awaitable[bytes] | AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if isinstance(answer, AsyncIterator):
        async for piece in answer:
            yield piece
    else:
        yield answer if isinstance(answer, bytes) else await answer


async def endless(piece: bytes, *, first: bytes = b"", pause_s: float = 0.0) -> AsyncIterator[bytes]:
    """An answer that never ends: this piece again and again."""
    yield first
    while True:
        yield piece
        await asyncio.sleep(pause_s)


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[Receiver]:
    """A receiver on a free port."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, host, 0, ssl=tls)
    receiver.host = host
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
