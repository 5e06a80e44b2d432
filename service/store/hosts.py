"""Connects to the primary among the hosts that an address names: several, if there are standbys.

`pgbouncer=true` in an address, the parameter's name in Prisma, says that a pooler is in between, which may give each
transaction another session of Postgres (PgBouncer with `pool_mode = transaction`).

After a failover another host takes writes. Hosts are tried one after the other, beginning with the one that took the
last connection, and each for a short time only, since a host that is gone may answer nothing at all.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

import asyncpg
from asyncpg import Connection, Record

from projections.addresses import split_address
from service.config import POOLED

CONNECT_S = 2.0
"""Seconds in which all hosts together must be tried."""

_READ_ONLY = "SELECT current_setting('transaction_read_only')::boolean"


class Hosts:
    """The hosts of an address of Postgres. A standby among several is passed over, unless the address says otherwise
    with `target_session_attrs` (libpq's parameter).
    """

    def __init__(self, dsn: str) -> None:
        address = split_address(dsn)
        query = dict(parse_qsl(address.query, keep_blank_values=True))
        stated = query.pop(POOLED, None)
        self.pooled = stated == "true"
        """Whether a pooler is in between: what belongs to a session does not survive a transaction."""
        # The driver would pass the parameter on, and no server knows it.
        if stated is not None:
            dsn = f"{address.scheme}://{address.netloc}{address.path}?{urlencode(query)}"
        self._each = list(each_host(dsn))
        chosen = query.get("target_session_attrs")
        self._attributes = chosen or ("any" if len(self._each) == 1 else "read-write")
        # A pooler passes on what its first session of Postgres said of itself, perhaps before a failover.
        self._checks_writing = self.pooled and self._attributes == "read-write"
        self.first = 0
        """The number of the host that is tried first."""

    def give_way(self, number: int) -> bool:
        """Another host is tried first, if this one is now. Answers whether there is another one.

        A former primary that nobody could tell takes connections, and its commits wait for ever.
        """
        if number == self.first:
            self.first = (number + 1) % len(self._each)
        return len(self._each) > 1

    async def connect(self, _: object = None, **options: Any) -> Connection:
        """A connection with these options of the driver. Raises the driver's error of the last host that was tried; if
        that takes no writes, of the last that Postgres itself gave.

        It may stand in the place of `asyncpg.connect`, whose address it does not need.
        """
        hosts = [*self._each[self.first :], *self._each[: self.first]]
        options = {"target_session_attrs": "any" if self._checks_writing else self._attributes, **options}
        if self.pooled:
            options["statement_cache_size"] = 0
        if len(hosts) > 1:
            options["timeout"] = options.get("timeout", CONNECT_S) / len(hosts)
        said: asyncpg.PostgresError | None = None
        for host in hosts[:-1]:
            try:
                return await self._connect(host, options)
            except asyncpg.PostgresError as error:
                said = error
            except (OSError, asyncpg.InternalClientError):
                continue
        try:
            return await self._connect(hosts[-1], options)
        except asyncpg.TargetServerAttributeNotMatched:
            if said is None:
                raise
            raise said from None

    async def _connect(self, host: str, options: "dict[str, Any]") -> Connection:
        connection: Connection = await asyncpg.connect(host, **options)
        if self._checks_writing and await in_transaction(connection, _READ_ONLY) != [(False,)]:
            connection.terminate()
            raise asyncpg.TargetServerAttributeNotMatched("the server behind the pooler takes no writes")
        self.first = self._each.index(host)
        return connection


async def in_transaction(
    connection: Connection, query: str, arguments: Sequence[object] = (), *, begin: str = "BEGIN"
) -> list[Record]:
    """The rows of one query, in a transaction of its own: the driver prepares a query before it sends the arguments,
    and a pooler might give each of the two another session of Postgres.

    `begin` begins the transaction. Raises the driver's errors; after one that is no mistake in the query, or when
    cancelled, the transaction may be open.
    """
    await connection.execute(begin)
    try:
        rows: list[Record] = await connection.fetch(query, *arguments)
    except (asyncpg.PostgresError, ValueError):
        if not connection.is_closed():
            await connection.execute("ROLLBACK")
        raise
    await connection.execute("COMMIT")
    return rows


def each_host(dsn: str) -> Iterator[str]:
    """An address for each host: `postgresql://a:5432,b:5432/codille`, or `postgresql:///codille?host=/run/a,/run/b`.

    An address of one host is that of its host, as it is.
    """
    address = split_address(dsn)
    query = dict(parse_qsl(address.query, keep_blank_values=True))
    credentials, at, named = address.netloc.rpartition("@")
    hosts, ports = query.get("host", named).split(","), query.get("port", "").split(",")
    if len(hosts) == 1:
        yield dsn
    elif "host" not in query:
        yield from (address._replace(netloc=f"{credentials}{at}{host}").geturl() for host in hosts)
    else:
        for number, host in enumerate(hosts):
            port = {"port": ports[number % len(ports)]} if "port" in query else {}
            own = urlencode(query | {"host": host} | port)
            yield f"{address.scheme}://{address.netloc}{address.path}?{own}"
