"""A server that is to stop does so in its time, whatever its clients do, and writes no traceback."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import cast

import pytest
import structlog
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.record.history import Reader
from service.app import TARIFF
from service.config import Settings
from service.http.edge import Edge
from service.observability.metrics import Metrics
from service.run.applications import FINISH_S
from service.run.measurements import VARIABLE
from service.run.stop import STOP_S
from service.services import Services
from tests.support.sockets import CLIENT, GET, PATIENCE_S, POST, answer_with, lifespan, served

Begun = Callable[[], None]


def silent(begun: Begun) -> ASGIApp:
    """Begins to answer, and then has nothing to say."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        begun()
        await asyncio.Event().wait()

    return app


def talking(begun: Begun) -> ASGIApp:
    """Answers without end, as fast as the client reads."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun()
        gone = asyncio.create_task(receive())
        while not gone.done():
            await send({"type": "http.response.body", "body": b"first" * 10_000, "more_body": True})
            await asyncio.sleep(0)

    return app


def thinking(begun: Begun) -> ASGIApp:
    """Has not begun to answer."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun()
        await asyncio.Event().wait()

    return app


def quick(begun: Begun) -> ASGIApp:
    """Answers at once, when the request is complete."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun()
        while (await receive()).get("more_body", False):
            pass
        await answer_with(send, b"{}")

    return app


@pytest.mark.parametrize(
    ("make", "sent", "answered"),
    [
        (silent, GET + b"\r\n", b"first"),
        (talking, GET + b"\r\n", b"first"),
        (thinking, GET + b"\r\n", b"the service is stopping"),
        (thinking, (GET + b"\r\n") * 5, b"the service is stopping"),
        (quick, POST + b"Content-Length: 9\r\n\r\n{", b"the service is stopping"),
    ],
    ids=["a quiet stream", "a stream that is not read", "an answer", "pipelined", "half a body"],
)
async def test_what_is_under_way_ends_in_time(
    make: Callable[[Begun], ASGIApp], sent: bytes, answered: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    begun = asyncio.Event()
    services = SimpleNamespace(settings=Settings(), reader=Reader({}), logger=structlog.get_logger(), metrics=Metrics())
    inner = Edge(make(begun.set), cast("Services", services), tariff=TARIFF)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if not await lifespan(scope, receive, send):
            await inner(scope, receive, send)

    async with served(Settings(), app) as server:
        others = [await asyncio.open_connection(CLIENT, server.port) for _ in range(3)]
        others[1][1].write(GET)
        reader, writer = await asyncio.open_connection(CLIENT, server.port)
        writer.write(sent)
        async with asyncio.timeout(PATIENCE_S):
            await begun.wait()
        await server.until_open(4)
        since = time.monotonic()
        server.server.should_exit = True
    assert time.monotonic() - since < PATIENCE_S
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    assert answered in answer
    assert errors == []
    assert [record for record in caplog.records if record.exc_info] == []
    for _, other in (*others, (reader, writer)):
        other.close()


def test_a_worker_that_is_to_stop_outside_its_event_loop_ends_in_order(tmp_path: Path) -> None:
    program = """
        import os, signal, sys
        from service.run import worker
        worker.run = lambda *_, stop, ready, log: os.kill(os.getpid(), signal.SIGTERM)
        sys.exit(worker.main(["ready=0", "number=0"]))
    """
    environment = {
        "CODILLE_DATABASE_URL": "postgresql:///",
        "CODILLE_REDIS_URL": "redis://",
        "CODILLE_LOG_FORMAT": "json",
        VARIABLE: str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-c", dedent(program)],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0
    assert [json.loads(line)["event"] for line in ended.stderr.splitlines()] == ["stopped at once"]


def test_what_is_under_way_is_given_up_before_the_process_is() -> None:
    assert FINISH_S < STOP_S
