"""What depends on the server in front of the application, tested through a socket."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import uvicorn

from service.http.edge import Edge
from service.queries import exports
from service.store.database import StoreUnavailable
from tests.contract.conftest import problem, register, seated


@pytest.fixture
async def served(app: Edge) -> AsyncIterator[httpx.AsyncClient]:
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


async def test_an_answer_whose_next_piece_cannot_be_made_breaks_off(
    served: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = [await register(served, name) for name in ("Ada", "Berta", "Carl")]
    path = f"/v1/tables/{await seated(three)}/export"
    monkeypatch.setattr(exports, "PIECE", 2)
    whole = await served.get(path)
    assert whole.status_code == 200
    assert "content-length" not in whole.headers
    assert (await served.head(path)).headers["etag"] == whole.headers["etag"]
    path = f"/v1/tables/{await seated(three)}/export"
    lines = exports.event_lines

    async def failing(context: Any, table: str, after: int, *more: Any) -> Any:
        if after:
            raise StoreUnavailable("an outage")
        return await lines(context, table, after, *more)

    monkeypatch.setattr(exports, "event_lines", failing)
    read = bytearray()

    async def reads(answer: httpx.Response) -> None:
        async for piece in answer.aiter_raw():
            read.extend(piece)

    async with served.stream("GET", path) as answer:
        assert answer.status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            await reads(answer)
    assert read.count(b"\n") == 3
    monkeypatch.undo()
    assert (await served.get(path)).content.startswith(read)


async def test_for_a_client_that_is_gone_no_more_pieces_are_made(
    served: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = [await register(served, name) for name in ("Ada", "Berta", "Carl")]
    path = f"/v1/tables/{await seated(three)}/export"
    monkeypatch.setattr(exports, "PIECE", 1)
    lines, made, waiting = exports.event_lines, [0], asyncio.Event()

    async def slow(*arguments: Any) -> Any:
        made[0] += 1
        if made[0] == 3:
            waiting.set()
            await asyncio.sleep(0.2)
        return await lines(*arguments)

    monkeypatch.setattr(exports, "event_lines", slow)
    async with served.stream("GET", path):
        await waiting.wait()
    await asyncio.sleep(0.4)
    assert made == [3]
