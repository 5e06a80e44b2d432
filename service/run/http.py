"""HTTP as uvicorn speaks it: with an answer's head and body in one write, limits on a request's head, and problem
documents for what is no request.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.commands.ids import new_id
from service.http.problems import MEDIA_TYPE, Problem

LARGE = 16 * 1024
"""Bytes that are too many to let wait."""

URL_BYTES = 16 * 1024
HEAD_BYTES = 32 * 1024
HEADERS = 100
"""The most that a request's head may have, all in all."""

FRAMING_BYTES = 512 * 1024
"""The most that may come after the head and be no body: the sizes of chunks, and what follows the last one."""

LINGER_S = 2.0
"""How long a client that was refused may take to read why."""


class Http(HttpToolsProtocol):
    """A client's connection."""

    url = b""
    _arriving = 0
    """Of the bytes that have just come, those that are no body."""
    _begun = 0
    """Of those that the newest request began among: what came before it may be counted too."""
    _waited = 0
    """Of those that have come for it since, but for the last."""
    _refused = False
    """Whether the connection ends for something that came."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begins to take requests."""
        super().connection_made(Joining(transport, self.loop))

    def data_received(self, data: bytes) -> None:
        """Takes what has come. What the parser still waits with is counted here, for it would wait without end."""
        if self._refused:
            return
        headers = self.headers
        self._arriving = len(data)
        # As uvicorn does it, but for what it answers where the parser refuses.
        if self.timeout_keep_alive_task is not None:
            self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except HttpParserError as error:
            told = error.__context__
            self._refuse(
                told if isinstance(told, Problem) else Problem("bad-request", "this is no request of HTTP/1.1")
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
        """Begins to answer, unless the head is too large."""
        if len(self.url) > URL_BYTES:
            raise _too_long()
        if len(self.headers) > HEADERS or (
            # The first bound is quickly told: it counts what stands around the head too.
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
            # It is this request that is broken: nobody hears what its handler makes of it.
            cycle.disconnected = True
            cycle.message_event.set()
        elif cycle is not None and not cycle.response_complete:
            # Those before are answered, and with the last of them the connection ends.
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
        # A connection that is closed while there is more to be read is reset, and the answer with it.
        self.transport.write_eof()
        self.loop.call_later(LINGER_S, self.transport.close)


def _too_long() -> Problem:
    return Problem("url-too-long", f"a URL may have {URL_BYTES} bytes")


def _too_large() -> Problem:
    return Problem("headers-too-large", f"a request may have {HEADERS} headers and a head of {HEAD_BYTES} bytes")


class Joining(asyncio.Transport):
    """A transport that writes at the end of a turn of the event loop all that was written to it in the turn.

    uvicorn writes the head of an answer and then its body. Each write is a system call in which the kernel takes the
    bytes all the way to the client and wakes it: half as many of them, one connection's after the other's, are a fifth
    of what a view costs.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._waiting: list[Any] = []

    def write(self, data: Any) -> None:
        """Writes when the turn ends; what is large, at once, so that the writer is held back by a slow client."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)
        if len(data) > LARGE:
            self._flush()

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        """As `write`."""
        for data in list_of_data:
            self.write(data)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._transport.writelines(waiting)

    def can_write_eof(self) -> bool:
        """As the transport has it."""
        return self._transport.can_write_eof()

    def write_eof(self) -> None:
        """Ends what is written, once all of it is; reading goes on."""
        self._flush()
        self._transport.write_eof()

    def close(self) -> None:
        """Closes, once all is written."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Closes at once."""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether it is closed or closing."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """As the transport has it."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Takes nothing in for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Takes in again."""
        self._transport.resume_reading()
