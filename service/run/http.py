"""uvicorn's HTTP, strict about requests, and with timeouts.

A response's head and body go in one write, a request's head has limits, and a malformed request is answered with a
problem document. A request that two implementations could read differently is never answered (RFC 9112, 11.2). This
relies on undocumented parts of uvicorn, which tests/unit/run/test_private_parts.py lists.
"""

import asyncio
import re
from functools import partial
from typing import Any

import uvicorn
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from litestar.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.http.problems import MEDIA_TYPE, Problem
from service.moments import new_id
from service.run.connections import Connections, Part
from service.run.transport import JoiningTransport

URL_BYTES = 16 * 1024
HEAD_BYTES = 32 * 1024
HEADERS = 100
"""The limits of a request's head: its URL, its size, and the number of its headers."""

FRAMING_BYTES = 512 * 1024
"""The limit of framing after the head: sizes of chunks, and trailers."""

_ONCE = frozenset({b"host", b"content-length", b"transfer-encoding"})
"""Headers that decide which request it is and where it ends."""

_HOST = re.compile(rb"(?:[0-9A-Za-z._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?")
"""A host and port, which an HTTP/1.1 request must name (RFC 9112, 3.2)."""


class ServerConfig(uvicorn.Config):
    """uvicorn's configuration, with the connections that its protocol counts."""

    def __init__(self, app: ASGIApp, connections: Connections, **options: Any) -> None:
        super().__init__(app, **options)
        self.connections = connections


