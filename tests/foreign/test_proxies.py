"""nginx and HAProxy stand between client and service: as the compose file has them, and nginx as it comes."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.foreign.playing import follow
from tests.support.ports import free_port
from tests.support.proxies import PROGRAMS, command, environment, temporary

pytest.importorskip("httpx_sse", reason="httpx-sse is not installed")
from tests.foreign.test_httpx_sse import events

PLAIN = """
pid {folder}/pid; error_log stderr; events {{}}
http {{
    access_log off; {temporary}
    server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass {url}; }} }}
}}
"""
"""As in the first lines of nginx's own guide: it speaks HTTP/1.0 to the service, and keeps answers back."""


@contextmanager
def running(arguments: list[str], port: int) -> Iterator[str]:
    """The proxy's URL, once it answers."""
    with subprocess.Popen(arguments, env=environment()) as process:
        try:
            transport = httpx.HTTPTransport(retries=8)
            with httpx.Client(transport=transport, trust_env=False) as client:
                client.get(f"http://127.0.0.1:{port}/v1/games").raise_for_status()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _needs(name: str) -> None:
    if PROGRAMS[name] is None:
        pytest.skip(f"{name} is not installed")


@pytest.mark.parametrize("name", ["nginx", "haproxy"])
def test_a_game_is_played_and_followed_over_the_compose_files_proxy(
    service_url: str, tmp_path: Path, name: str
) -> None:
    _needs(name)
    port = free_port()
    with running(command(name, tmp_path, port, urlsplit(service_url).port or 0), port) as url:
        follow(url, events).verify()


def test_a_game_is_played_and_followed_over_a_plain_nginx(service_url: str, tmp_path: Path) -> None:
    _needs("nginx")
    port = free_port()
    file = tmp_path / "nginx.conf"
    file.write_text(PLAIN.format(folder=tmp_path, temporary=temporary(tmp_path), port=port, url=service_url))
    options = ["-e", "stderr", "-p", str(tmp_path), "-g", "daemon off; master_process off;", "-c", str(file)]
    with running([str(PROGRAMS["nginx"]), *options], port) as url:
        follow(url, events).verify()
