"""Connections to Postgres under the service's role, with a bound on every wait.

An outage (no server, a lost connection, a full disk, a timeout) is raised as `StoreUnavailable`. A mistake in a query
stays the driver's error.
"""

import asyncio
from typing import TYPE_CHECKING, Self

import asyncpg

if TYPE_CHECKING:
    from asyncpg import Connection, Pool, Record

SERVICE_ROLE = "codille_service"


class StoreUnavailable(Exception):
    """Postgres did not answer in time, or not at all. Whether a change was made is not known."""


OUTAGES = (
    OSError,  # also TimeoutError: no connection, no server or no answer in time
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shutting down, starting up, statement cancelled
    asyncpg.InsufficientResourcesError,  # too many connections, no memory, no disk
    asyncpg.PostgresSystemError,
    asyncpg.TransactionRollbackError,  # a deadlock's victim
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # the server has become a replica
    asyncpg.InterfaceError,  # the connection or the pool is closed
    asyncpg.InternalClientError,  # the connection was ended between two queries
)


def outage(error: Exception) -> bool:
    """Whether this error of the driver is an outage, not a mistake in the query."""
    return isinstance(error, OUTAGES) and not isinstance(error, ValueError)


class Database:
    """One database behind a pool of at most `connections` connections, which are opened as they are needed.

    Each connection takes on `role`, if `dsn` is the owner's. Bounds in seconds: `acquire_s` on the wait for a
    connection, `command_s` on a query as seen from here, `statement_s` on the server. Behind pgbouncer set
    `statement_cache_size` to 0.
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
        """Waits for running queries, at most `command_s` seconds, and closes all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            try:
                async with asyncio.timeout(self._command_s):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    async def fetch(self, query: str, *arguments: object) -> "list[Record]":
        """The rows of one query. Raises StoreUnavailable, and the driver's errors for a mistake in the query."""
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
        """A connection outside the pool, to listen on. Raises StoreUnavailable."""
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
        # The connection is out of step with the server, so the pool must not reuse it.
        connection.terminate()
        raise
    return rows


async def _keep(connection: object) -> None:
    """Replaces the pool's reset query: no query of the service changes its session."""
