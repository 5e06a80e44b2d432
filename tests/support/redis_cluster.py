"""A real Cluster for tests: primaries on ports of this machine, each with a replica if asked for; nothing is kept."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis as blocking
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import RedisError

from deploy.embedded import launch
from deploy.embedded.binaries import valkey_program
from projections.cluster import Cluster
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_S

IN_CLUSTER = "CODILLE_TEST_CLUSTER" in os.environ
"""Whether tests that need a Redis get a Cluster of three, as in `make long`."""

SLOTS = 16384
OUT_MS = 1000
"""After so many milliseconds without an answer a node counts as failed."""


def redis_program() -> Path:
    """That of the installed wheel, or CODILLE_TEST_REDIS, a program, to test with another version, or with Redis."""
    if configured := os.environ.get("CODILLE_TEST_REDIS"):
        return Path(configured)
    return valkey_program(None)


class ClusterServers:
    """The servers, in a folder of their own."""

    def __init__(self, primaries: int = 3, *, replicas: bool = False) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="codille-test-"))
        self.ports: list[int] = []
        """Of the primaries, and then of the replica of each."""
        self._primaries = primaries
        self._number = primaries * (1 + replicas)
        self._servers: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        """An address that names all primaries."""
        return f"redis+cluster://{','.join(f'127.0.0.1:{port}' for port in self.ports[: self._primaries])}"

    def start(self) -> None:
        """Starts the servers, joins them, and returns when they answer for all slots."""
        while len(self.ports) < self._number:
            port = free_port()
            if port not in self.ports:
                self.ports.append(port)
        for port in self.ports:
            self._start(port)
        for port in self.ports:
            self._until(lambda port=port: self.says(port, "PING") == b"PONG")
        for number, port in enumerate(self.ports[: self._primaries]):
            first, last = (SLOTS * at // self._primaries for at in (number, number + 1))
            self.says(port, "CLUSTER", "ADDSLOTSRANGE", first, last - 1)
            self.says(port, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for port in self.ports[1:]:
            self.says(self.ports[0], "CLUSTER", "MEET", "127.0.0.1", port)
        for port in self.ports:
            self._until(lambda port=port: self._knows(port) == self._number)
        for primary, port in zip(self.ports, self.ports[self._primaries :], strict=False):
            of = self.id_of(primary)
            self._until(lambda port=port, of=of: self.says(port, "CLUSTER", "REPLICATE", of) == b"OK")
        for port in self.ports:
            self._until(lambda port=port: b"cluster_state:ok" in self.says(port, "CLUSTER", "INFO"))
        for port in self.ports[self._primaries :]:
            self._until(lambda port=port: b"master_link_status:up" in self.says(port, "INFO", "replication"))

    def says(self, port: int, *command: Any) -> Any:
        """What the server of this port answers, as bytes where it is text."""
        with blocking.Redis(port=port, protocol=2, socket_timeout=5) as client:
            client.response_callbacks.clear()
            return client.execute_command(*command)

    def id_of(self, port: int) -> bytes:
        """The name of a node within the Cluster."""
        name: bytes = self.says(port, "CLUSTER", "MYID")
        return name

    def kill(self, port: int) -> None:
        """Ends the server of this port at once."""
        self._servers[port].kill()
        self._servers[port].wait()

    def freeze(self, port: int) -> None:
        """Lets the server take connections, and answer nothing."""
        self._servers[port].send_signal(signal.SIGSTOP)

    def remove(self) -> None:
        """Ends all servers and removes the folder."""
        for server in self._servers.values():
            server.kill()
            server.wait()
        shutil.rmtree(self._home)

    def _start(self, port: int) -> None:
        folder = self._home / str(port)
        folder.mkdir()
        settings = {
            "port": port,
            "bind": "127.0.0.1",
            "dir": folder,
            "save": "",
            "cluster-enabled": "yes",
            "cluster-node-timeout": OUT_MS,
            "repl-diskless-sync-delay": 0,
        }
        command = [redis_program(), *(part for key, value in settings.items() for part in (f"--{key}", value))]
        self._servers[port] = subprocess.Popen(
            list(map(str, (*launch.prefix(signal.SIGKILL), *command))),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _knows(self, port: int) -> int:
        """How many nodes this one knows and is linked with."""
        lines = self.says(port, "CLUSTER", "NODES").splitlines()
        return sum(b" connected" in line and b"handshake" not in line for line in lines)

    def _until(self, condition: Any) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                if condition():
                    return
            except (RedisError, OSError):
                pass
            if time.monotonic() > deadline:
                raise TimeoutError("the Cluster is not ready")
            time.sleep(0.02)


class Inspected(Cluster):
    """A Cluster as the product uses it, of which tests may ask all that the driver's own client can."""

    def __init__(self, url: str) -> None:
        super().__init__(url, timeout=20.0, socket_timeout=20.0, protocol=2)
        host, port = url.rpartition(",")[2].rpartition("//")[2].split(":")
        self._driver = RedisCluster(host=host, port=int(port), protocol=2)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)

    async def aclose(self) -> None:
        await super().aclose()
        await self._driver.aclose()


@contextmanager
def cluster_servers(primaries: int = 3, *, replicas: bool = False) -> Iterator[ClusterServers]:
    """The servers, meanwhile."""
    servers = ClusterServers(primaries, replicas=replicas)
    try:
        servers.start()
        yield servers
    finally:
        servers.remove()
