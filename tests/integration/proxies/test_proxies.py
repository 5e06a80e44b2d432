"""The proxies' configurations: the programs take them, and no request reaches the service that the proxy did not see.

Each runs where its program is installed. Elsewhere what matters of a configuration is looked for in its text.
"""

import asyncio
import json
import re
import ssl
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from litestar.types import Receive, Scope, Send

from service.config import Settings
from service.http.problems import KINDS
from tests.support.ports import free_port
from tests.support.proxies import COMPOSE, MACHINES, PROGRAMS, certify, command, environment
from tests.support.smuggling import FORMS, HELD, OFFERED, Recorder
from tests.support.sockets import CLIENT, PATIENCE_S, lifespan, served

OK = re.compile(rb"HTTP/1\.[01] 200 ")

REFUSED = [form for form in FORMS if re.search("both|two|and chunked|encoding|no host|chunked twice", form)]
"""Forms that say two things: neither proxy makes one of them."""

FIRST = b"GET /first HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n\r\n"


SILENCE_S = 2.0
"""After how long a proxy that keeps the connection has nothing to add."""


@asynccontextmanager
async def proxied(name: str, directory: Path, upstream: int) -> AsyncIterator[int]:
    """The proxy before the service at the port, and its own port. It answers by then."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(*command(name, directory, port, upstream), env=environment())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not (await said(port, FIRST)).startswith(b"HTTP/1.1 200"):
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        await process.wait()


class Talk(asyncio.Protocol):
    """A connection to a proxy. What was answered before it broke off is kept; a stream of asyncio would lose it."""

    def __init__(self) -> None:
        self.answer = b""
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Keeps it."""
        self.answer += data

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 (asyncio calls it so)
        """Notes that the proxy adds nothing."""
        self.ended.set()


@asynccontextmanager
async def sent(port: int, *pieces: bytes) -> AsyncIterator[Talk]:
    """A connection over which these pieces were sent, until the proxy ended it."""
    transport, talk = await asyncio.get_running_loop().create_connection(Talk, CLIENT, port)
    try:
        for piece in pieces:
            if not transport.is_closing():
                transport.write(piece)
            await asyncio.sleep(0.02)
        yield talk
    finally:
        transport.close()


async def said(port: int, *pieces: bytes) -> bytes:
    """All that is answered to these pieces, until the proxy ends the connection."""
    try:
        async with sent(port, *pieces) as talk:
            await talk.ended.wait()
            return talk.answer
    except ConnectionRefusedError:
        return b""


async def silent(talks: Sequence[Talk]) -> None:
    """Returns when nothing has been added for a while."""
    before = None
    while before != (before := [len(talk.answer) for talk in talks]):  # noqa: ASYNC110 (an end of silence is no event)
        await asyncio.sleep(SILENCE_S)


@pytest.mark.parametrize("name", PROGRAMS)
async def test_no_request_reaches_the_service_that_the_proxy_did_not_see(name: str, tmp_path: Path) -> None:
    if PROGRAMS[name] is None:
        pytest.skip(f"{name} is not installed: its configuration is only read")
    recorder = Recorder()
    settings = Settings(max_connections_per_address=1000)
    async with served(settings, recorder) as server, proxied(name, tmp_path, server.port) as port:
        recorder.clear()
        forms = FORMS | HELD | OFFERED
        async with AsyncExitStack() as stack:
            opening = (stack.enter_async_context(sent(port, *pieces)) for pieces in forms.values())
            talks = await asyncio.gather(*opening)
            # A busy machine may be silent for longer before it answers what it has taken.
            deadline = time.monotonic() + PATIENCE_S
            answered: dict[str, int] = {}
            while sum(answered.values()) != len(recorder.complete) or not answered:
                await silent(talks)
                answered = {form: len(OK.findall(talk.answer)) for form, talk in zip(forms, talks, strict=True)}
                if time.monotonic() > deadline:
                    break
        # Behind a form that is passed on, the request that follows is one for the proxy too, or never comes.
        assert sum(answered.values()) == len(recorder.complete), (answered, recorder.complete)
        taken = {form for form in REFUSED if answered[form]}
        # HAProxy takes the chunks and leaves out the length, as RFC 9112, 6.3 allows.
        allowed = (
            {"both lengths", "both lengths, chunked first", "no length, and chunked"} if name == "haproxy" else set()
        )
        assert taken <= allowed
        assert all(answered[form] == 1 for form in taken), "what follows is not taken for a request"
        assert [form for form in OFFERED if not answered[form]] == []
        # The connections to the service, which all clients share, are where they should be.
        for _ in range(20):
            recorder.clear()
            assert OK.match(await said(port, FIRST))
            assert recorder.complete == ["/first"]


