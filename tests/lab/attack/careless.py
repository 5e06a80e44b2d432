"""A service that holds against nothing, for tests of the attacks: it grants all that is wanted, and ends nothing."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit
from uuid import uuid4

TABLE = "01970000-0000-7000-8000-000000000001"
STREAMS = 5
"""So many streams are given before the lobby has no more."""
CALLS = 20
"""How often a webhook is called for each thing that happens."""

_REQUEST = re.compile(rb"([A-Z]+) (\S+) HTTP/1.1\r\n(.*?)\r\n\r\n", re.DOTALL)
_REASONS = {200: b"OK", 201: b"Created", 204: b"No Content", 401: b"Unauthorized", 404: b"Not Found", 500: b"Fault"}

_ANYTHING = {
    "player": "somebody",
    "name": "Ad\u200ba",
    "table": TABLE,
    "id": "1",
    "invitation": "1",
    "version": 9,
    "to_act": [0],
    "offers": [{"type": "pass", "fields": {}}],
    "seats": [{"hand": {"known": ["Ks"]}, "bot": {"level": "random"}}] * 3,
    "items": [{"id": "1", "table": TABLE, "type": "bid-passed", "actor": "clock", "level": "random"}] * 12,
    "recovery_secret": "1",
    "code": "1",
    "access_token": "1",
    "paths": {"/v1/tables/{table}": {"get": {"operationId": "getTable"}}},
}
"""What is answered to whatever is asked."""


class Careless:
    """Answers requests, with one `status` if that is given, but for the list of games."""

    def __init__(self, status: int | None = None) -> None:
        self._status = status
        self._taken: set[bytes] = set()
        self._streams = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers what looks like a request, wherever it stands, until the client is gone."""
        received = b""
        with suppress(OSError):
            while data := await reader.read(65_536):
                received += data
                while found := _REQUEST.search(received):
                    received = received[found.end() :]
                    await self._answer(found[1], found[2].decode(errors="replace"), found[3], writer)
                    if b"Connection: close" in found[3] or found[2] == b"/v1/games/hidden":
                        writer.close()
                if b"\r\n\r\n" in received:
                    writer.close()
                await self._call(received)
        writer.close()

    async def _answer(self, method: bytes, path: str, head: bytes, writer: asyncio.StreamWriter) -> None:
        status = self._status_of(method, path, head)
        if path.partition("?")[0].endswith("/stream") and status == 200:
            self._streams += 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            while not writer.is_closing():
                writer.write(b"event: event\n")
                await asyncio.sleep(0.02)
            return
        body = b"" if status == 204 else json.dumps(_ANYTHING | {"token": str(uuid4())}).encode()
        writer.write(b"HTTP/1.1 %d %s\r\nContent-Length: %d\r\n" % (status, _REASONS.get(status, b"No"), len(body)))
        writer.write(b"Content-Type: application/json\r\n\r\n" + body)
        await writer.drain()

    def _status_of(self, method: bytes, path: str, head: bytes) -> int:
        if path == "/v1/games":
            return 200
        if self._status is not None:
            return self._status
        token = next((line for line in head.split(b"\r\n") if line.lower().startswith(b"authorization")), b"")
        if method == b"DELETE" and path == "/v1/players/me" and self._taken - {token}:
            return 401
        if path.startswith("/v1/tokens/") or (method, path) == (b"DELETE", "/v1/players/me"):
            self._taken.add(token)
        if path == "/v1/games/hidden":
            return 404
        if path == "/v1/tables/stream" and self._streams >= STREAMS:
            return 500
        if "null" in path or path == "/health/ready":
            return 500
        return {b"POST": 201, b"DELETE": 204}.get(method, 200)

    async def _call(self, body: bytes) -> None:
        """Calls the webhook that the body names, on this machine."""
        for url in re.findall(rb'"url": ?"(http://127\.[^"]*)"', body):
            parts = urlsplit(url.decode())
            for _ in range(CALLS):
                _, writer = await asyncio.open_connection(parts.hostname, parts.port)
                writer.close()


@asynccontextmanager
async def careless(status: int | None = None) -> AsyncIterator[str]:
    """The service's address."""
    service = Careless(status)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
