"""One request to a host that nobody trusts: of the answer only the head is read, and of that only so much.

By hand, since clients for friendly hosts wait as long as interim answers come and bound neither their number nor the
bytes of a handshake. Whatever is received counts, encrypted or not; then the connection is closed.
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
"""Bytes that are received at most: a handshake with its certificates and the answer's heads take far fewer."""

INTERIM = 8
"""Interim answers (1xx) that may come before the final one."""

READ_BYTES = 16 * 1024
"""Bytes that are received at once."""


class Malformed(Exception):
    """What came is no answer, or there was too much of it."""


class Head(Struct, frozen=True):
    """The head of an answer."""

    status: int
    headers: Mapping[bytes, bytes]
    """By their names in lower case; of several with one name the last."""


async def head_of_answer(
    addresses: Sequence[str], target: Target, headers: Mapping[str, str], body: bytes, tls: ssl.SSLContext | None
) -> Head:
    """Sends a POST to the first of the addresses that takes the connection, and reads the head of the answer.

    With `tls` the connection is encrypted, and the certificate must be the target's. How long it may take is the
    caller's to bound. Raises Malformed, OSError (ssl.SSLError among them), and ValueError
    for a name that no certificate can have.
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
        # Not closed in order: whoever does not read what was sent would be waited for.
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
    """A connection's bytes, of which only so many are received."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._left = RECEIVED_BYTES

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def receive(self) -> bytes:
        """What has come; empty at the end of the connection. Raises Malformed when there was too much of it."""
        data = await self._reader.read(READ_BYTES)
        self._left -= len(data)
        if self._left < 0:
            raise Malformed("there is too much of it")
        return data


class _Encrypted:
    """The same over TLS. By hand, so that what the handshake receives counts too."""

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
        """What the step answers, once it has been sent and given what it needs."""
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
                # The alert, which says why.
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
    """The parser's callbacks. What follows the head of the final answer is not looked at."""

    def __init__(self) -> None:
        self.head: Head | None = None
        self._interim = 0
        self._headers: dict[bytes, bytes] = {}
        self._parser = HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        """Takes what has come. Raises Malformed."""
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
            self.head = Head(status, self._headers)
