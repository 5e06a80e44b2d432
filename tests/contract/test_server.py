"""What depends on the server in front of the application, tested through a socket."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import uvicorn
from litestar import Litestar

from tests.contract.conftest import problem, register


@pytest.fixture
async def served(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, http="httptools", ws="none", log_config=None))
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 (the server has no event for it)
            await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        yield client
    server.should_exit = True
    await serving


async def test_head_has_headers_and_no_body(served: httpx.AsyncClient) -> None:
    for _ in range(2):
        full, head = await served.get("/v1/games"), await served.head("/v1/games")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == full.headers["content-length"]


async def test_an_endless_body_is_refused(served: httpx.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(80):
            yield b" " * 1024

    headers = {"Content-Type": "application/json"}
    problem(await served.post("/v1/players", content=chunks(), headers=headers), 413, "body-too-large")
    problem(await served.post("/v1/players", content=b" " * 70_000, headers=headers), 413, "body-too-large")
    assert (await (await register(served)).get("/tokens")).status_code == 200


async def test_the_service_outlives_a_client_that_disconnects(served: httpx.AsyncClient) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.base_url.port)
    writer.write(
        b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    )
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert (await served.get("/health/ready")).status_code == 200
