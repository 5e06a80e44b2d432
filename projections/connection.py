"""Connections to Redis, with bounds on every wait and no retries of the driver's own."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import hiredis
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import HiredisRespSerializer
from redis.exceptions import RedisError

OUTAGES = (RedisError, OSError)
"""What a call raises when Redis is away, slow, loading, full or of no use; a timeout is an OSError."""


def connect(url: str, *, timeout_s: float = 1.0, connections: int = 16) -> Redis:
    """A client for this URL (`redis://`, `rediss://` or `unix://`), which connects when it is used.

    `timeout_s` bounds each step: the wait for one of the `connections`, connecting, and an exchange.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=timeout_s,
        socket_timeout=timeout_s,
        socket_connect_timeout=timeout_s,
        # Tried again by whoever called, who knows whether that is right and how long there is time.
        retry=Retry(NoBackoff(), 0),
        # Nothing of the third version is used, and it would ask the server for more at every connection.
        protocol=2,
    )
    pool.connection_class = _lean(pool.connection_class)
    return Redis.from_pool(pool)


def _lean(connection: type[AbstractConnection]) -> type[AbstractConnection]:
    """Such a connection, with three things done otherwise that cost most of the driver's time.

    Commands are put into bytes in C, as those of the driver that blocks are: the driver's own way, in Python, copies
    what it has of a command with every further argument, and was a third of all work of the projections. And they are
    handed to the transport, without waiting until it has sent them by a task made for that, two turns of a busy event
    loop: their replies are waited for anyway, and for a time that has its bound. And the replies to commands that went
    in one go are taken in one go, within one bound: the driver's way of setting one for each took longer than the rest
    of an exchange.
    """
    pack = HiredisRespSerializer().pack

    def pack_command(_self: AbstractConnection, *command: Any) -> Any:
        return pack(*command)

    async def send_packed_command(self: Any, command: bytes | Iterable[bytes], check_health: bool = True) -> None:  # noqa: ARG001 (the driver's; no health checks are asked for)
        await self.connect_check_health(check_health=False)
        self._writer.writelines([command] if isinstance(command, bytes) else command)

    async def exchange(self: Any, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        try:
            async with asyncio.timeout(self.socket_timeout):
                self._writer.writelines([hiredis.pack_command(command) for command in commands])
                return [await self._parser.read_response() for _ in commands]
        except BaseException:
            # Nobody must take what is still to come for the replies to something else.
            await self.disconnect(nowait=True)
            raise

    lean = {"pack_command": pack_command, "send_packed_command": send_packed_command, "exchange": exchange}
    return type(connection.__name__, (connection,), lean)
