"""Connections to Redis, with bounds on every wait and no retries of the driver's own."""

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

OUTAGES = (RedisError, OSError)
"""What a call raises when Redis is away, slow, loading, full or of no use; a timeout is an OSError."""


def connect(url: str, *, timeout_s: float = 1.0, connections: int = 16) -> Redis:
    """A client for this URL (`redis://`, `rediss://` or `unix://`), which connects when it is used.

    `timeout_s` bounds each step: the wait for one of the `connections`, connecting, sending, and each reply.
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
    return Redis.from_pool(pool)
