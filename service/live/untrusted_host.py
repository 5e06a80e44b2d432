"""One request to an untrusted host: only the head of the response is read, up to a byte limit.

Written by hand: HTTP clients wait for any number of interim responses, and limit neither these nor the bytes of a TLS
handshake. All received bytes count, encrypted or not. The connection is closed after the head.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from msgspec import Struct

from service.live.targets import Target

T = TypeVar("T")

RECEIVED_BYTES = 64 * 1024
"""The most bytes received: a handshake with its certificates and the response heads take far fewer."""

INTERIM = 8
"""The most interim responses (1xx) before the final one."""

READ_BYTES = 16 * 1024
"""The most bytes received in one read."""


class Malformed(Exception):
    """The host sent no HTTP response, or too much."""


class AnswerHead(Struct, frozen=True):
    """The head of a response."""

    status: int
    headers: Mapping[bytes, bytes]
    """By lower-case name; the last one of several with one name."""


async def head_of_answer(
    addresses: Sequence[str], target: Target, headers: Mapping[str, str], body: bytes, tls: ssl.SSLContext | None
) -> AnswerHead:
    """Sends a POST to the first address that accepts a connection, and returns the head of the response.

    With `tls` the connection is encrypted, and the certificate must be the target's. The caller sets the timeout.
    Raises Malformed, OSError (including ssl.SSLError), and ValueError for a name that no certificate can have.
    """
    reader, writer = await _connected(addresses, target.port)
    try:
        wire = _Wire(reader, writer)
        channel: _Wire | _Encrypted = wire if tls is None else await _encrypted(wire, tls, target.host)
        await channel.send(_request(target, headers, body))
        answer = _Answer()
        while answer.head is None:
            answer.feed(await channel.receive())
        return answer.head
    finally:
        # An orderly close would wait for a host that does not read.
        writer.transport.abort()


async def _connected(addresses: Sequence[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    *others, last = addresses
    for address in others:
        try:
            return await asyncio.open_connection(address, port, limit=READ_BYTES)
        except OSError:
            continue
    return await asyncio.open_connection(last, port, limit=READ_BYTES)


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    own = {"Host": target.authority, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"POST {target.path} HTTP/1.1", *(f"{name}: {text}" for name, text in (own | dict(headers)).items())]
    return "\r\n".join((*lines, "", "")).encode("ascii") + body


class _Wire:
    """A connection that receives at most RECEIVED_BYTES."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._left = RECEIVED_BYTES

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def receive(self) -> bytes:
        """The next bytes; empty at the end of the connection. Raises Malformed beyond the limit."""
        data = await self._reader.read(READ_BYTES)
        self._left -= len(data)
        if self._left < 0:
            raise Malformed("there is too much of it")
        return data


class _Encrypted:
    """The same over TLS. Written by hand, so that the handshake's bytes count too."""

    def __init__(self, wire: _Wire, tls: ssl.SSLContext, host: str) -> None:
        self._wire = wire
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = tls.wrap_bio(self._incoming, self._outgoing, server_hostname=host)

    async def shake_hands(self) -> None:
        await self._done(self._tls.do_handshake)

    async def send(self, data: bytes) -> None:
        await self._done(lambda: self._tls.write(data))

    async def receive(self) -> bytes:
        try:
            return await self._done(lambda: self._tls.read(READ_BYTES))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    async def _done(self, step: Callable[[], T]) -> T:
        """The step's result, after exchanging the bytes that it needs."""
        while True:
            try:
                answered = step()
            except ssl.SSLWantReadError:
                await self._flush()
                if data := await self._wire.receive():
                    self._incoming.write(data)
                else:
                    self._incoming.write_eof()
                continue
            except ssl.SSLError:
                # Sends the alert with the reason.
                await self._flush()
                raise
            await self._flush()
            return answered

    async def _flush(self) -> None:
        if self._outgoing.pending:
            await self._wire.send(self._outgoing.read())


async def _encrypted(wire: _Wire, tls: ssl.SSLContext, host: str) -> _Encrypted:
    channel = _Encrypted(wire, tls, host)
    await channel.shake_hands()
    return channel


class _Answer:
    """The parser's callbacks. Anything after the head of the final response is ignored."""

    def __init__(self) -> None:
        self.head: AnswerHead | None = None
        self._interim = 0
        self._headers: dict[bytes, bytes] = {}
        self._parser = HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        """Takes received bytes. Raises Malformed."""
        if not data:
            raise Malformed("the connection ended before the answer")
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade) as error:
            if self.head is None:
                raise Malformed(str(error)) from error
        if self._interim > INTERIM and self.head is None:
            raise Malformed("there are too many interim answers")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if 100 <= status < 200 and status != 101:
            self._interim += 1
            self._headers = {}
        elif self.head is None and self._interim <= INTERIM:
            self.head = AnswerHead(status, self._headers)
