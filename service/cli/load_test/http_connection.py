"""One persistent HTTP/1.1 connection, which must cost little compared with the service that it measures.

It does only what the interface needs: no redirects, no proxies, no cookies, one request at a time.
"""

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

import httptools
from msgspec import Struct

NO_HEADERS: Mapping[str, str] = {}


class ConnectionLost(Exception):
    """The connection could not be made or broke, or the response took too long."""


class Response(Struct, frozen=True):
    """A response; its headers by lower-case name."""

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes


class Connection:
    """A connection to the server of a URL. It is opened on first use, and reopened after it was lost.

    Raises ConnectionLost if it is not an HTTP URL.
    """

    def __init__(self, url: str, *, timeout_s: float = 15.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConnectionLost(f"not the address of a service: {url}")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._secure else 80)
        self._prefix = parts.path.rstrip("/")
        self._common = f"Host: {parts.netloc.rpartition('@')[2]}\r\nAccept: application/json\r\n"
        self._timeout_s = timeout_s
        self._wire: _ClientWire | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, if it is open."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def encode(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> bytes:
        """The bytes of a request. They may be sent more than once."""
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {self._prefix}{path} HTTP/1.1\r\n{self._common}{more}"
        if token is not None:
            head += f"Authorization: Bearer {token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"\r\n" + (body or b"")

    async def request(self, method: str, path: str, *, token: str | None = None, body: bytes | None = None) -> Response:
        """Sends a request and returns the response.

        Raises ConnectionLost; the request may or may not have been carried out.
        """
        return await self.send(self.encode(method, path, token=token, body=body))

    async def send(self, request: bytes) -> Response:
        """As `request`, for an encoded request. Raises ConnectionLost."""
        try:
            async with asyncio.timeout(self._timeout_s):
                if self._wire is None or self._wire.closed:
                    self._wire = await self._connect()
                return await self._wire.send(request)
        except (OSError, httptools.HttpParserError) as error:
            self.close()
            reason = "no response in time" if isinstance(error, TimeoutError) else f"lost ({error})"
            raise ConnectionLost(reason) from error
        except BaseException:
            # The response to an abandoned request must not be taken for the next one's.
            self.close()
            raise

    async def _connect(self) -> "_ClientWire":
        _, wire = await asyncio.get_running_loop().create_connection(
            _ClientWire, self._host, self._port, ssl=ssl.create_default_context() if self._secure else None
        )
        return wire


class _ClientWire(asyncio.Protocol):
    """Parses responses as they arrive."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._response: asyncio.Future[Response] | None = None
        self._begin()
        self.closed = False

    def _begin(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[bytes, bytes] = {}
        self._parts: list[bytes] = []

    def send(self, request: bytes) -> "asyncio.Future[Response]":
        self._response = asyncio.get_running_loop().create_future()
        if self._transport is None or self.closed:
            self._response.set_exception(ConnectionResetError("the connection was closed"))
        else:
            self._transport.write(request)
        return self._response

    def close(self) -> None:
        self.closed = True
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(error)

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._fail(error or ConnectionResetError("the connection was closed"))

    def _fail(self, error: Exception) -> None:
        if self._response is not None and not self._response.done():
            self._response.set_exception(error)

    # Called by the parser.

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_body(self, part: bytes) -> None:
        self._parts.append(part)

    def on_message_complete(self) -> None:
        status = self._parser.get_status_code()
        if not self._parser.should_keep_alive():
            self.close()
        response = Response(status, self._headers, b"".join(self._parts))
        self._begin()
        if self._response is not None and not self._response.done():
            self._response.set_result(response)
