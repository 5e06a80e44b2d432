"""The proxies' configurations: the programs take them, and no request reaches the service that the proxy did not see.

Each runs where its program is installed. Elsewhere what matters of a configuration is looked for in its text.
"""

import asyncio
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from service.config import Settings
from tests.support.smuggling import FORMS, HELD, Recorder
from tests.support.sockets import CLIENT, PATIENCE_S, served

COMPOSE = Path(__file__).parents[3] / "deploy" / "compose"
SBIN = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
PROGRAMS = {name: shutil.which(name, path=SBIN) for name in ("nginx", "haproxy")}

OK = re.compile(rb"HTTP/1\.[01] 200 ")

REFUSED = [form for form in FORMS if re.search("both|two|and chunked|encoding|no host|chunked twice", form)]
"""Forms that say two things: neither proxy makes one of them."""

FIRST = b"GET /first HTTP/1.1\r\nHost: codille\r\nConnection: close\r\n\r\n"


SILENCE_S = 2.0
"""After how long a proxy that keeps the connection has nothing to add."""


def free_port() -> int:
    """A port that was free just now."""
    with socket.socket() as one:
        one.bind((CLIENT, 0))
        return int(one.getsockname()[1])


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """The text with each first one, which stands in it once, replaced by the second."""
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def command(name: str, directory: Path, port: int, upstream: int) -> list[str]:
    """What runs the proxy of the compose file here, before the service at the port `upstream`."""
    program = PROGRAMS[name]
    assert program
    if name == "nginx":
        text = replaced(
            (COMPOSE / "nginx.conf").read_text(),
            ("server api:8000;", f"server {CLIENT}:{upstream};"),
            ("listen 8000;", f"listen {CLIENT}:{port};"),
            ("http {", f"pid {directory}/pid; error_log stderr;\nhttp {{ access_log off; {temporary(directory)}"),
        )
        options = ["-p", str(directory), "-g", "daemon off; master_process off;", "-c"]
    else:
        text = replaced(
            (COMPOSE / "haproxy.cfg").read_text(),
            ("bind :8000", f"bind {CLIENT}:{port}"),
            ("resolvers docker\n", "resolvers unused\n"),
        )
        text = re.sub(r"server-template .*", f"server api {CLIENT}:{upstream}", text)
        options = ["-db", "-f"]
    file = directory / name
    file.write_text(text)
    return [program, *options, str(file)]


def temporary(directory: Path) -> str:
    """nginx's directives that name where it may write."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {directory}/{kind};" for kind in kinds)


@asynccontextmanager
async def proxied(name: str, directory: Path, upstream: int) -> AsyncIterator[int]:
    """The proxy before the service at the port, and its own port. It answers by then."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(*command(name, directory, port, upstream))
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not (await said(port, FIRST)).startswith(b"HTTP/1.1 200"):
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        await process.wait()


async def said(port: int, *pieces: bytes) -> bytes:
    """All that is answered to these pieces, until the proxy ends the connection, or has nothing to add."""
    try:
        reader, writer = await asyncio.open_connection(CLIENT, port)
    except ConnectionRefusedError:
        return b""
    answer = b""
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(SILENCE_S):
            while piece := await reader.read(65536):
                answer += piece
    except (TimeoutError, ConnectionError):
        # The connection is kept for another request, or the rest of this one.
        pass
    finally:
        writer.close()
    return answer


@pytest.mark.parametrize("name", PROGRAMS)
async def test_no_request_reaches_the_service_that_the_proxy_did_not_see(name: str, tmp_path: Path) -> None:
    if PROGRAMS[name] is None:
        pytest.skip(f"{name} is not installed: its configuration is only read")
    recorder = Recorder()
    settings = Settings(max_connections_per_address=1000)
    async with served(settings, recorder) as server, proxied(name, tmp_path, server.port) as port:
        recorder.clear()
        forms = FORMS | HELD
        answers = await asyncio.gather(*(said(port, *pieces) for pieces in forms.values()))
        answered = {form: len(OK.findall(answer)) for form, answer in zip(forms, answers, strict=True)}
        # Behind a form that is passed on, the request that follows is one for the proxy too, or never comes.
        assert sum(answered.values()) == len(recorder.complete), (answered, recorder.complete)
        taken = {form for form in REFUSED if answered[form]}
        # HAProxy takes the chunks and leaves out the length, as RFC 9112, 6.3 allows.
        allowed = (
            {"both lengths", "both lengths, chunked first", "no length, and chunked"} if name == "haproxy" else set()
        )
        assert taken <= allowed
        assert all(answered[form] == 1 for form in taken), "what follows is not taken for a request"
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
