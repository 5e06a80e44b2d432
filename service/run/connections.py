"""Limits the connections of one process, in all and from one address, and decides which make room when it is full."""

import resource
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Literal, Protocol, TypeAlias

from structlog.typing import FilteringBoundLogger

from service.config import PREFIX, Settings
from service.http.problems import BUSY_AFTER_S, Problem, unavailable
from service.limits.addresses import WIDER, distinct_keys, network, networks
from service.limits.quotas import Quotas
from service.observability.metrics import Metrics
from service.observability.throttled_log import ThrottledLog

RESERVED = 128
"""Descriptors reserved for everything but clients: connections to Postgres and Redis, pipes and files."""

Listener: TypeAlias = Literal["interface", "metrics"]
"""What is served at the address of a connection."""

Part: TypeAlias = Literal["idle", "head", "body"]
"""What a client has to send next: a request, the rest of its head, the rest of its body."""

Ended: TypeAlias = Part | Literal["write", "room"]
"""Why the service ends a connection: the part it waited for in vain, or room for a new connection."""


Timeouts: TypeAlias = Mapping[Part | Literal["write"], float]
"""The seconds that a client has for each part that it sends, and to read a fair part of a response that waits."""

TIMEOUTS_S: Timeouts = {"idle": 20, "head": 10, "body": 20, "write": 20}


class OpenConnection(Protocol):
    """A connection that can make room for another."""

    def make_room(self) -> None:
        """Ends the connection, which has no request in progress."""


class Connections:
    """Counts a listener's connections, and refuses those beyond `most` in all, or beyond the setting for an address.

    The wider networks of an address may have a multiple of its connections, as in `WIDER`. Metrics carry the listener's
    name.
    """

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        listener: Listener,
        most: int,
        quotas: Quotas | None = None,
    ) -> None:
        self._quotas = quotas
        self.timeouts_s = TIMEOUTS_S
        self.warnings = ThrottledLog(log)
        self._most_per_address = settings.max_connections_per_address
        self._metrics = metrics
        self._listener = listener
        self._most = most
        self._proxies = tuple(map(ip_network, settings.trusted_proxies))
        self._count = 0
        self._by_address: Counter[str] = Counter()
        self._waiting: dict[OpenConnection, None] = {}
        # The metrics library keeps the value of an earlier process with the same number.
        metrics.connections.labels(listener).set(0)

    def open(self, peer: str | None) -> str:
        """Counts a new connection from the address, and returns the key for `close`.

        If all are in use, the one that has waited longest for a request makes room. Raises Problem if the address has
        too many, or if all are in use and busy.
        """
        address = self._key(peer)
        keys = _networks(address)
        for key, times in zip(keys, WIDER, strict=True):
            most = times * self._most_per_address
            if address and self._by_address[key] >= most:
                self._refuse("address")
                raise Problem(
                    "too-many-connections",
                    f"an address may have {most} connections at once",
                    headers={"Retry-After": str(BUSY_AFTER_S)},
                )
        if self._count >= self._most and not self._room_made():
            self._refuse("all")
            raise unavailable("all connections are in use")
        self._count += 1
        self._by_address.update(set(keys))
        self._metrics.connections.labels(self._listener).set(self._count)
        return address

    def counted(self, address: str | None, problem: Problem) -> Problem:
        """Counts a malformed request against the quota of the key that `open` returned.

        Returns the problem to answer with: the given one, or that the address has used up its quota.
        """
        if self._quotas is None or not address:
            return problem
        for limiter, key in zip(self._quotas.address, distinct_keys(address), strict=False):
            allowance = limiter.charge(key)
            if not allowance.within:
                self._metrics.limited.labels(limiter.quota.name).inc()
                return Problem("rate-limited", limiter.quota.text, headers={"Retry-After": str(allowance.resets_s)})
        return problem

    def close(self, address: str) -> None:
        """Uncounts a connection, by the key that `open` returned."""
        self._count -= 1
        for key in set(_networks(address)):
            self._by_address[key] -= 1
            if not self._by_address[key]:
                del self._by_address[key]
        self._metrics.connections.labels(self._listener).set(self._count)

    def waits(self, connection: OpenConnection) -> None:
        """Notes that the connection is waiting for a request, and can make room."""
        self._waiting[connection] = None

    def works(self, connection: OpenConnection) -> None:
        """Notes that the connection is no longer waiting for a request."""
        self._waiting.pop(connection, None)

    def ended(self, reason: Ended) -> None:
        """Counts a connection that the service ends."""
        self._metrics.ended.labels(self._listener, reason).inc()

    def _room_made(self) -> bool:
        for connection in self._waiting:
            self.works(connection)
            self.ended("room")
            connection.make_room()
            return True
        return False

    def _refuse(self, reason: Literal["all", "address"]) -> None:
        self._metrics.refused.labels(self._listener, reason).inc()
        self.warnings.warning(
            f"connections are refused: too many {_TOO_MANY[reason]}", listener=self._listener, open=self._count
        )

    def _key(self, peer: str | None) -> str:
        """The key that the connection counts under: its address, or empty for a proxy that many clients share."""
        if peer is None or (self._proxies and _of_one(self._proxies, peer)):
            return ""
        return _network(peer)


_TOO_MANY = {"all": "in all", "address": "from one address"}

_network = lru_cache(maxsize=10_000)(network)
_networks = lru_cache(maxsize=10_000)(networks)


@lru_cache(maxsize=1000)
def _of_one(networks: tuple[IPv4Network | IPv6Network, ...], address: str) -> bool:
    parsed = ip_address(address)
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in network for network in networks)


def within_descriptors(wanted: int, log: FilteringBoundLogger) -> int:
    """The number of connections that this process can accept, of those wanted; raises its limit of descriptors if it
    can.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVED
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    most = max(soft - RESERVED, soft // 2)
    log.warning(f"fewer connections are taken than {PREFIX}MAX_CONNECTIONS", descriptors=soft, connections=most)
    return most
