"""The service that is attacked, spoken to by HTTP and by raw sockets."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx
import psutil
from msgspec import Struct

LEAST_URGENT = 19
"""The niceness of processes that give way to all others."""


class NotOfThisMachine(Exception):
    """The address is not one of this machine."""


class Result(Struct, frozen=True):
    """What an attack came to: so many tries, of which the service held against so many."""

    tried: int
    held: int
    seen: str
    """What was answered, in a few words."""


class Target:
    """A service at an address of this machine. Raises NotOfThisMachine."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host = parts.hostname or ""
        self.port = parts.port or 80
        self.url = f"http://{parts.netloc}"
        if not _is_local(self.host):
            raise NotOfThisMachine(f"{url} is not an address of this machine")

    def http(self, token: str | None = None) -> httpx.AsyncClient:
        """A client, which sends this token."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, trust_env=False, timeout=60)

    def cpu_s(self) -> float:
        """The CPU seconds that the processes of the service, and its own Postgres and Redis, have used so far, without
        those that give way to all others. Raises NotOfThisMachine if no process is seen at the address.
        """
        listening = [
            connection.pid
            for connection in psutil.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == self.port and connection.pid
        ]
        if not listening:
            raise NotOfThisMachine(f"no process is seen that listens at {self.url}")
        serving = psutil.Process(listening[0])
        used = 0.0
        for process in (serving, *serving.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                used += times.user + times.system if process.nice() < LEAST_URGENT else 0.0
        return used

    async def connected(self, source: str | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A raw connection, from this address of the machine if one is named. Raises OSError."""
        return await asyncio.open_connection(self.host, self.port, local_addr=None if source is None else (source, 0))

    async def exchanged(self, *segments: bytes, wait_s: float = 3.0) -> bytes:
        """What is answered to these segments until the connection ends, or nothing more comes for so long."""
        reader, writer = await self.connected()
        received = b""
        try:
            for segment in segments:
                writer.write(segment)
                await writer.drain()
                await asyncio.sleep(0.05)
            while data := await asyncio.wait_for(reader.read(65_536), wait_s):
                received += data
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.close()
        return received


Attack: TypeAlias = Callable[[Target, float], Awaitable[Result]]
"""An attack on the target, so hard: 1 is the whole of it, and less takes less time."""


def statuses(received: bytes) -> list[int]:
    """The statuses of the answers in what was received."""
    lines = (line for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.1 "))
    return [int(line.split(b" ")[1]) for line in lines]


def _is_local(host: str) -> bool:
    """Whether a socket can be bound to the host's address, so that it is this machine's."""
    try:
        address = ipaddress.ip_address(socket.gethostbyname(host))
        with socket.socket() as probe:
            probe.bind((str(address), 0))
    except (OSError, ValueError):
        return False
    return not address.is_unspecified
