"""Redis with Sentinels: connections go to the primary that these name, also after a failover.

The address is `redis+sentinel://[user:password@]host:26379,host:26379/service/0`, with the service's name among the
Sentinels, and the number of the database. `rediss+sentinel` connects to Redis over TLS.
"""

import weakref
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio.sentinel import Sentinel, SentinelManagedConnection, SentinelManagedSSLConnection

from projections.addresses import split_address
from projections.fast_connection import FastPool

SCHEMES = ("redis+sentinel", "rediss+sentinel")
PORT = 26379

_Sentinel: Any = Sentinel  # it has no types


class PrimaryPool(FastPool):
    """A pool of connections to the primary. Before each new one, a Sentinel is asked where that is."""

    is_master = True
    check_connection = False

    def __init__(self, url: str, **options: Any) -> None:
        """`options` are those of connections and of the pool. Raises ValueError if the address names no service."""
        address = split_address(url)
        self._service, _, database = address.path.removeprefix("/").partition("/")
        if not self._service:
            raise ValueError("the address of Sentinels ends with the name of the service: /codille")
        credentials, _, hosts = address.netloc.rpartition("@")
        user, _, password = credentials.partition(":")
        each = [urlsplit(f"//{host}") for host in hosts.split(",")]
        bounds = {name: value for name, value in options.items() if name.startswith("socket_")}
        self._sentinels = _Sentinel([(one.hostname, one.port or PORT) for one in each], sentinel_kwargs=bounds)
        self._primary: tuple[str, int] | None = None
        super().__init__(
            connection_class=(
                SentinelManagedSSLConnection if address.scheme == "rediss+sentinel" else SentinelManagedConnection
            ),
            connection_pool=weakref.proxy(self),
            db=int(database or 0),
            username=unquote(user) or None,
            password=unquote(password) or None,
            **options,
        )

    async def get_master_address(self) -> tuple[str, int]:
        """Where the primary is now. Connections to a former one are closed. Raises ConnectionError if none is known."""
        primary: tuple[str, int] = await self._sentinels.discover_master(self._service)
        if primary != self._primary:
            self._primary = primary
            await self.disconnect(inuse_connections=False)
        return primary

    async def aclose(self) -> None:
        """Closes all connections, those to Sentinels too."""
        await super().aclose()
        await self._sentinels.aclose()