class Http(HttpToolsProtocol):
    """A client's connection."""

    config: ServerConfig
    transport: JoiningTransport
    url = b""
    _arriving = 0
    """Bytes of the newest data that do not belong to a body."""
    _begun = 0
    """The same for the data in which the newest request began, which may include parts of an earlier request."""
    _waited = 0
    """The same for that request's later data, except the newest."""
    _ending = False
    """Whether the connection is ending, so that nothing more is read."""
    _part: Part = "idle"
    """The part of the newest request that is arriving; `idle` between requests."""
    _awaited: Part | None = None
    """The part that the timer runs for; None while a response is in progress."""
    _timer: asyncio.TimerHandle | None = None
    _address: str | None = None
    """The key that the connection counts under; None if it is not counted."""
    _answering: Any = None
    """The cycle of the request that is being answered, or was answered last."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Counts the connection, or refuses it."""
        connections = self.config.connections
        super().connection_made(
            JoiningTransport(
                transport,
                self.loop,
                write_timeout_s=connections.timeouts_s["write"],
                stalled=partial(connections.ended, "write"),
                arriving=lambda: self._part == "body",
            )
        )
        # uvicorn would continue after a request that is the last of its connection.
        self.parser.set_dangerous_leniencies(lenient_data_after_close=False)
        try:
            self._address = connections.open(self.client[0] if self.client else None)
        except Problem as problem:
            self._ending = True
            self._answer(problem)
            # At once, unlike for other refused clients: these connections are beyond the limit.
            self.transport.close()
        else:
            self._await_client()

    def connection_lost(self, exc: Exception | None) -> None:
        """Releases the connection's count and timer, and abandons a response in progress."""
        self._ending = True
        self._set_timer(None)
        if self._address is not None:
            self.config.connections.close(self._address)
            self._address = None
        self.abandon()
        self.pipeline.clear()
        super().connection_lost(exc)
        self.transport.unwatch()

    def abandon(self) -> None:
        """Abandons the response in progress."""
        cycle = self._answering
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()

    def abandon_begun(self) -> None:
        """Abandons a response that has begun, since it cannot be replaced, and closes the connection."""
        if self._answering is not None and self._answering.response_started:
            self.abandon()
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parses the data. Its size is counted here, since the parser buffers a head without a limit."""
        if self._ending or self.transport.lingering:
            return
        headers = self.headers
        self._arriving = len(data)
        rest: bytes | memoryview = data
        try:
            while rest:
                try:
                    self.parser.feed_data(rest)
                    break
                except HttpParserUpgrade as offered:
                    rest = memoryview(rest)[offered.args[0] :]
                # Not in the clause above, which would replace the cause of an error.
                self._ignore_upgrade()
        except HttpParserError as error:
            cause = error.__context__
            self._refuse(
                cause if isinstance(cause, Problem) else Problem("bad-request", "this is not a request of HTTP/1.1")
            )
            return
        if self.headers is not headers:
            self._begun, self._waited = self._arriving, 0
        else:
            self._waited += self._arriving
            if self._waited > HEAD_BYTES and self._part == "head":
                self._refuse(_too_long() if not headers else _too_large())
                return
            if self._waited > FRAMING_BYTES:
                self._refuse(Problem("bad-request", "the body is sent in too many pieces"))
                return
        self._await_client()

    def on_message_begin(self) -> None:
        """Starts a request's head."""
        self._set_timer(None)
        self._part = "head"
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Takes a header. Trailers are ignored: a proxy in front has not checked them (RFC 9110, 6.5.1)."""
        if self._part == "head":
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Starts the response. Raises Problem, which the parser passes on, if the head is too large or ambiguous."""
        if len(self.url) > URL_BYTES:
            raise _too_long()
        if len(self.headers) > HEADERS or (
            # The first sum is cheap, but only an upper bound: it includes bytes around the head.
            self._begun + self._waited + self._arriving > HEAD_BYTES
            and len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES
        ):
            raise _too_large()
        version = self._check_framing()
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                raise Problem("bad-request", "no tunnel is opened here")
            # Begun when it is parsed again.
            return
        super().on_headers_complete()
        self._part = "body"
        if version == "1.0":
            _end_with_connection(self.cycle)

    def _ignore_upgrade(self) -> None:
        """Parses the head again without its offer to upgrade (RFC 9110, 7.8).

        The parser ends a request that has one with its head, and takes a body for the next request.
        """
        parser, self.parser = self.parser, HttpRequestParser(self)
        lines = [b"%b %b HTTP/%b" % (parser.get_method(), self.url, parser.get_http_version().encode())]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser.feed_data(b"\r\n".join(lines) + b"\r\n\r\n")

    def _check_framing(self) -> str:
        """Returns the version. Raises Problem if implementations may differ about the request or its end (RFC 9112,
        3.2, 6.3).
        """
        version = self.parser.get_http_version()
        if version not in ("1.1", "1.0"):
            raise Problem("bad-request", "the versions of HTTP that are spoken here are 1.1 and 1.0")
        given: dict[bytes, bytes] = {}
        for name, value in self.headers:
            if name in _ONCE:
                if name in given:
                    raise Problem("bad-request", f"the header {name.decode()} is given twice")
                given[name] = value
        host, encoding = given.get(b"host"), given.get(b"transfer-encoding")
        if (version == "1.1" or host is not None) and not _HOST.fullmatch(host or b""):
            raise Problem("bad-request", "the header Host must name one host")
        if encoding is not None and (encoding.lower() != b"chunked" or b"content-length" in given or version == "1.0"):
            raise Problem("bad-request", "a body comes with Content-Length, or with Transfer-Encoding: chunked")
        return version

    def on_body(self, body: bytes) -> None:
        """Passes a part of the body on."""
        self._arriving -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Finishes a request's body, unless the request is parsed again."""
        if self._part == "body":
            self._part = "idle"
            super().on_message_complete()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Continues with the next request, as uvicorn does, except for the timer."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        self._await_client()

    def pause_writing(self) -> None:
        """Starts watching a client that reads more slowly than the response is written."""
        super().pause_writing()
        self.transport.watch()

    def shutdown(self) -> None:
        """Ends the connection after the response in progress; pipelined requests are not started."""
        super().shutdown()
        self.pipeline.clear()
        if self._answering is not None:
            self._answering.keep_alive = False

    def make_room(self) -> None:
        """Ends the connection, which has no request in progress."""
        self._ending = True
        self.transport.close()

    def _await_client(self) -> None:
        """Runs the timer while the client has to send something, and stops it while a response is due."""
        cycle = self.cycle
        if self._ending:
            self._set_timer(None)
        elif self._part == "body":
            self._set_timer(None if self.pipeline else "body")
        else:
            self._set_timer(self._part if cycle is None or cycle.response_complete else None)

    def _set_timer(self, part: Part | None) -> None:
        """Starts the timer for this part of a request; a timer that already runs for it continues."""
        if part == self._awaited:
            return
        self._awaited = part
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        connections = self.config.connections
        if part == "idle" or part == "head":
            connections.waits(self)
        else:
            connections.works(self)
        if part is not None:
            self._timer = self.loop.call_later(connections.timeouts_s[part], self._timed_out, part)

    def _timed_out(self, part: Part) -> None:
        connections = self.config.connections
        connections.ended(part)
        self._set_timer(None)
        if part == "idle":
            self.make_room()
        else:
            seconds = connections.timeouts_s[part]
            self._refuse(Problem("request-timeout", f"the {part} of a request must arrive within {seconds:g} seconds"))

    def _refuse(self, problem: Problem) -> None:
        """Answers with the problem, unless another response is in progress, and ends the connection."""
        self._ending = True
        self._set_timer(None)
        problem = self.config.connections.counted(self._address, problem)
        cycle = self.cycle
        if self._part == "body":
            if cycle.response_started or self.pipeline:
                self.transport.close()
                return
            # The malformed request is this one, so its handler's response is dropped.
            self.abandon()
        elif cycle is not None and not cycle.response_complete:
            # Earlier requests are still being answered; the connection ends after the last of them.
            cycle.keep_alive = False
            return
        self._answer(problem)
        self.transport.linger()

    def _answer(self, problem: Problem) -> None:
        """Answers a request that reaches no operation with the problem."""
        body, request_id = problem.body(), new_id()
        self.config.connections.warnings.warning(
            f"answered before any operation: {problem.code}", request_id=request_id, detail=problem.document.detail
        )
        headers = [
            *self.server_state.default_headers,
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization"),
            (b"x-content-type-options", b"nosniff"),
            (b"x-request-id", request_id.encode()),
            (b"connection", b"close"),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        head = STATUS_LINE[problem.status] + b"".join(b"%s: %s\r\n" % header for header in headers) + b"\r\n"
        self.transport.write(head + body)


def _end_with_connection(cycle: Any) -> None:
    """Has an answer to HTTP/1.0 end where its connection does: such a client knows neither chunks nor 100 Continue
    (RFC 9112, 6.1; RFC 9110, 10.1.1).
    """
    send = cycle.send

    async def unchunked(message: Any) -> None:
        # uvicorn counts down a length that it knows; here each part is all that is left.
        cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    cycle.send = unchunked
    cycle.chunked_encoding = cycle.waiting_for_100_continue = False


def _too_long() -> Problem:
    return Problem("url-too-long", f"a URL may have {URL_BYTES} bytes")


def _too_large() -> Problem:
    return Problem("headers-too-large", f"a request may have {HEADERS} headers and a head of {HEAD_BYTES} bytes")
