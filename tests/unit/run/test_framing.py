"""A request that two readers could take for different ones is never answered: the known forms of request smuggling.

RFC 9112, 11.2. Each form hides a request for `/smuggled` where one of the readers would look for it.
"""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from litestar.types import Receive, Scope, Send

from service.config import Settings
from tests.support.for_each import for_each
from tests.support.smuggling import CHUNKED, FORMS, HELD, SMUGGLED, UPGRADES, Recorder
from tests.support.sockets import CLIENT, GET, PATIENCE_S, POST, Served, lifespan, refused, sent, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared() -> AsyncIterator[tuple[Served, Recorder]]:
    recorder = Recorder()
    async with served(Settings(), recorder) as server:
        yield server, recorder


@pytest.fixture
def server(shared: tuple[Served, Recorder]) -> Served:
    """A server that all tests here share."""
    return shared[0]


@pytest.fixture
def recorder(shared: tuple[Served, Recorder]) -> Recorder:
    """The application that it serves, which has been asked for nothing."""
    _, recorder = shared
    recorder.clear()
    return recorder


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("split", [False, True], ids=["at once", "in segments"])
async def test_a_request_framed_in_two_ways_is_not_answered(
    server: Served, recorder: Recorder, form: tuple[bytes, bytes], *, split: bool
) -> None:
    head, rest = form
    pieces = [head, *([rest] if rest else [])] if split else [head + rest]
    answer = await sent(server.port, *pieces)
    refused(answer, 400, "bad-request")
    # A handler may have waited for the body of what turned out to be none; nothing was complete.
    assert recorder.complete == []


@pytest.mark.parametrize("form", HELD.values(), ids=HELD.keys())
@pytest.mark.parametrize("split", [False, True], ids=["at once", "in segments"])
async def test_what_follows_the_last_request_is_not_looked_at(
    server: Served, recorder: Recorder, form: tuple[bytes, bytes], *, split: bool
) -> None:
    answer = await sent(server.port, *(form if split else [b"".join(form)]))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answer.lower()
    assert recorder.complete == ["/it"]


@for_each("offer", UPGRADES.values())
@for_each("form", FORMS.values())
async def test_nor_is_it_with_an_offer_to_upgrade(
    server: Served, recorder: Recorder, form: tuple[bytes, bytes], offer: bytes
) -> None:
    line, end, rest = b"".join(form).partition(b"\r\n")
    refused(await sent(server.port, line + end + offer + rest, pause_s=0), 400, "bad-request")
    assert recorder.complete == []


@for_each("offer", UPGRADES.values())
@for_each(
    "framing, body",
    [
        (b"\r\n", b""),
        (b"Content-Length: 0\r\n\r\n", b""),
        (b"Content-Length: %d\r\n\r\n" % len(SMUGGLED) + SMUGGLED, SMUGGLED),
        (CHUNKED + b"\r\n%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\nX: y\r\n\r\n", SMUGGLED),
        (b"Content-Length: 1\r\nExpect: 100-continue\r\n\r\na", b"a"),
    ],
)
async def test_an_offer_to_upgrade_is_ignored(
    server: Served, recorder: Recorder, framing: bytes, body: bytes, offer: bytes
) -> None:
    request = POST + offer + framing
    ways = [[request[:place], request[place:]] for place in range(1, len(request) + 1, 3)]
    last = GET + offer + b"Connection: close\r\n\r\n"
    recorder.clear()
    answers = await asyncio.gather(*(sent(server.port, first, rest + request + last) for first, rest in ways))
    assert {answer.count(b"HTTP/1.1 200 ") for answer in answers} == {3}
    assert {answer.count(b"HTTP/1.1 100 ") for answer in answers} == {2 * (b"Expect" in framing)}
    assert {answer.count(b"connection: close") for answer in answers} == {1}
    assert set(recorder.complete) == {"/it"}
    assert sorted(recorder.bodies) == sorted([body, body, b""] * len(ways))


