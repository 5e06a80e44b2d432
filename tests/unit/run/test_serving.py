"""The server in front of the application, set up as it is run, spoken to through sockets."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.config import Settings
from service.observability.metrics import Metrics
from service.run.applications import configured
from tests.support.sockets import CLIENT, GET, POST, connections_of, echo, refused, request, sent, served

PROXY, OTHER = "127.0.0.2", "127.0.0.3"


async def test_no_proxy_is_trusted_unless_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    async with served(Settings()) as server:
        taken_for = await request(server.port, "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https")
        assert (taken_for["client"], taken_for["scheme"]) == (CLIENT, "http")


@pytest.mark.parametrize(
    ("source", "forwarded", "client"),
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
async def test_of_a_trusted_proxys_header_what_it_added_itself_is_believed(
    source: str, forwarded: list[str], client: str
) -> None:
    async with served(Settings(trusted_proxies=(f"{PROXY}/32", f"{OTHER}/32"))) as server:
        headers = [f"X-Forwarded-For: {addresses}" for addresses in forwarded]
        assert (await request(server.port, *headers, source=source))["client"] == client


def test_a_proxy_is_known_by_its_address_on_a_socket_for_both_families() -> None:
    settings = Settings(trusted_proxies=("10.1.0.0/16", "2001:db8::/48"))
    config = configured(echo, settings, connections_of(settings, Metrics()))
    assert config.forwarded_allow_ips == ["10.1.0.0/16", "::ffff:10.1.0.0/112", "2001:db8::/48"]


@pytest.fixture
async def port() -> AsyncIterator[int]:
    async with served(Settings()) as server:
        yield server.port


@pytest.mark.parametrize(
    "request_",
    [
        b"FROB / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"GET it HTTP/1.1\r\nHost: x\r\n\r\n",
        POST + b"Content-Length: x\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
async def test_what_is_not_a_request_is_answered_with_a_problem(port: int, request_: bytes) -> None:
    refused(await sent(port, request_), 400, "bad-request")
    assert (await request(port))["path"] == "/"


@pytest.mark.parametrize(
    ("pieces", "status", "code"),
    [
        ([b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"], 414, "url-too-long"),
        ([b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"], 414, "url-too-long"),
        ([b"GET /", *[b"a" * 9000] * 5], 414, "url-too-long"),
        ([GET + b"X: " + b"a" * 200_000 + b"\r\n\r\n"], 431, "headers-too-large"),
        ([GET + b"X: " + b"a" * 40_000, b"\r\n\r\n"], 431, "headers-too-large"),
        ([GET + b"X: ", *[b"a" * 9000] * 5], 431, "headers-too-large"),
        ([GET, *[b"X: " + b"a" * 5000 + b"\r\n"] * 8], 431, "headers-too-large"),
        ([GET + b"a: b\r\n" * 5000 + b"\r\n"], 431, "headers-too-large"),
        ([GET + b"a: b\r\n" * 100 + b"\r\n"], 431, "headers-too-large"),
    ],
)
async def test_a_head_that_is_too_large_is_refused(port: int, pieces: list[bytes], status: int, code: str) -> None:
    refused(await sent(port, *pieces), status, code)


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /it?" + b"a" * 15_000 + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        GET + b"a: b\r\n" * 98 + b"Connection: close\r\n\r\n",
        GET + b"X: " + b"a" * 30_000 + b"\r\nConnection: close\r\n\r\n",
        # Not one of these heads is too large, though together they are.
        (GET + b"X: " + b"a" * 20_000 + b"\r\n\r\n") * 4 + GET + b"Connection: close\r\n\r\n",
        (GET + b"\r\n") * 2000 + GET + b"Connection: close\r\n\r\n",
        POST + b"Content-Length: 200000\r\nConnection: close\r\n\r\n" + b"a" * 200_000,
        (POST + b"Content-Length: 60000\r\n\r\n" + b"a" * 60_000) * 3 + GET + b"Connection: close\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + b"1\r\na\r\n" * 64_000 + b"0\r\n\r\n",
    ],
    ids=["url", "headers", "header", "heads", "many", "body", "bodies", "chunks"],
)
@pytest.mark.parametrize("size", [100_000, 7_000])
async def test_what_is_large_within_the_limits_is_taken(port: int, request_: bytes, size: int) -> None:
    pieces = [request_[place : place + size] for place in range(0, len(request_), size)]
    answer = await sent(port, *pieces, pause_s=0.001)
    assert answer.count(b"HTTP/1.1 200 ") == answer.count(b"HTTP/1.1") == request_.count(b"HTTP/1.1")
    assert answer.endswith(b'"path": "/it"}')


async def test_what_follows_a_body_without_end_is_refused(port: int) -> None:
    pieces = [b"a" * 60_000] * 12
    answer = await sent(port, POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", *pieces, pause_s=0.001)
    refused(answer, 400, "bad-request")


async def test_requests_before_one_that_is_none_are_answered(port: int) -> None:
    answer = await sent(port, GET + b"\r\n" + GET + b"\r\nFROB\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 ") == answer.count(b"HTTP/1.1") == 2
    reader, writer = await asyncio.open_connection(CLIENT, port)
    writer.write(GET + b"\r\n")
    async with asyncio.timeout(60):
        first = await reader.readuntil(b'"/it"}')
        assert first.startswith(b"HTTP/1.1 200 ")
        writer.write(b"FROB\r\n\r\n")
        refused(await reader.read(), 400, "bad-request")
    writer.close()


async def test_a_body_that_breaks_its_form_is_refused(port: int) -> None:
    refused(await sent(port, POST + b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\n"), 400, "bad-request")
    # Behind one that is still to be answered, the connection just ends.
    answer = await sent(port, GET + b"\r\n" + POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
    assert answer.count(b"HTTP/1.1") <= 1
