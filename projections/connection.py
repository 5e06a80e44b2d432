"""Connections to Redis, with a bound on every wait and without the driver's retries."""

from typing import Any, TypeAlias

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from projections import cluster, sentinels
from projections.addresses import split_address
from projections.cluster import Cluster
from projections.fast_connection import FastPool
from projections.sentinels import PrimaryPool

Client: TypeAlias = Redis | Cluster
"""One server, or the nodes of a Cluster. `projections.scripts.send` sends commands to either."""

OUTAGES = (RedisError, OSError)
"""The errors of a call when Redis is away, slow, loading or full. A timeout is an OSError."""


def unavailable(error: BaseException) -> str:
    """What to say of one of `OUTAGES`, which does not name its server, and may have no text."""
    return f"Redis is unavailable: {str(error) or type(error).__name__}"


def is_cluster(url: str) -> bool:
    """Whether the address is that of a Cluster."""
    return split_address(url).scheme in cluster.SCHEMES


def connect(url: str, *, timeout_s: float = 1.0, connections: int = 16) -> Client:
    """A client for this URL (`redis://`, `rediss://`, `unix://`, one of Sentinels or of a Cluster), which connects when
    it is first used.

    `timeout_s` bounds each step: waiting for one of the `connections`, connecting, and a round trip.
    """
    if is_cluster(url):
        return Cluster(url, **_options(timeout_s, connections))
    return connect_node(url, timeout_s=timeout_s, connections=connections)


def connect_node(url: str, *, timeout_s: float = 1.0, connections: int = 16) -> Redis:
    """The same, but of a Cluster any node that answers, as for messages, which all nodes pass on."""
    options = _options(timeout_s, connections)
    if split_address(url).scheme in sentinels.SCHEMES:
        pool: FastPool = PrimaryPool(url, **options)
    elif is_cluster(url):
        pool = cluster.any_node(url, **options)
    else:
        pool = FastPool.from_url(url, **options)
    return Redis.from_pool(pool)


def _options(timeout_s: float, connections: int) -> dict[str, Any]:
    return {
        "max_connections": connections,
        "timeout": timeout_s,
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        # Callers retry: they know whether a retry is safe and how much time is left.
        "retry": Retry(NoBackoff(), 0),
        # Version 3 costs another command at every connection, and none of its features is used.
        "protocol": 2,
    }
