"""The limit of the interface: Litestar under uvicorn with nothing behind it. `python -m tests.benchmarks.bare FD FILE`.

A POST takes a JSON body and answers JSON; a GET answers the bytes of FILE. FD is a listening socket.
"""

import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from litestar import Litestar, Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

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

    return Litestar([act, table_of], openapi_config=None, logging_config=None)


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
    )
    uvloop.run(uvicorn.Server(config).serve([socket.socket(fileno=int(descriptor))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