@pytest.mark.parametrize("name", ["nginx.conf", "haproxy.cfg"])
def test_a_configuration_bounds_what_a_client_can_hold(name: str) -> None:
    text = (COMPOSE / name).read_text()
    wanted = {
        "nginx.conf": [
            "worker_connections", "limit_conn ", "client_header_timeout", "client_body_timeout", "send_timeout",
            "merge_slashes off", "proxy_request_buffering on",
        ],
        "haproxy.cfg": [
            "maxconn", "sc0_conn_cur gt", "timeout http-request", "timeout http-keep-alive", "timeout client",
            "option http-buffer-request", "option forwardfor",
        ],
    }  # fmt: skip
    assert [one for one in wanted[name] if one not in text] == []


async def test_what_nginx_itself_answers_is_a_problem_document(tmp_path: Path) -> None:
    if PROGRAMS["nginx"] is None:
        pytest.skip("nginx is not installed: its configuration is only read")
    post = b"POST /v1/players HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n"
    forms = {
        400: b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        404: b"GET /-/bad-request HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n\r\n",
        405: b"TRACE / HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n\r\n",
        413: post + b"Content-Length: 70000\r\n\r\n",
        414: b"GET /%b HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n\r\n" % (b"x" * 40_000),
        503: post + b"Content-Length: 2\r\n\r\n{}",
    }
    port, upstream = free_port(), free_port()
    process = await asyncio.create_subprocess_exec(*command("nginx", tmp_path, port, upstream), env=environment())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await said(port, FIRST):  # noqa: ASYNC110 (the program says nothing)
                await asyncio.sleep(0.05)
        for status, form in forms.items():
            head, _, body = (await said(port, form)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status), head
            assert b"Content-Type: application/problem+json" in head, head
            document = json.loads(body)
            kind = KINDS[document["code"]]
            assert (document["status"], document["title"]) == (kind.status, kind.title) == (status, kind.title)
            assert document["type"] == f"urn:codille:problem:{document['code']}"
            assert (b"Retry-After: 1\r\n" in head + b"\r\n") == (status == 503)
    finally:
        process.terminate()
        await process.wait()