async def test_what_offers_bring_besides_is_as_it_was_sent() -> None:
    async with served(Settings()) as server:
        offered = POST + b"X: \t \xff: y \r\nEmpty:\r\nCookie: a\r\ncookie: b\r\n"
        head = offered + UPGRADES["version 2"] + b"Content-Length: 1\r\nConnection: close\r\n\r\n"
        taken_for = json.loads((await sent(server.port, head + b"a")).partition(b"\r\n\r\n")[2])
    given = ["host", "x", "empty", "cookie", "cookie", "connection", "http2-settings", "content-length", "connection"]
    assert (taken_for["headers"], taken_for["length"]) == (given, 1)


async def in_parts(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers without a length."""
    if await lifespan(scope, receive, send):
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for part in (b"a", b"", b"bc"):
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


@for_each("headers", [b"", b"Connection: keep-alive\r\n", UPGRADES["version 2"]])
async def test_an_old_clients_answer_ends_with_its_connection(headers: bytes) -> None:
    rest = b" /it HTTP/1.0\r\n" + headers + b"Content-Length: 1\r\nExpect: 100-continue\r\n\r\na"
    async with served(Settings(), in_parts) as server:
        answers = {method: await sent(server.port, method + rest) for method in (b"GET", b"HEAD", b"POST")}
    for method, answer in answers.items():
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert b"transfer-encoding" not in head.lower()
        assert b"connection: close" in head
        assert body == (b"" if method == b"HEAD" else b"abc")


async def test_trailers_are_not_headers() -> None:
    body = b"1\r\na\r\n0\r\nX-Forwarded-For: 192.0.2.1\r\nAuthorization: Bearer x\r\n\r\n"
    async with served(Settings(trusted_proxies=("127.0.0.0/8",))) as server:
        head = POST + b"X-Forwarded-For: 198.51.100.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        answer = await sent(server.port, head + body + GET + b"Connection: close\r\n\r\n")
    first, second = (json.loads(part[part.index(b"{") :]) for part in answer.split(b"HTTP/1.1 200 ")[1:])
    assert (first["client"], first["headers"]) == ("198.51.100.1", ["host", "x-forwarded-for", "transfer-encoding"])
    assert first["length"] == 1
    assert second["headers"] == ["host", "connection"]


@pytest.mark.parametrize(
    "host", [b"x", b"codille.test:8000", b"[::1]:8000", b"192.0.2.1", b"a_b", b"x:"], ids=lambda host: host.decode()
)
async def test_a_host_is_taken_as_it_is_written(server: Served, recorder: Recorder, host: bytes) -> None:
    answer = await sent(server.port, b"GET /it HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_an_old_client_needs_no_host(server: Served) -> None:
    assert (await sent(server.port, b"GET /it HTTP/1.0\r\n\r\n")).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("chunk", [b"1;name=value\r\na\r\n", b'1;name="a;b"\r\na\r\n', b"01\r\na\r\n"])
async def test_a_chunk_is_read_as_the_standard_has_it(server: Served, recorder: Recorder, chunk: bytes) -> None:
    head = POST + b"Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
    assert (await sent(server.port, head + chunk + b"0\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    assert recorder.bodies == [b"a"]


async def test_pipelined_requests_are_answered_in_order(server: Served, recorder: Recorder) -> None:
    paths = [f"/{number}" for number in range(50)]
    requests = [b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode() for path in paths]
    answer = await sent(server.port, b"".join(requests) + GET + b"Connection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 ") == 51
    assert recorder.complete == [*paths, "/it"]


async def test_a_connection_that_is_lost_amid_pipelined_answers_leaves_no_trace(
    server: Served, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    recorder.hold.clear()
    for lose in ("close", "abort"):
        recorder.complete.clear()
        _, writer = await asyncio.open_connection(CLIENT, server.port)
        writer.write((GET + b"\r\n") * 20)
        async with asyncio.timeout(PATIENCE_S):
            await recorder.held.wait()
        recorder.held.clear()
        getattr(writer.transport, lose)()
        await server.until_open(0)
        recorder.hold.set()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*server.server.server_state.tasks)
        recorder.hold.clear()
        assert recorder.complete == ["/it"], "nobody waits for the others"
    assert errors == []
    assert caplog.records == []
