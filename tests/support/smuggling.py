"""Requests that two readers take for different ones, and an application that records what it is asked for."""

import asyncio

from litestar.types import Receive, Scope, Send

from tests.support.sockets import GET, POST, answer_with, lifespan

SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

CHUNKED = b"Transfer-Encoding: chunked\r\n"
NO_CHUNK = b"0\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(SMUGGLED)

FORMS: dict[str, tuple[bytes, bytes]] = {
    "both lengths": (POST + LENGTH + CHUNKED + b"\r\n", NO_CHUNK + SMUGGLED),
    "both lengths, chunked first": (POST + CHUNKED + LENGTH + b"\r\n", NO_CHUNK + SMUGGLED),
    "no length, and chunked": (POST + b"Content-Length: 0\r\n" + CHUNKED + b"\r\n", NO_CHUNK + SMUGGLED),
    "two lengths": (POST + b"Content-Length: 0\r\n" + LENGTH + b"\r\n", SMUGGLED),
    "the same length twice": (POST + LENGTH + LENGTH + b"\r\n", SMUGGLED),
    "a list of lengths": (POST + b"Content-Length: 0, 0\r\n\r\n", SMUGGLED),
    "a length with a sign": (POST + b"Content-Length: +0\r\n\r\n", SMUGGLED),
    "a length with an underscore": (POST + b"Content-Length: 1_0\r\n\r\n", SMUGGLED),
    "a length in hexadecimal": (POST + b"Content-Length: 0x0\r\n\r\n", SMUGGLED),
    "a length beyond all": (POST + b"Content-Length: 18446744073709551616\r\n\r\n", SMUGGLED),
    "another encoding": (POST + b"Transfer-Encoding: identity\r\n\r\n", SMUGGLED),
    "another encoding, with a length": (POST + b"Transfer-Encoding: identity\r\n" + LENGTH + b"\r\n", SMUGGLED),
    "another encoding, then chunked": (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n", NO_CHUNK + SMUGGLED),
    "chunked, then another encoding": (POST + b"Transfer-Encoding: chunked, identity\r\n\r\n", NO_CHUNK + SMUGGLED),
    "chunked twice": (POST + CHUNKED + CHUNKED + b"\r\n", NO_CHUNK + SMUGGLED),
    "chunked twice in one header": (POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n", NO_CHUNK + SMUGGLED),
    "chunked in quotes": (POST + b'Transfer-Encoding: "chunked"\r\n\r\n', NO_CHUNK + SMUGGLED),
    "chunked after a vertical tab": (POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n", NO_CHUNK + SMUGGLED),
    "nearly chunked": (POST + b"Transfer-Encoding: xchunked\r\n\r\n", NO_CHUNK + SMUGGLED),
    "chunked by an old client": (b"POST /it HTTP/1.0\r\nHost: x\r\n" + CHUNKED + b"\r\n", NO_CHUNK + SMUGGLED),
    "a blank before the colon": (POST + b"Transfer-Encoding : chunked\r\n" + LENGTH + b"\r\n", NO_CHUNK + SMUGGLED),
    "a folded header": (POST + b"Transfer-Encoding:\r\n chunked\r\n" + LENGTH + b"\r\n", NO_CHUNK + SMUGGLED),
    "a header folded into another": (POST + b"X: a\r\n\tContent-Length: 40\r\n\r\n", SMUGGLED),
    "a blank before the first header": (b"POST /it HTTP/1.1\r\n Host: x\r\n" + LENGTH + b"\r\n", SMUGGLED),
    "a header that ends in a line feed alone": (POST + b"X: a\n" + LENGTH + b"\r\n", SMUGGLED),
    "a header that holds a carriage return": (POST + b"X: a\r" + LENGTH + b"\r\n", SMUGGLED),
    "a head that ends in line feeds alone": (b"GET /it HTTP/1.1\nHost: x\n\n", SMUGGLED),
    "a zero byte in a header": (POST + b"X: a\x00\r\n" + LENGTH + b"\r\n", SMUGGLED),
    "no host": (b"GET /it HTTP/1.1\r\n\r\n", SMUGGLED),
    "an empty host": (b"GET /it HTTP/1.1\r\nHost:\r\n\r\n", SMUGGLED),
    "two hosts": (GET + b"Host: y\r\n\r\n", SMUGGLED),
    "the same host twice": (GET + b"Host: x\r\n\r\n", SMUGGLED),
    "a host with a path": (b"GET /it HTTP/1.1\r\nHost: x/y\r\n\r\n", SMUGGLED),
    "a host with a user": (b"GET /it HTTP/1.1\r\nHost: x@y\r\n\r\n", SMUGGLED),
    "a list of hosts": (b"GET /it HTTP/1.1\r\nHost: x, y\r\n\r\n", SMUGGLED),
    "a tunnel": (b"CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", SMUGGLED),
    "a tunnel with a body": (b"CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n" + LENGTH + b"\r\n", SMUGGLED),
    "a tunnel to a page": (b"CONNECT http://x/it HTTP/1.1\r\nHost: x\r\n\r\n", SMUGGLED),
    "no version": (b"GET /it\r\n\r\n", SMUGGLED),
    "version 0.9": (b"GET /it HTTP/0.9\r\nHost: x\r\n\r\n", SMUGGLED),
    "version 1.2": (b"GET /it HTTP/1.2\r\nHost: x\r\n\r\n", SMUGGLED),
    "version 2": (b"GET /it HTTP/2.0\r\nHost: x\r\n\r\n", SMUGGLED),
    "a preface of version 2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", SMUGGLED),
    "a chunk beyond all": (POST + CHUNKED + b"\r\n", b"10000000000000000\r\na\r\n" + NO_CHUNK + SMUGGLED),
    "a chunk with a sign": (POST + CHUNKED + b"\r\n", b"+1\r\na\r\n" + NO_CHUNK + SMUGGLED),
    "a chunk in the form of a program": (POST + CHUNKED + b"\r\n", b"0x1\r\na\r\n" + NO_CHUNK + SMUGGLED),
    "a chunk with a blank": (POST + CHUNKED + b"\r\n", b"1 \r\na\r\n" + NO_CHUNK + SMUGGLED),
    "a chunk that is longer than it says": (POST + CHUNKED + b"\r\n", b"1\r\nab\r\n" + NO_CHUNK + SMUGGLED),
    "chunks that end in line feeds alone": (POST + CHUNKED + b"\r\n", b"1\na\n0\n\n" + SMUGGLED),
    "a chunk's extension with a line feed": (POST + CHUNKED + b"\r\n", b"1;a\nb\r\na\r\n" + NO_CHUNK + SMUGGLED),
    "a chunk's extension with a carriage return": (POST + CHUNKED + b"\r\n", b"1;a\rb\r\na\r\n" + NO_CHUNK + SMUGGLED),
}
"""By name: what stands up to the end of the head, and what follows."""

UPGRADES: dict[str, bytes] = {
    "version 2": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n",
    "web sockets": b"Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "several": b"CONNECTION: UPGRADE\r\nUPGRADE: TLS/1.0, other\r\nupgrade:\r\n",
}
"""Offers to upgrade, which are ignored."""

OFFERED: dict[str, tuple[bytes, bytes]] = {
    "an offer": (GET + UPGRADES["web sockets"] + b"\r\n", SMUGGLED),
    "an offer with a body": (POST + UPGRADES["version 2"] + LENGTH + b"\r\n", SMUGGLED),
    "an offer with chunks": (POST + UPGRADES["several"] + CHUNKED + b"\r\n", NO_CHUNK + SMUGGLED),
}
"""Requests with offers, and a body or a request that follows."""

HELD: dict[str, tuple[bytes, bytes]] = {
    "after a close": (GET + b"Connection: close\r\n\r\n", SMUGGLED),
    "after an old client's": (b"GET /it HTTP/1.0\r\nHost: x\r\n\r\n", SMUGGLED),
    "after a close, with an offer": (GET + UPGRADES["version 2"] + b"Connection: close\r\n\r\n", SMUGGLED),
    "after an old client's, with an offer": (
        b"GET /it HTTP/1.0\r\nHost: x\r\n" + UPGRADES["web sockets"] + b"\r\n",
        SMUGGLED,
    ),
}
"""Requests that are answered, and the last of their connections: what follows is none."""


class Recorder:
    """An application that records the paths of the requests that are complete, and their bodies."""

    def __init__(self) -> None:
        self.complete: list[str] = []
        self.bodies: list[bytes] = []
        self.hold = asyncio.Event()
        """Whether requests are answered."""
        self.held = asyncio.Event()
        """Whether a complete request has come."""
        self.clear()

    def clear(self) -> None:
        """Forgets what it was asked for, and answers from now on."""
        self.complete.clear()
        self.bodies.clear()
        self.hold.set()
        self.held.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if await lifespan(scope, receive, send):
            return
        assert scope["type"] == "http"
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message["body"]
            if not message["more_body"]:
                break
        self.complete.append(scope["path"])
        self.bodies.append(body)
        self.held.set()
        await self.hold.wait()
        await answer_with(send, b"{}")
