"""The server in front of the application, set up as it is run, and clients that speak to it through bare sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import structlog
from litestar.types import ASGIApp, Receive, Scope, Send

from service.config import Settings
from service.limits.quotas import Quotas
from service.observability.metrics import Metrics
from service.run.applications import UvicornServer, configured
from service.run.connections import TIMEOUTS_S, Connections, Timeouts

CLIENT = "127.0.0.1"

PATIENCE_S = 60.0
"""How long something may take that happens by itself, on a machine that is busy with other tests."""

GET = b"GET /it HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /it HTTP/1.1\r\nHost: x\r\n"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what it takes the request for."""
    if await lifespan(scope, receive, send):
        return
    assert scope["type"] == "http"
    body = b""
    while True:
        message = await receive()
        assert message["type"] == "http.request"
        body += message["body"]
        if not message["more_body"]:
            break
    client = scope["client"]
    taken_for = {
        "client": client[0] if client else None,
        "scheme": scope["scheme"],
        "length": len(body),
        "headers": [name.decode() for name, _ in scope["headers"]],
        "path": scope["path"],
    }
    await answer_with(send, json.dumps(taken_for).encode())


async def lifespan(scope: Scope, receive: Receive, send: Send) -> bool:
    """Whether it is not a request, but the server's beginning and end, which are answered."""
    if scope["type"] != "lifespan":
        return False
    for what in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{what}.complete"})  # type: ignore[misc,arg-type]  # one of two literals
    return True


async def answer_with(send: Send, body: bytes) -> None:
    """Answers with the body."""
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class Served:
    """A server that runs in this event loop."""

    def __init__(self, server: UvicornServer, connections: Connections, metrics: Metrics) -> None:
        self.server = server
        self.connections = connections
        self.metrics = metrics
        self.port: int = server.servers[0].sockets[0].getsockname()[1]

    def measured(self, sample: str) -> float:
        """The value of a measurement; 0 where there is none yet."""
        lines = self.metrics.exposition().decode().splitlines()
        return sum(float(line.removeprefix(sample)) for line in lines if line.startswith(sample + " "))

    async def until_open(self, connections: int) -> None:
        """Returns when so many connections are open."""
        async with asyncio.timeout(PATIENCE_S):
            while self.measured('codille_connections{listener="interface"}') != connections:  # noqa: ASYNC110 (a metric has no event)
                await asyncio.sleep(0.005)


def connections_of(settings: Settings, metrics: Metrics, quotas: Quotas | None = None) -> Connections:
    """The interface's connections, of which no descriptors make fewer."""
    log = structlog.get_logger()
    most = settings.max_connections
    return Connections(settings, metrics, log, listener="interface", most=most, quotas=quotas)


@asynccontextmanager
async def served(
    settings: Settings, app: ASGIApp = echo, *, quotas: Quotas | None = None, timeouts_s: Timeouts = TIMEOUTS_S
) -> AsyncIterator[Served]:
    """A server on these settings."""
    metrics, ready = Metrics(), asyncio.Event()
    connections = connections_of(settings, metrics, quotas)
    connections.timeouts_s = timeouts_s
    config = configured(app, settings, connections)
    config.port = 0
    server = UvicornServer(config, ready.set)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        await ready.wait()
    try:
        yield Served(server, connections, metrics)
    finally:
        server.should_exit = True
        await serving


async def request(port: int, *headers: str, source: str = CLIENT) -> dict[str, object]:
    """What the server takes a request from this address with these headers for."""
    reader, writer = await asyncio.open_connection(CLIENT, port, local_addr=(source, 0))
    writer.write("\r\n".join(("GET / HTTP/1.1", "Host: x", "Connection: close", *headers, "", "")).encode())
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    taken_for: dict[str, object] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return taken_for


async def sent(port: int, *pieces: bytes, pause_s: float = 0.02, source: str = CLIENT) -> bytes:
    """All that is answered to these pieces, sent one after the other, until the server ends the connection."""
    reader, writer = await asyncio.open_connection(CLIENT, port, local_addr=(source, 0))
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    writer.close()
    return answer


def refused(answer: bytes, status: int, code: str) -> str:
    """Asserts that it is the problem document, and nothing else, with the headers that answers have; its detail."""
    head, _, body = answer.partition(b"\r\n\r\n")
    line, *fields = head.decode().split("\r\n")
    headers = dict(field.lower().split(": ", 1) for field in fields)
    assert line.startswith(f"HTTP/1.1 {status} "), answer
    assert headers["content-type"] == "application/problem+json"
    assert int(headers["content-length"]) == len(body)
    assert (headers["cache-control"], headers["vary"]) == ("no-store", "authorization")
    assert (headers["x-content-type-options"], headers["connection"]) == ("nosniff", "close")
    assert UUID(headers["x-request-id"])
    assert "date" in headers
    document = json.loads(body)
    assert (document["status"], document["code"]) == (status, code)
    assert (document["type"], bool(document["title"])) == (f"urn:codille:problem:{code}", True)
    return str(document["detail"])
