"""Undocumented parts of libraries that the service uses: each is there, and its library is pinned.

A new version of a library may drop them without notice, so `pyproject.toml` bounds its versions. When a bound is
raised, these tests name each part that is gone, and the place that uses it.
"""

import asyncio
import re
import tomllib
from collections.abc import Sequence
from importlib.metadata import version
from inspect import signature
from pathlib import Path

import httptools
import prometheus_client
import pytest
import uvicorn
from litestar import Litestar
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, UnixDomainSocketConnection
from uvicorn.protocols.http import httptools_impl
from uvicorn.server import ServerState

from tests.support.for_each import for_each

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def uses(library: str, place: str, owner: object, parts: Sequence[str]) -> None:
    """Asserts that the owner has these parts, which the place uses."""
    gone = [part for part in parts if not hasattr(owner, part)]
    name = owner.__name__ if isinstance(owner, type) else type(owner).__name__
    assert not gone, f"{library} {version(library)} has no {name}.{gone[0]} any more, which {place} uses"


@for_each("library", ["httptools", "litestar", "prometheus-client", "redis", "uvicorn"])
def test_a_library_with_such_parts_has_an_upper_bound(library: str) -> None:
    requirements = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
    [requirement] = [one for one in requirements if re.match(rf"{library}\b(?!-)", one)]
    assert "<" in requirement or "==" in requirement, f"{requirement} may bring a version that drops a private part"


class Transport(asyncio.Transport):
    def write(self, data: object) -> None:
        pass


async def answer(scope: object, receive: object, send: object) -> None:
    pass


async def test_uvicorns_protocol() -> None:
    place = "service/run/http.py"
    uses("uvicorn", place, httptools_impl, ["STATUS_LINE", "HttpToolsProtocol"])
    config = uvicorn.Config(answer, ws="none", log_config=None)
    loop = asyncio.get_running_loop()
    protocol = httptools_impl.HttpToolsProtocol(config, ServerState(), {}, loop)
    protocol.connection_made(Transport())
    protocol.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    attributes = [
        "client",
        "config",
        "cycle",
        "flow",
        "headers",
        "loop",
        "parser",
        "pipeline",
        "server_state",
        "transport",
        "url",
    ]
    uses("uvicorn", place, protocol, attributes)
    callbacks = ["on_body", "on_header", "on_headers_complete", "on_message_begin", "on_message_complete"]
    uses(
        "uvicorn",
        place,
        protocol,
        [*callbacks, "on_response_complete", "pause_writing", "shutdown", "_start_asgi_task"],
    )
    uses("uvicorn", place, protocol.server_state, ["default_headers", "total_requests"])
    uses("uvicorn", place, protocol.flow, ["resume_reading"])
    uses("httptools", place, protocol.parser, ["set_dangerous_leniencies"])
    states = [
        "chunked_encoding",
        "disconnected",
        "expected_content_length",
        "keep_alive",
        "message_event",
        "response_complete",
        "response_started",
        "send",
        "waiting_for_100_continue",
    ]
    uses("uvicorn", place, protocol.cycle, states)


def test_uvicorns_server() -> None:
    place = "service/run/process.py"
    uses("uvicorn", place, uvicorn.Server, ["capture_signals", "startup", "_wait_tasks_to_complete"])
    server = uvicorn.Server(uvicorn.Config(answer, log_config=None))
    uses("uvicorn", place, server, ["server_state", "should_exit"])
    uses("uvicorn", place, server.server_state, ["connections"])
    assert "sockets" in signature(uvicorn.Server.startup).parameters


def test_litestars_own_plugins() -> None:
    uses("litestar", "service/app.py", Litestar, ["_get_default_plugins"])
    assert list(signature(Litestar._get_default_plugins).parameters) == ["plugins"]


def test_httptools_says_what_a_callback_has_raised() -> None:
    class Callbacks:
        def on_headers_complete(self) -> None:
            raise LookupError

    with pytest.raises(httptools.HttpParserError) as refused:
        httptools.HttpRequestParser(Callbacks()).feed_data(b"GET / HTTP/1.1\r\n\r\n")
    assert isinstance(refused.value.__context__, LookupError), "service/run/http.py reads a problem from there"


def test_the_metrics_librarys_values() -> None:
    place = "service/observability/families.py"
    uses("prometheus-client", place, prometheus_client.values, ["MultiProcessValue", "ValueClass"])
    assert list(signature(prometheus_client.values.MultiProcessValue).parameters) == ["process_identifier"]


def test_the_redis_drivers_connection() -> None:
    place = "projections/connection.py"
    uses("redis", place, AbstractConnection, ["connect_check_health", "disconnect", "pack_command"])
    assert list(signature(AbstractConnection.send_packed_command).parameters) == ["self", "command", "check_health"]
    connection = UnixDomainSocketConnection(path="unused")
    uses("redis", place, connection, ["_parser", "_writer", "socket_timeout"])
    uses("redis", place, connection._parser, ["read_response"])
    pool = BlockingConnectionPool.from_url("unix://unused")
    uses("redis", "projections/scripts.py", Redis.from_pool(pool), ["connection_pool"])
