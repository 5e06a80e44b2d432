"""Redis with a Sentinel: a client finds the primary, and finds the next one after a failover."""

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ReadOnlyError

from deploy.embedded import launch
from projections.connection import OUTAGES, connect
from tests.support.ports import free_port
from tests.support.redis import Valkey
from tests.support.redis_cluster import redis_program
from tests.support.waiting import PATIENCE_S

SERVICE = "codille"
QUICK = f"sentinel down-after-milliseconds {SERVICE} 300\nsentinel failover-timeout {SERVICE} 3000\n"
OFTEN = ("info-period", 100, "ping-period", 100, "ask-period", 100, "publish-period", 100)
"""The times in milliseconds after which a Sentinel looks again, which otherwise are up to ten seconds."""


class Watched:
    """A primary, a replica and a Sentinel on ports of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ports = [free_port() for _ in range(2)]
        self.sentinel = free_port()
        self.servers: dict[int, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        first, second = self.ports
        self._server(first)
        self._server(second, "--replicaof", "127.0.0.1", str(first))
        file = self._folder / "sentinel.conf"
        file.write_text(
            f"port {self.sentinel}\nbind 127.0.0.1\nsentinel monitor {SERVICE} 127.0.0.1 {first} 1\n{QUICK}"
        )
        self.servers[self.sentinel] = self._run(str(file), "--sentinel")

    def stop(self) -> None:
        for server in self.servers.values():
            server.kill()
            server.wait()

    @property
    def url(self) -> str:
        # Nothing listens at the first Sentinel.
        return f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{self.sentinel}/{SERVICE}/0"

    def _server(self, port: int, *more: str) -> None:
        options = ("--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder), "--repl-diskless-sync-delay", "0")
        self.servers[port] = self._run("--port", str(port), *options, *more)

    def _run(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [*launch.prefix(signal.SIGKILL), str(redis_program()), *arguments]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    try:
        made.start()
        yield made
    finally:
        made.stop()


async def ready(watched: Watched) -> None:
    """Returns when the Sentinel knows a replica that has all."""

    async def known() -> bool:
        try:
            async with Redis(port=watched.sentinel, protocol=2) as sentinel:
                await sentinel.execute_command("SENTINEL DEBUG", *OFTEN)
                replicas = await sentinel.execute_command("SENTINEL REPLICAS", SERVICE)
                return any(replica[b"master-link-status"] == b"ok" for replica in map(as_dict, replicas))
        except OUTAGES:
            return False

    async with asyncio.timeout(PATIENCE_S):
        while not await known():  # noqa: ASYNC110 (nothing says so)
            await asyncio.sleep(0.05)


def as_dict(reply: object) -> dict[bytes, bytes]:
    if isinstance(reply, dict):
        return {key.encode() if isinstance(key, str) else key: str(value).encode() for key, value in reply.items()}
    assert isinstance(reply, list)
    return dict(zip(reply[::2], reply[1::2], strict=True))


async def written(client: Redis, value: str) -> bool:
    """Whether the value could be written, over a lean connection as the projections use it."""
    try:
        connection = await client.connection_pool.get_connection()
        try:
            (reply,) = await connection.exchange([("SET", "key", value)])
        finally:
            await client.connection_pool.release(connection)
    except OUTAGES:
        return False
    return bool(reply == b"OK")


async def port_of(client: Redis) -> int:
    return int((await client.info("server"))["tcp_port"])


async def test_the_next_primary_is_found_after_the_death_of_the_first(watched: Watched) -> None:
    await ready(watched)
    async with connect(watched.url) as client:
        await moved(client, "one", watched.ports[0])
        watched.servers[watched.ports[0]].kill()
        await moved(client, "two", watched.ports[1])
        assert await client.get("key") == b"two"


async def test_a_connection_to_a_replica_is_given_up(own_valkey: Valkey) -> None:
    async with connect(own_valkey.url) as client:
        assert await written(client, "one")
        await client.replicaof("127.0.0.1", 1)
        connection = await client.connection_pool.get_connection()
        with pytest.raises(ReadOnlyError):
            await connection.exchange([("GET", "key"), ("SET", "key", "two")])
        assert not connection.is_connected
        await client.connection_pool.release(connection)


async def moved(client: Redis, value: str, port: int) -> None:
    """Writes until that is done at this server."""
    async with asyncio.timeout(PATIENCE_S):
        while not (await written(client, value) and await port_of(client) == port):  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.05)


def test_an_address_without_a_service_is_refused() -> None:
    with pytest.raises(ValueError, match="name of the service"):
        connect("redis+sentinel://127.0.0.1:26379")
