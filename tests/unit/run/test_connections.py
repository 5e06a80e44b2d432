"""What a client can hold: how long, by sending nothing or little or by not reading, and how many connections."""

import asyncio
import contextlib
import json
import resource
import socket
from collections.abc import AsyncIterator
from ipaddress import ip_address
from typing import Literal

import pytest
import structlog
from litestar.types import Receive, Scope, Send
from structlog.testing import capture_logs

from service.config import Settings
from service.http.problems import Problem
from service.limits.addresses import WIDER
from service.observability.metrics import Metrics
from service.run import transport
from service.run.connections import RESERVED, TIMEOUTS_S, Part, Timeouts, within_descriptors
from tests.support.for_each import for_each
from tests.support.sockets import (
    CLIENT,
    GET,
    PATIENCE_S,
    POST,
    Served,
    answer_with,
    connections_of,
    echo,
    lifespan,
    refused,
    sent,
    served,
)

LENGTH = b"Content-Length: 4000000"
CHUNKED = b"Transfer-Encoding: chunked"
SHORT_S = 0.15
LONG_S = 600.0


def patient(*short: Part | Literal["write"]) -> Timeouts:
    """Nothing times out but what is named."""
    return {part: SHORT_S if part in short else LONG_S for part in TIMEOUTS_S}


def ended(server: Served) -> dict[str, float]:
    """How many connections the server has ended, by the reason."""
    reasons = ("idle", "head", "body", "write", "room")
    counts = {
        one: server.measured(f'codille_connections_ended_total{{listener="interface",reason="{one}"}}')
        for one in reasons
    }
    return {reason: count for reason, count in counts.items() if count}


async def dripped(port: int, start: bytes, drip: bytes) -> bytes:
    """All that is answered to a client that sends the start, and then a bit again and again."""
    reader, writer = await asyncio.open_connection(CLIENT, port)
    writer.write(start)

    async def dripping() -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await asyncio.sleep(SHORT_S / 10)
                writer.write(drip)
                await writer.drain()

    task = asyncio.create_task(dripping())
    answer = b""
    # What was sent after the end resets the connection.
    with contextlib.suppress(ConnectionResetError):
        async with asyncio.timeout(PATIENCE_S):
            while piece := await reader.read(65536):
                answer += piece
    task.cancel()
    writer.close()
    return answer


@pytest.mark.parametrize("start", [b"", b"\r\n"], ids=["new", "blank"])
@pytest.mark.parametrize("drip", [b"", b"\r\n"], ids=["silent", "blank lines"])
async def test_a_connection_without_a_request_is_ended(start: bytes, drip: bytes) -> None:
    async with served(Settings(), timeouts_s=patient("idle")) as server:
        assert await dripped(server.port, start, drip) == b""
        await server.until_open(0)
        assert ended(server) == {"idle": 1}


