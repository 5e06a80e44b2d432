"""Connections to Postgres under the service's role, with bounds on every wait.

What goes wrong outside the service (no server, a lost connection, a full disk, a timeout) comes out as
`StoreUnavailable`; what is wrong with a query stays the driver's error.
"""

import asyncio
from typing import TYPE_CHECKING, Self

import asyncpg

if TYPE_CHECKING:
    from asyncpg import Connection, Pool, Record

SERVICE_ROLE = "codille_service"


class StoreUnavailable(Exception):
    """Postgres did not answer in time, or not at all; whether a change was made is then not known."""


OUTAGES = (
    OSError,  # also TimeoutError: waiting for a connection, for the server, for an answer
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shutting down, starting up, statement cancelled
    asyncpg.InsufficientResourcesError,  # too many connections, no memory, no disk
    asyncpg.PostgresSystemError,
    asyncpg.TransactionRollbackError,  # a deadlock's victim
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # the server has become a replica
    asyncpg.InterfaceError,  # the connection or the pool is closed
    asyncpg.InternalClientError,  # the connection was ended while nothing was asked
)


def outage(error: Exception) -> bool:
    """Whether this error of the driver tells of an outage, and not of a mistake in what was asked."""
    return isinstance(error, OUTAGES) and not isinstance(error, ValueError)


class Database:
    """One database, spoken to through a pool of connections that opens as it is used.

    `role` is taken on by each connection, for when `dsn` is the owner's. `connections` is their greatest number;
    `acquire_s` bounds the wait for one, `command_s` a query from here, `statement_s` on the server. Behind
    pgbouncer set `statement_cache_size` to 0.
    """

    def __init__(
        self,
        dsn: str,
        *,
        role: str | None = None,
        connections: int = 16,
        acquire_s: float = 2.0,
        command_s: float = 6.0,
        statement_s: float = 5.0,
        statement_cache_size: int = 100,
    ) -> None:
        self._dsn = dsn
        self._acquire_s = acquire_s
        self._command_s = command_s
        self._settings = {"application_name": "codille", "statement_timeout": f"{statement_s * 1000:.0f}"}
        if role is not None:
            self._settings["role"] = role
        self._connections = connections
        self._statement_cache_size = statement_cache_size
        self._pool: Pool | None = None

    async def __aenter__(self) -> Self:
        self._pool = await asyncpg.create_pool(
            self._dsn,
            min_size=0,
            max_size=self._connections,
            timeout=self._acquire_s,
            command_timeout=self._command_s,
            statement_cache_size=self._statement_cache_size,
            server_settings=self._settings,
            reset=_keep,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for the queries under way, as long as they may take, and closes all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            try:
                async with asyncio.timeout(self._command_s):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    async def fetch(self, query: str, *arguments: object) -> "list[Record]":
        """The rows of one query; raises `StoreUnavailable`."""
        if self._pool is None:
            raise StoreUnavailable("the store is closed")
        try:
            async with self._pool.acquire(timeout=self._acquire_s) as connection:
                return await _fetch(connection, query, arguments)
        except OUTAGES as error:
            if not outage(error):
                raise
            raise StoreUnavailable(f"Postgres is unavailable: {error or type(error).__name__}") from error

    async def connect(self) -> "Connection":
        """A connection outside the pool, to listen on; raises `StoreUnavailable`."""
        try:
            return await asyncpg.connect(
                self._dsn,
                timeout=self._acquire_s,
                command_timeout=self._command_s,
                statement_cache_size=self._statement_cache_size,
                server_settings=self._settings,
            )
        except OUTAGES as error:
            if not outage(error):
                raise
            raise StoreUnavailable(f"Postgres is unavailable: {error or type(error).__name__}") from error


async def _fetch(connection: "Connection", query: str, arguments: tuple[object, ...]) -> "list[Record]":
    try:
        rows: list[Record] = await connection.fetch(query, *arguments)
    except asyncpg.InternalClientError:
        # Out of step with the server, and of no use to anybody after us.
        connection.terminate()
        raise
    return rows


async def _keep(connection: object) -> None:
    """In place of the pool's reset query: no query of the service leaves anything behind in its session."""