async def whole_answer(port: int, request: bytes) -> bytes:
    """What a program answers that begins to listen at the port, until it ends the connection."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(CLIENT, port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.05)
            continue
        writer.write(request)
        answer = await reader.read()
        writer.close()
        return answer


async def spoken(port: int, trusted: ssl.SSLContext) -> str | None:
    """What a browser and the program at the port agree to speak."""
    trusted.set_alpn_protocols(["h2", "http/1.1"])
    _, writer = await asyncio.open_connection(CLIENT, port, ssl=trusted)
    writer.close()
    protocol: str | None = writer.get_extra_info("ssl_object").selected_alpn_protocol()
    return protocol


async def test_where_no_node_answers_haproxy_says_so_in_a_problem_document(tmp_path: Path) -> None:
    if PROGRAMS["haproxy"] is None:
        pytest.skip("haproxy is not installed: its configuration is only read")
    port, upstream = free_port(), free_port()
    process = await asyncio.create_subprocess_exec(*command("haproxy", tmp_path, port, upstream), env=environment())
    try:
        async with asyncio.timeout(PATIENCE_S):
            head, _, body = (await whole_answer(port, FIRST)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 "), head
        assert {b"content-type: application/problem+json", b"retry-after: 1"} <= set(head.lower().split(b"\r\n"))
        document = json.loads(body)
        assert (document["status"], document["code"]) == (503, "unavailable")
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_proxy_serves_tls_and_leads_to_it(name: str, tmp_path: Path) -> None:
    """Its own answers too have browsers come with TLS alone from then on."""
    if PROGRAMS[name] is None:
        pytest.skip(f"{name} is not installed: its configuration is only read")
    port, plain, schemes = free_port(), free_port(), []

    async def service(scope: Scope, receive: Receive, send: Send) -> None:
        if not await lifespan(scope, receive, send):
            schemes.append(dict(scope["headers"])[b"x-forwarded-proto"])  # type: ignore[typeddict-item]
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async with AsyncExitStack() as stack:
        async with served(Settings(), service) as server:
            arguments = command(name, tmp_path, port, server.port, plain=plain)
            process = await asyncio.create_subprocess_exec(*arguments, env=environment())
            stack.push_async_callback(process.wait)
            stack.callback(process.terminate)
            trusted = ssl.create_default_context(cafile=tmp_path / "site.pem")
            transport = httpx.AsyncHTTPTransport(retries=8, verify=trusted)
            client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, timeout=PATIENCE_S))
            here = await client.get(f"https://{CLIENT}:{port}/first")
            assert await spoken(port, ssl.create_default_context(cafile=tmp_path / "site.pem")) == "h2"
            led = await client.post(f"http://{CLIENT}:{plain}/v1/players?a=b")
        away = await client.get(f"https://{CLIENT}:{port}/first")
    assert (away.status_code, here.status_code, schemes) == (503, 200, [b"https"])
    assert (led.status_code, "strict-transport-security" in led.headers) == (308, False)
    assert led.headers["location"] == f"https://{CLIENT}/v1/players?a=b"
    for answer in (away, here):
        assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000"]


async def test_the_guides_haproxy_serves_tls_where_a_certificate_is_named(tmp_path: Path) -> None:
    if PROGRAMS["haproxy"] is None:
        pytest.skip("haproxy is not installed")
    certify(tmp_path)
    plain, port = free_port(), free_port()
    text = (MACHINES / "front/haproxy/haproxy.cfg").read_text()
    for here in ("    user haproxy\n", "    group haproxy\n"):
        text = text.replace(here, "")
    text = text.replace("bind :8000", f"bind {CLIENT}:{plain}").replace("bind :443", f"bind {CLIENT}:{port}")
    for certificate, status in (("none", 503), (str(tmp_path / "site.pem"), 308)):
        values = {"APP1": CLIENT, "APP2": CLIENT, "CONNECTIONS_PER_ADDRESS": "200", "TLS_CERTIFICATE": certificate}
        file = tmp_path / "haproxy.cfg"
        file.write_text(re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], text))  # noqa: B023 (used at once)
        program = str(PROGRAMS["haproxy"])
        process = await asyncio.create_subprocess_exec(program, "-db", "-f", str(file), env=environment())
        try:
            async with asyncio.timeout(PATIENCE_S):
                answered = await whole_answer(plain, FIRST)
                assert answered.startswith(b"HTTP/1.1 %d " % status)
                if status == 308:
                    assert b"location: https://codille/first\r\n" in answered
                    trusted = ssl.create_default_context(cafile=certificate)
                    async with httpx.AsyncClient(verify=trusted, trust_env=False) as client:
                        answer = await client.get(f"https://{CLIENT}:{port}/first")
                    assert answer.headers["strict-transport-security"] == "max-age=31536000"
                    assert await spoken(port, trusted) == "h2"
        finally:
            process.terminate()
            await process.wait()
