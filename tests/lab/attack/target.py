"""The service that is attacked, spoken to by HTTP and by raw sockets."""

import asyncio
import ipaddress
import random
import re
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx
import psutil
from msgspec import Struct

from service.run.process import BOTS_NICENESS

SILENCE_S = 3.0
"""When nothing has come for so long, nothing more is waited for."""

TLS = ssl.create_default_context()
"""Every httpx client would make one of its own, which takes longer than its requests."""


class NotOfThisMachine(Exception):
    """The address is not one of this machine."""


class NotTried(Exception):
    """An attack cannot be tried: a limit that it is not about, a fault of the service, or a setting is in its way."""


class Result(Struct, frozen=True):
    """What an attack came to: so many tries, of which the service held against so many."""

    tried: int
    held: int
    seen: str
    """What was answered, in a few words."""

    @property
    def holds(self) -> bool:
        """Whether the service held against all. Without a try it is not known to."""
        return self.held == self.tried > 0


class Target:
    """A service at an address of this machine, attacked from another one. Raises NotOfThisMachine."""

    def __init__(self, url: str, source: str | None = None) -> None:
        parts = urlsplit(url)
        self.host = parts.hostname or ""
        self.port = parts.port or 80
        self.url = f"http://{parts.netloc}"
        self.source = source
        if not _is_local(self.host):
            raise NotOfThisMachine(f"{url} is not an address of this machine")

    def elsewhere(self) -> "Target":
        """The same service, attacked from an address that has used nothing of its quotas."""
        return Target(self.url, ".".join(["127", *(str(random.randint(1, 254)) for _ in range(3))]))  # noqa: S311

    def http(self, token: str | None = None, *, limited: bool = False) -> httpx.AsyncClient:
        """A client, which sends this token. Unless the attack is about what is `limited`, an answer that says that the
        service will not or cannot answer raises NotTried.
        """
        return httpx.AsyncClient(
            base_url=self.url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            transport=httpx.AsyncHTTPTransport(local_address=self.source, verify=TLS),
            timeout=60,
            event_hooks={} if limited else {"response": [_raise_unanswered]},
        )

    def cpu_s(self) -> float:
        """The CPU seconds that the processes of the service, and its own Postgres and Redis, have used so far, without
        those that play for bots. Raises NotOfThisMachine if no process is seen at the address.
        """
        listening = [
            connection.pid
            for connection in psutil.net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == self.port and connection.pid
        ]
        if not listening:
            raise NotOfThisMachine(f"no process is seen that listens at {self.url}")
        serving = psutil.Process(listening[0])
        used, bots = 0.0, min(serving.nice() + BOTS_NICENESS, 19)
        for process in (serving, *serving.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                used += times.user + times.system if process.nice() < bots else 0.0
        return used

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A raw connection. Raises OSError."""
        local = None if self.source is None else (self.source, 0)
        return await asyncio.open_connection(self.host, self.port, local_addr=local)

    async def exchanged(self, *segments: bytes) -> list[int]:
        """The statuses of what is answered to these segments until the connection ends, or nothing more comes for so
        long. Raises NotTried if one is that of a quota.
        """
        reader, writer = await self.connected()
        received = b""
        try:
            for segment in segments:
                writer.write(segment)
                await writer.drain()
                await asyncio.sleep(0.05)
            while True:
                async with asyncio.timeout(SILENCE_S):
                    if not (data := await reader.read(65_536)):
                        break
                received += data
        except (TimeoutError, ConnectionError):
            pass
        finally:
            writer.close()
        answered = statuses(received)
        if 429 in answered:
            raise NotTried("429 to what is sent by hand")
        return answered


Attack: TypeAlias = Callable[[Target, float], Awaitable[Result]]
"""An attack on the target, so hard: 1 is the whole of it, and less takes less time."""


def statuses(received: bytes) -> list[int]:
    """The statuses of the answers in what was received, each of which may follow a body without a break."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


async def _raise_unanswered(answer: httpx.Response) -> None:
    if answer.status_code == 429 or answer.status_code >= 500:
        raise NotTried(f"{answer.status_code} at {answer.request.method} {answer.request.url.path}")


def _is_local(host: str) -> bool:
    """Whether a socket can be bound to the host's address, so that it is this machine's."""
    try:
        address = ipaddress.ip_address(socket.gethostbyname(host))
        with socket.socket() as probe:
            probe.bind((str(address), 0))
    except (OSError, ValueError):
        return False
    return not address.is_unspecified
