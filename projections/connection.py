"""Connections to Redis, with a bound on every wait and without the driver's retries."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

import hiredis
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import HiredisRespSerializer
from redis.exceptions import ReadOnlyError, RedisError

from projections.sentinels import SCHEMES, PrimaryPool

OUTAGES = (RedisError, OSError)
"""The errors of a call when Redis is away, slow, loading or full. A timeout is an OSError."""


def connect(url: str, *, timeout_s: float = 1.0, connections: int = 16) -> Redis:
    """A client for this URL (`redis://`, `rediss://`, `unix://`, or one of Sentinels), which connects when it is first
    used.

    `timeout_s` bounds each step: waiting for one of the `connections`, connecting, and a round trip.
    """
    options: dict[str, Any] = {
        "max_connections": connections,
        "timeout": timeout_s,
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        # Callers retry: they know whether a retry is safe and how much time is left.
        "retry": Retry(NoBackoff(), 0),
        # Version 3 costs another command at every connection, and none of its features is used.
        "protocol": 2,
    }
    if urlsplit(url).scheme in SCHEMES:
        pool: BlockingConnectionPool = PrimaryPool(url, **options)
    else:
        pool = BlockingConnectionPool.from_url(url, **options)
    pool.connection_class = _lean(pool.connection_class)
    return Redis.from_pool(pool)


def _lean(connection: type[AbstractConnection]) -> type[AbstractConnection]:
    """This class of connection, with faster ways for three things that took most of the driver's time.

    Commands are packed in C, as in the blocking driver; packing them in Python was a third of the projections' work.
    They are handed to the transport without a task that waits until they are sent, since their replies are awaited
    within a bound anyway. The replies to commands sent together are read within one bound, not one bound each.
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
                replies = [await self._parser.read_response() for _ in commands]
                for reply in replies:
                    if type(reply) is ReadOnlyError:
                        # It is a replica by now, and so it will be for every caller of this connection.
                        raise reply
                return replies
        except BaseException:
            # The remaining replies must not be taken for those to other commands.
            await self.disconnect(nowait=True)
            raise

    lean = {"pack_command": pack_command, "send_packed_command": send_packed_command, "exchange": exchange}
    return type(connection.__name__, (connection,), lean)