@pytest.mark.parametrize("drip", [b"", b"\r\n"], ids=["silent", "blank lines"])
async def test_a_connection_without_another_request_is_ended(drip: bytes) -> None:
    async def hurried(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            connections.timeouts_s = patient("idle", "head", "body")
        await echo(scope, receive, send)

    async with served(Settings(), hurried, timeouts_s=patient()) as server:
        connections = server.connections
        assert (await dripped(server.port, GET + b"\r\n", drip)).count(b"HTTP/1.1 200") == 1
        await server.until_open(0)
        assert ended(server) == {"idle": 1}


@pytest.mark.parametrize("before", [b"", GET + b"\r\n"], ids=["first", "second"])
@pytest.mark.parametrize(
    ("start", "drip"),
    [(b"G", b""), (b"GET /", b"a"), (GET, b""), (GET + b"X: ", b"a"), (GET, b"X: a\r\n")],
    ids=["method", "url dripped", "no end", "header dripped", "headers dripped"],
)
async def test_a_head_that_does_not_end_is_answered_and_ended(before: bytes, start: bytes, drip: bytes) -> None:
    async with served(Settings(), timeouts_s=patient("head")) as server:
        answer = await dripped(server.port, before + start, drip)
        assert answer.count(b"HTTP/1.1 200") == len(before) // max(1, len(GET + b"\r\n"))
        detail = refused(answer[answer.rindex(b"HTTP/1.1") :], 408, "request-timeout")
        assert detail == "the head of a request must arrive within 0.15 seconds"
        await server.until_open(0)
        assert ended(server) == {"head": 1}


@pytest.mark.parametrize(
    ("start", "drip"),
    [
        (POST + b"Content-Length: 10000\r\n\r\n", b""),
        (POST + b"Content-Length: 10000\r\n\r\n", b"a"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"a"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: a\r\n"),
    ],
    ids=["none", "dripped", "in chunks", "an extension", "trailers"],
)
async def test_a_body_that_does_not_end_is_answered_and_ended(start: bytes, drip: bytes) -> None:
    async with served(Settings(), timeouts_s=patient("body")) as server:
        refused(await dripped(server.port, start, drip), 408, "request-timeout")
        await server.until_open(0)
        assert ended(server) == {"body": 1}


async def test_a_body_that_is_answered_before_it_ends_is_waited_for_no_longer() -> None:
    async def hasty(scope: Scope, receive: Receive, send: Send) -> None:
        if not await lifespan(scope, receive, send):
            await answer_with(send, b"{}")

    async with served(Settings(), hasty, timeouts_s=patient("body")) as server:
        answer = await dripped(server.port, POST + b"Content-Length: 10000\r\n\r\n", b"a")
        assert answer.count(b"HTTP/1.1") == 1
        await server.until_open(0)
        assert ended(server) == {"body": 1}


async def test_a_body_behind_a_request_that_takes_long_has_its_full_time() -> None:
    """While the service works, it is not the client that lets it wait."""
    working, finish = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if await lifespan(scope, receive, send):
            return
        if scope["method"] == "GET":
            working.set()
            await finish.wait()
        while (await receive()).get("more_body", False):
            pass
        await answer_with(send, b"{}")

    async with served(Settings(), slow, timeouts_s=patient("head", "body")) as server:
        reader, writer = await asyncio.open_connection(CLIENT, server.port)
        writer.write(GET + b"\r\n" + POST + b"Content-Length: 2\r\n\r\na")
        async with asyncio.timeout(PATIENCE_S):
            await working.wait()
        await asyncio.sleep(3 * SHORT_S)
        assert ended(server) == {}
        writer.write(b"b")
        finish.set()
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(2):
                assert (await reader.readuntil(b"{}")).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_a_client_that_is_quick_enough_is_left_alone() -> None:
    async with served(Settings(), timeouts_s=patient()) as server:
        reader, writer = await asyncio.open_connection(CLIENT, server.port)
        for piece in (b"POST /it HT", b"TP/1.1\r\nHost: x\r\nContent-Le", b"ngth: 3\r\n\r\na", b"b", b"c"):
            writer.write(piece)
            await asyncio.sleep(SHORT_S / 5)
        async with asyncio.timeout(PATIENCE_S):
            assert b'"length": 3' in await reader.readuntil(b"}")
        assert ended(server) == {}
        writer.close()


ENDLESS = b"x" * (64 * 1024)


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers without end, as fast as the client reads."""
    if await lifespan(scope, receive, send):
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    gone = asyncio.create_task(receive())
    while not gone.done():
        await send({"type": "http.response.body", "body": ENDLESS, "more_body": True})


async def long(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers at once with more than any buffer takes."""
    if not await lifespan(scope, receive, send):
        await answer_with(send, ENDLESS * 512)


@pytest.fixture
async def unread() -> AsyncIterator[socket.socket]:
    """A client's socket that takes little before it is read."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        yield client


@pytest.mark.parametrize("end", [b"", b"Connection: close\r\n"], ids=["kept", "closed"])
@pytest.mark.parametrize("app", [endless, long])
@pytest.mark.parametrize("take", [0, 1], ids=["nothing", "a drip"])
async def test_a_client_that_does_not_read_is_ended(unread: socket.socket, app: object, end: bytes, take: int) -> None:
    loop = asyncio.get_running_loop()
    async with served(Settings(), app, timeouts_s=patient("write", "idle")) as server:  # type: ignore[arg-type]
        await loop.sock_connect(unread, (CLIENT, server.port))
        await loop.sock_sendall(unread, GET + end + b"\r\n")
        async with asyncio.timeout(PATIENCE_S):
            while not ended(server):
                await asyncio.sleep(SHORT_S / 10)
                if take:
                    with contextlib.suppress(OSError):
                        unread.recv(take)
        await server.until_open(0)
        assert ended(server)["write"] == 1
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*server.server.server_state.tasks)


async def test_pipelined_requests_whose_answers_are_not_read_are_ended(unread: socket.socket) -> None:
    loop = asyncio.get_running_loop()

    async def large(scope: Scope, receive: Receive, send: Send) -> None:
        if not await lifespan(scope, receive, send):
            await answer_with(send, ENDLESS)

    async with served(Settings(), large, timeouts_s=patient("write")) as server:
        await loop.sock_connect(unread, (CLIENT, server.port))
        await loop.sock_sendall(unread, (GET + b"\r\n") * 200)
        async with asyncio.timeout(PATIENCE_S):
            while not ended(server):  # noqa: ASYNC110 (a metric has no event)
                await asyncio.sleep(SHORT_S / 10)
        await server.until_open(0)
        assert ended(server) == {"write": 1}


async def test_a_client_that_reads_slowly_but_fairly_gets_everything(unread: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 256 * 1024)
    async with served(Settings(), long, timeouts_s=patient("write")) as server:
        await loop.sock_connect(unread, (CLIENT, server.port))
        await loop.sock_sendall(unread, GET + b"Connection: close\r\n\r\n")
        size = 0
        async with asyncio.timeout(PATIENCE_S):
            while piece := await loop.sock_recv(unread, 1024 * 1024):
                size += len(piece)
                await asyncio.sleep(0.002)
        assert size > len(ENDLESS) * 512
        assert ended(server) == {}


Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(server: Served, source: str = CLIENT, send: bytes = b"") -> Client:
    """A connection from this address."""
    reader, writer = await asyncio.open_connection(CLIENT, server.port, local_addr=(source, 0))
    writer.write(send)
    return reader, writer


async def answered(client: Client) -> bytes:
    """What the server answers before it ends the connection."""
    async with asyncio.timeout(PATIENCE_S):
        answer = await client[0].read()
    client[1].close()
    return answer


def limited(most: int, per_address: int, **others: object) -> Settings:
    return Settings(max_connections=most, max_connections_per_address=per_address, **others)  # type: ignore[arg-type]


async def test_an_address_has_its_share_and_leaves_the_others_theirs() -> None:
    with capture_logs() as lines:
        async with served(limited(100, 3)) as server:
            mine = [await connect(server, "127.0.0.2") for _ in range(3)]
            await server.until_open(3)
            for _ in range(20):
                detail = refused(await answered(await connect(server, "127.0.0.2")), 429, "too-many-connections")
            assert detail == "an address may have 3 connections at once"
            other = await answered(await connect(server, "127.0.0.3", GET + b"Connection: close\r\n\r\n"))
            assert other.startswith(b"HTTP/1.1 200")
            assert server.measured('codille_connections_refused_total{limit="address",listener="interface"}') == 20
            # The share is for connections at once.
            mine[0][1].close()
            await server.until_open(2)
            again = await answered(await connect(server, "127.0.0.2", GET + b"Connection: close\r\n\r\n"))
            assert again.startswith(b"HTTP/1.1 200")
            for _, writer in mine:
                writer.close()
            await server.until_open(0)
    warnings = [line for line in lines if line["event"] == "connections are refused: too many from one address"]
    assert [(line["log_level"], line["open"]) for line in warnings] == [("warning", 3)]


async def test_where_all_connections_are_busy_others_are_refused() -> None:
    release, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def busy(scope: Scope, receive: Receive, send: Send) -> None:
        if not await lifespan(scope, receive, send):
            begun.release()
            await release.wait()
            await answer_with(send, b"{}")

    with capture_logs() as lines:
        async with served(limited(4, 4), busy) as server:
            working = [await connect(server, f"127.0.0.{n}", GET + b"Connection: close\r\n\r\n") for n in range(2, 6)]
            await server.until_open(4)
            async with asyncio.timeout(PATIENCE_S):
                for _ in working:
                    await begun.acquire()
            for n in range(6, 16):
                answer = await answered(await connect(server, f"127.0.0.{n}"))
                refused(answer, 503, "unavailable")
                assert b"retry-after: " in answer
            assert server.measured('codille_connections{listener="interface"}') == 4
            assert server.measured('codille_connections_refused_total{limit="all",listener="interface"}') == 10
            release.set()
            for client in working:
                assert (await answered(client)).startswith(b"HTTP/1.1 200")
    warnings = [line for line in lines if line["event"].startswith("connections are refused")]
    assert len(warnings) == 1


@pytest.mark.parametrize("start", [b"", GET, GET + b"\r\n"], ids=["new", "half-headed", "kept alive"])
async def test_whoever_lets_the_service_wait_longest_makes_room(start: bytes) -> None:
    """Otherwise a few addresses that send nothing would shut everybody out."""
    async with served(limited(6, 2)) as server:
        idle = []
        for n in range(2, 8):
            idle.append(await connect(server, f"127.0.0.{n}", start))
            await server.until_open(len(idle))
            if start.endswith(b"\r\n\r\n"):
                await idle[-1][0].readuntil(b"}")
        for n in range(8, 12):
            newcomer = await connect(server, f"127.0.0.{n}", GET + b"Connection: close\r\n\r\n")
            assert (await answered(newcomer)).startswith(b"HTTP/1.1 200")
        assert await answered(idle[0]) == b""
        await server.until_open(5)
        assert ended(server) == {"room": 1}
        for _, writer in idle:
            writer.close()


async def test_a_trusted_proxys_connections_are_no_single_clients() -> None:
    async with served(limited(100, 2, trusted_proxies=("127.0.0.2/32",))) as server:
        clients = [await connect(server, "127.0.0.2") for _ in range(10)]
        await server.until_open(10)
        answer = await answered(await connect(server, "127.0.0.2", GET + b"Connection: close\r\n\r\n"))
        assert answer.startswith(b"HTTP/1.1 200")
        for _, writer in clients:
            writer.close()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, *, same: bool) -> None:
    counted = connections_of(Settings(), Metrics())
    assert (counted.open(one) == counted.open(other)) is same


@pytest.mark.parametrize("peer", ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::7"])
def test_a_proxy_is_known_in_either_form_of_its_address(peer: str) -> None:
    counted = connections_of(limited(100, 1, trusted_proxies=("10.1.0.0/16", "2001:db8::/48")), Metrics())
    assert ip_address(peer)
    for _ in range(3):
        counted.open(peer)


def test_a_network_of_many_addresses_has_a_few_times_the_connections_of_one() -> None:
    counted = connections_of(limited(100, 2), Metrics())
    opened = [counted.open(f"2001:db8:0:{number:x}::1") for number in range(WIDER[1] * 2)]
    with pytest.raises(Problem, match="an address may have 4 connections"):
        counted.open("2001:db8:0:ff::1")
    opened += [counted.open(f"2001:db8:0:{number + 1:x}00::1") for number in range((WIDER[2] - WIDER[1]) * 2)]
    with pytest.raises(Problem, match="an address may have 8 connections"):
        counted.open("2001:db8:0:ff00::1")
    assert counted.open("2001:db8:1::1")
    counted.close(opened.pop())
    assert counted.open("2001:db8:0:ff00::1")


def test_connections_leave_descriptors_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"limits": (1024, 1024)}
    monkeypatch.setattr(resource, "getrlimit", lambda _: given["limits"])
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.update(limits=limits))
    log = structlog.get_logger()
    with capture_logs() as lines:
        assert within_descriptors(500, log) == 500
        assert within_descriptors(2000, log) == 1024 - RESERVED
        given["limits"] = (100, 100)
        assert within_descriptors(2000, log) == 50
    assert [(line["log_level"], line["connections"]) for line in lines] == [("warning", 896), ("warning", 50)]
    # Up to the hard limit a process may have what it asks for.
    given["limits"] = (1024, 20_000)
    assert within_descriptors(2000, log) == 2000
    assert given["limits"] == (2000 + RESERVED, 20_000)
    given["limits"] = (1024, 1500)
    assert within_descriptors(2000, log) == 1500 - RESERVED
    given["limits"] = (1024, resource.RLIM_INFINITY)
    assert within_descriptors(2000, log) == 2000


async def test_what_a_stranger_causes_again_and_again_is_a_line_in_the_log() -> None:
    with capture_logs() as lines:
        async with served(Settings()) as server:
            for _ in range(30):
                document = json.loads((await sent(server.port, b"FROB\r\n\r\n", pause_s=0)).partition(b"\r\n\r\n")[2])
                assert document["code"] == "bad-request"
    assert [line["event"] for line in lines] == ["answered before any operation: bad-request"]


async def hasty(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers before the body has come."""
    if not await lifespan(scope, receive, send):
        await answer_with(send, b"early")


@for_each("version, framing", [(b"1.0", LENGTH), (b"1.1", LENGTH), (b"1.1", CHUNKED)])
async def test_who_still_sends_a_body_reads_the_last_answer_of_a_connection(version: bytes, framing: bytes) -> None:
    head = b"POST / HTTP/%b\r\nHost: x\r\nConnection: close\r\n%b\r\n\r\n" % (version, framing)
    body = b"%x\r\n%b\r\n0\r\n\r\n" % (4_000_000, b"x" * 4_000_000) if framing == CHUNKED else b"x" * 4_000_000
    async with served(Settings(), hasty) as server:
        for pieces in ((head, body), (head + body,)):
            answer = await sent(server.port, *pieces)
            assert (answer.count(b"HTTP/1.1 200 "), answer.endswith(b"early")) == (1, True), answer
        await server.until_open(0)


async def test_who_sends_a_body_without_an_end_is_heard_no_longer_than_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "LINGER_S", SHORT_S)
    start = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + LENGTH + b"\r\n\r\n"
    async with served(Settings(), hasty, timeouts_s=patient()) as server:
        assert (await dripped(server.port, start, b"x")).endswith(b"early")
        await server.until_open(0)
