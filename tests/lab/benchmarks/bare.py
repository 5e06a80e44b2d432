"""The limit of the interface: Litestar under uvicorn, nothing behind it. `python -m tests.lab.benchmarks.bare FD FILE`.

A POST takes a JSON body and answers JSON; a GET answers the bytes of FILE. FD is a listening socket. Streams go on with
what is published: `/stream` is Litestar's own answer of that kind, `/plain` does without it.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from litestar import Litestar, Response, asgi, get, post
from litestar.params import JSONBody
from litestar.response import Stream
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from service.moments import now

JSON = "application/json"


class Sent(Struct, frozen=True):
    """A body like an action's."""

    type: str
    card: str | None = None


class Answer(Struct, frozen=True):
    """A body like that of an answer to an action."""

    version: int
    events: list[dict[str, Any]]
    to_act: list[int]


def application(body: bytes) -> Litestar:
    """Two routes, on the paths that the service has them on."""

    @post("/v1/tables/{table:uuid}/actions")
    async def act(data: JSONBody[Sent]) -> Answer:
        return Answer(17, [{"type": data.type, "public": {"card": data.card, "seat": 1}, "seals": {}}] * 2, [2])

    @get("/v1/tables/{table:uuid}")
    async def table_of() -> Response[bytes]:
        return Response(body, media_type=JSON)

    return Litestar([act, table_of, *_streams()], openapi_config=None, logging_config=None)


def _streams() -> list[Any]:
    """A stream of what is published, in two ways; frames as those of the service."""
    queues: set[asyncio.Queue[bytes]] = set()
    version = 0

    async def frames() -> AsyncIterator[bytes]:
        queue = asyncio.Queue[bytes]()
        queues.add(queue)
        try:
            yield b'{"frame":"snapshot"}\n'
            while True:
                yield await queue.get()
        finally:
            queues.discard(queue)

    @get("/stream")
    async def stream() -> Stream:
        return Stream(frames(), media_type="application/x-ndjson")

    @asgi("/plain")
    async def plain(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        # It goes on until the server stops.
        with suppress(asyncio.CancelledError):
            async for frame in frames():
                await send({"type": "http.response.body", "body": frame, "more_body": True})

    @post("/published")
    async def publish(data: JSONBody[dict[str, Any]]) -> dict[str, int]:
        nonlocal version
        version += 1
        frame = b'{"frame":"event","id":%d,"data":{"at":"%b","text":"%b"}}\n'
        made = frame % (version, now().encode(), data["text"].encode())
        for queue in queues:
            queue.put_nowait(made)
        return {"version": version}

    return [stream, plain, publish]


def main(descriptor: str, file: str) -> None:
    """Serves until it is ended."""
    config = uvicorn.Config(
        application(Path(file).read_bytes()),
        http="httptools",
        ws="none",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    uvloop.run(uvicorn.Server(config).serve([socket.socket(fileno=int(descriptor))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
