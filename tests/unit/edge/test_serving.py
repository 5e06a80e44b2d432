"""The server in front of the application, set up as it is run, spoken to through sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from litestar.types import Receive, Scope, Send

from service.config import Settings
from service.serve.process import configured

CLIENT, PROXY, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Tells what it was asked."""
    if scope["type"] == "lifespan":
        for what in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{what}.complete"})  # type: ignore[misc,arg-type]  # one of two literals
        return
    assert scope["type"] == "http"
    client = scope["client"]
    told = {"client": client[0] if client else None, "scheme": scope["scheme"], "path": scope["path"]}
    body = json.dumps(told).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[int]:
    """A server on these settings, and its port."""
    config = configured(echo, settings)
    config.port = 0
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(10):
        while not server.started:  # noqa: ASYNC110 (the server tells in no other way)
            await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


async def asked(port: int, *headers: str, source: str = CLIENT) -> dict[str, str]:
    """What a request with these headers was taken for that came from this address."""
    reader, writer = await asyncio.open_connection(CLIENT, port, local_addr=(source, 0))
    writer.write("\r\n".join(("GET / HTTP/1.1", "Host: x", "Connection: close", *headers, "", "")).encode())
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    told: dict[str, str] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return told


async def test_nobody_is_believed_whom_they_call_for_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    async with served(Settings()) as port:
        told = await asked(port, "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https")
        assert (told["client"], told["scheme"]) == (CLIENT, "http")


@pytest.mark.parametrize(
    ("source", "told", "client"),
    [
        (PROXY, ["192.0.2.1"], "192.0.2.1"),
        (PROXY, ["2001:db8::7"], "2001:db8::7"),
        (PROXY, [], PROXY),
        (CLIENT, ["192.0.2.1"], CLIENT),
        # What a client says itself stands before what the proxy adds.
        (PROXY, ["198.51.100.1, 192.0.2.1"], "192.0.2.1"),
        (PROXY, ["198.51.100.1", "192.0.2.1"], "192.0.2.1"),
        (PROXY, [f"198.51.100.1, {PROXY}, 192.0.2.1"], "192.0.2.1"),
        # One proxy behind another.
        (PROXY, [f"198.51.100.1, 192.0.2.1, {OTHER}"], "192.0.2.1"),
        (OTHER, [f"192.0.2.1, {PROXY}"], "192.0.2.1"),
    ],
)
async def test_a_trusted_proxy_is_believed_for_what_it_adds_itself(source: str, told: list[str], client: str) -> None:
    async with served(Settings(trusted_proxies=(f"{PROXY}/32", f"{OTHER}/32"))) as port:
        found = await asked(port, *(f"X-Forwarded-For: {addresses}" for addresses in told), source=source)
    assert found["client"] == client


def test_a_proxy_is_known_by_its_address_on_a_socket_for_both_families() -> None:
    config = configured(echo, Settings(trusted_proxies=("10.1.0.0/16", "2001:db8::/48")))
    assert config.forwarded_allow_ips == ["10.1.0.0/16", "::ffff:10.1.0.0/112", "2001:db8::/48"]
