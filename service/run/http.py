"""uvicorn's HTTP, with an answer's head and body in one write, limits on a request's head, and problem documents as
answers to what is not a request.

It relies on undocumented parts of uvicorn, which tests/unit/run/test_private_parts.py names.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.commands.moments import new_id
from service.http.problems import MEDIA_TYPE, Problem

LARGE = 16 * 1024
"""Writes of more bytes than this are not held back."""

URL_BYTES = 16 * 1024
HEAD_BYTES = 32 * 1024
HEADERS = 100
"""The limits of a request's head: its URL, all of it, and the number of its headers."""

FRAMING_BYTES = 512 * 1024
"""The limit of what follows the head and is not the body: the sizes of chunks, and the trailers."""

LINGER_S = 2.0
"""How long a refused client may take to read the answer."""


class Http(HttpToolsProtocol):
    """A client's connection."""

    url = b""
    _arriving = 0
    """Bytes of the newest data that are not part of a body."""
    _begun = 0
    """The same of the data in which the newest request began; an earlier request may have a part in them."""
    _waited = 0
    """The same of what has come for that request since, without the newest data."""
    _refused = False
    """Whether the connection ends because of what the client has sent."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(JoiningTransport(transport, self.loop))

    def data_received(self, data: bytes) -> None:
        """Parses the data. Its size is counted here, since the parser collects a head without a limit."""
        if self._refused:
            return
        headers = self.headers
        self._arriving = len(data)
        # As uvicorn does it, except for the answer to what the parser refuses.
        if self.timeout_keep_alive_task is not None:
            self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except HttpParserError as error:
            cause = error.__context__
            self._refuse(
                cause if isinstance(cause, Problem) else Problem("bad-request", "this is not a request of HTTP/1.1")
            )
            return
        except HttpParserUpgrade:
            self._unsupported_upgrade_warning()
        if self.headers is not headers:
            self._begun, self._waited = self._arriving, 0
            return
        self._waited += self._arriving
        if self._waited > HEAD_BYTES and not self._headed():
            self._refuse(_too_long() if not headers else _too_large())
        elif self._waited > FRAMING_BYTES:
            self._refuse(Problem("bad-request", "the body is sent in too many pieces"))

    def on_headers_complete(self) -> None:
        """Begins to answer. Raises Problem when the head is too large, which the parser passes on."""
        if len(self.url) > URL_BYTES:
            raise _too_long()
        if len(self.headers) > HEADERS or (
            # The first sum is cheap, but an upper bound: it counts what stands around the head too.
            self._begun + self._waited + self._arriving > HEAD_BYTES
            and len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES
        ):
            raise _too_large()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hands on a part of the body."""
        self._arriving -= len(body)
        super().on_body(body)

    def _headed(self) -> bool:
        """Whether the head of the newest request is complete."""
        return self.cycle is not None and self.cycle.scope is self.scope

    def _refuse(self, problem: Problem) -> None:
        """Answers with the problem, unless another answer is under way, and ends the connection."""
        self._refused = True
        cycle = self.cycle
        if self._headed():
            if cycle.response_started or self.pipeline:
                self.transport.close()
                return
            # This request is the broken one: its handler's answer is dropped.
            cycle.disconnected = True
            cycle.message_event.set()
        elif cycle is not None and not cycle.response_complete:
            # Earlier requests are still answered, and the connection ends with the last of them.
            cycle.keep_alive = False
            return
        body, request_id = problem.body(), new_id()
        self.logger.warning("request %s was refused: %s", request_id, problem.document.detail)
        headers = [
            *self.server_state.default_headers,
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization"),
            (b"x-content-type-options", b"nosniff"),
            (b"x-request-id", request_id.encode()),
            (b"connection", b"close"),
        ]
        head = STATUS_LINE[problem.status] + b"".join(b"%s: %s\r\n" % header for header in headers) + b"\r\n"
        self.transport.write(head + body)
        # Closing with data unread would reset the connection, and the client would lose the answer.
        self.transport.write_eof()
        self.loop.call_later(LINGER_S, self.transport.close)


def _too_long() -> Problem:
    return Problem("url-too-long", f"a URL may have {URL_BYTES} bytes")


def _too_large() -> Problem:
    return Problem("headers-too-large", f"a request may have {HEADERS} headers and a head of {HEAD_BYTES} bytes")


class JoiningTransport(asyncio.Transport):
    """A transport that collects what is written during one turn of the event loop, and writes it at the turn's end.

    uvicorn writes an answer's head and body separately. In each system call the kernel takes the bytes all the way to
    the client and wakes it; half as many calls save a fifth of a view. All else is left to the transport.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._waiting: list[Any] = []

    def write(self, data: Any) -> None:
        """Writes at the end of the turn; what is large at once, so that a slow client holds the writer back."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)
        if len(data) > LARGE:
            self._flush()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        for data in list_of_data:
            self.write(data)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._transport.writelines(waiting)

    def can_write_eof(self) -> bool:
        return self._transport.can_write_eof()

    def write_eof(self) -> None:
        """Writes what waits, then the end; reading goes on."""
        self._flush()
        self._transport.write_eof()

    def close(self) -> None:
        """Writes what waits, then closes."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Closes at once, without what waits."""
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()
