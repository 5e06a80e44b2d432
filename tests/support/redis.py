"""Real Valkeys for tests: one of each test process, and others of a test's own, to be stopped and started.

Test processes don't share one: channels, scripts and statistics belong to a whole server, whatever its databases.
They end with the test process, also when it is killed. Nothing is kept on disk.
"""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.embedded import launch
from projections.connection import connect
from tests.support.ports import free_port
from tests.support.redis_cluster import IN_CLUSTER, Inspected, cluster_servers, redis_program

_STARTS_WITHIN_S = 120.0
_PORTS_TRIED = 3


class Valkey:
    """A server behind a unix socket. With `cluster` it is a cluster of one node, and refuses calls across slots."""

    def __init__(self, *, cluster: bool = False) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="codille-test-"))
        self._cluster = cluster
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where the server is, or will be."""
        return f"unix://{self._home}/valkey.sock"

    def start(self) -> None:
        """Starts the server, empty, and returns when it answers."""
        for left in range(_PORTS_TRIED - 1, -1, -1):
            try:
                self._start()
            except RuntimeError:
                # Another process may have taken the port meanwhile.
                if not self._cluster or not left:
                    raise
                self.kill()
            else:
                break

    def _start(self) -> None:
        settings = {"dir": self._home, "unixsocket": self._home / "valkey.sock", "port": 0, "save": ""}
        if self._cluster:
            settings |= {"port": free_port(), "cluster-enabled": "yes", "bind": "127.0.0.1"}
        command = [redis_program(), *(part for key, value in settings.items() for part in (f"--{key}", value))]
        launcher = launch.prefix(signal.SIGKILL)
        with (self._home / "log").open("ab") as log:
            self._server = subprocess.Popen(
                list(map(str, (*launcher, *command))),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + _STARTS_WITHIN_S
        while self._says(b"PING\r\n") != b"+PONG\r\n":
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._home / "log").read_text())
            time.sleep(0.005)
        if self._cluster:
            self._says(b"CLUSTER ADDSLOTSRANGE 0 16383\r\n")
            while b"cluster_state:ok" not in self._says(b"CLUSTER INFO\r\n"):
                time.sleep(0.005)

    def kill(self) -> None:
        """Ends the server at once; all its data are lost."""
        if self._server is not None:
            self._server.kill()
            self._server.wait()
            self._server = None
        for left in self._home.glob("nodes*.conf"):
            left.unlink()

    def snapshot(self) -> None:
        """Keeps what the server knows; it begins with that when it is started again, until the snapshot is dropped."""
        assert self._says(b"SAVE\r\n") == b"+OK\r\n"

    def drop_snapshot(self) -> None:
        """Lets the next start begin with nothing."""
        (self._home / "dump.rdb").unlink(missing_ok=True)

    def freeze(self) -> None:
        """Lets the server take connections and requests, and answer nothing."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        assert self._server is not None
        self._server.send_signal(signal.SIGCONT)

    def remove(self) -> None:
        """Ends the server and removes its directory."""
        self.kill()
        shutil.rmtree(self._home)

    def _says(self, command: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self._home / "valkey.sock"))
                connection.sendall(command)
                return connection.recv(4096)
            except OSError:
                return b""


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The address of this test process's server: a cluster of one node, so that no call may touch two slots.

    With CODILLE_TEST_CLUSTER set it is that of a Cluster of three.
    """
    if IN_CLUSTER:
        with cluster_servers() as servers:
            yield servers.url
        return
    server = Valkey(cluster=True)
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


@pytest.fixture
def own_valkey() -> Iterator[Valkey]:
    """A server that the test may stop and start."""
    server = Valkey()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@asynccontextmanager
async def emptied(url: str) -> AsyncIterator[Any]:
    """A client of the server, which then has no keys and knows no scripts."""
    client: Any = Inspected(url) if IN_CLUSTER else connect(url, timeout_s=20.0)
    async with client:
        await client.flushall()
        await client.script_flush()
        yield client


@pytest.fixture
async def redis(redis_server: str) -> AsyncIterator[Any]:
    """A client of an empty server."""
    async with emptied(redis_server) as client:
        yield client


@pytest.fixture
async def empty_redis(redis_server: str) -> str:
    """The address of an empty server."""
    async with emptied(redis_server):
        return redis_server
