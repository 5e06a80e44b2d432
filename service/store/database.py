"""Connections to Postgres under the service's role, with a timeout on every wait.

Each new connection's role is checked: it must own nothing and be unable to become another role. An outage (no server, a
lost connection, a full disk, a timeout) is raised as `StoreUnavailable`. A mistake in a query stays the driver's error.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Protocol, Self

import asyncpg
from asyncpg import Connection, Pool, Record

from projections.source import SourceUnavailable
from service.config import POOLED, PREFIX
from service.observability.server_metrics import Cause
from service.store.hosts import Hosts, in_transaction

SERVICE_ROLE = "codille_service"


_MORE_THAN_A_SERVICE = """
    SELECT session_user::text, CASE
        WHEN r.rolsuper THEN 'is a superuser'
        WHEN EXISTS (
            SELECT FROM pg_namespace n WHERE n.nspname = 'codille' AND n.nspowner = r.oid
        ) OR EXISTS (
            SELECT FROM pg_class c WHERE c.relnamespace = to_regnamespace('codille') AND c.relowner = r.oid
        ) THEN 'owns the log'
        WHEN EXISTS (
            SELECT FROM pg_database d WHERE d.datname = current_database() AND d.datdba = r.oid
        ) THEN 'owns the database'
        WHEN r.rolcreaterole THEN 'may create roles'
        ELSE (
            SELECT 'may become ' || other.rolname FROM pg_roles other
            WHERE other.oid <> r.oid AND pg_has_role(r.oid, other.oid, 'MEMBER')
            ORDER BY NOT other.rolsuper, other.rolname LIMIT 1
        )
    END
    FROM pg_roles r WHERE r.rolname = session_user
"""

_SESSION = "SELECT pg_backend_pid()"


class StoreUnavailable(SourceUnavailable):
    """Postgres did not answer, or not in time. Whether a change was made is unknown."""

    def __init__(self, text: str, cause: Cause = "failing") -> None:
        super().__init__(text)
        self.cause = cause


class OutageWatch(Protocol):
    """Receives reports of outages, and of their end."""

    def failed(self, cause: Cause, reason: str) -> None:
        """A query, or an attempt to connect, failed because of an outage."""

    def answered(self) -> None:
        """A query was answered."""


class WrongAddress(StoreUnavailable):
    """The address cannot be used as it is: its role may do more than the service needs, or it does not say that a
    pooler is in between. The message says what to do.
    """


WITHOUT_SESSIONS = (
    "an address of Postgres leads through PgBouncer or another pooler, which gives each transaction another session: "
    f"add the parameter {POOLED}=true to it in {PREFIX}DATABASE_URL and {PREFIX}STANDBY_URL, and name the address of "
    f"Postgres itself in {PREFIX}DATABASE_DIRECT_URL"
)
"""What to do where a pooler is in between and the address does not say so."""


REFUSALS = (
    asyncpg.InvalidAuthorizationSpecificationError,  # also another password
    asyncpg.InvalidCatalogNameError,  # no such database, as within a restore
)
"""The errors of a server that takes no connection at this address."""

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
    asyncpg.DuplicatePreparedStatementError,  # the session of Postgres is another caller's: a pooler is in between
    asyncpg.InvalidSQLStatementNameError,  # as above
    *REFUSALS,
)


def cause_of(error: Exception) -> Cause:
    """The cause of an outage, by the driver's error."""
    match error:
        case asyncpg.DiskFullError():
            return "disk-full"
        case asyncpg.ReadOnlySQLTransactionError() | asyncpg.TargetServerAttributeNotMatched():
            return "read-only"
        case asyncpg.TooManyConnectionsError():
            return "too-many-connections"
        case TimeoutError() | asyncpg.QueryCanceledError():
            return "timeout"
        case OSError() | asyncpg.PostgresConnectionError() | asyncpg.CannotConnectNowError():
            return "unreachable"
        case _:
            return "failing"


def outage(error: Exception) -> bool:
    """Whether this error of the driver is an outage rather than a mistake in the query."""
    return isinstance(error, OUTAGES) and not isinstance(error, ValueError)


_Driven: Any = asyncpg.Connection  # it has no types


class _Uncancelling(_Driven):  # type: ignore[misc]
    """A connection that is closed when a query takes too long, and does not ask the server to cancel the query.

    A commit that waits for a standby would be carried out by that: the server would show it to everybody, though a
    failover may undo it. While it waits, nobody sees it. Any other query is ended by the server's own timeout.
    """

    warned = False
    """Whether the server has warned. It does so where a commit did not wait for its standby to the end."""

    def _cancel_current_command(self, *_: object) -> None:
        # The caller learns first why it ends. `terminate` would also return the connection to its pool; the release by
        # the caller would then fail, and the error would take the place of the caller's cancellation.
        asyncio.get_running_loop().call_soon(self._abort)

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 (the driver's)
        """Closes it, at once if the server is gone or does not answer in time.

        The pool does so in a task that nobody awaits.
        """
        with suppress(OSError):
            await super().close(timeout=timeout)

    def _process_log_message(self, fields: Mapping[str, str], _: object) -> None:
        self.warned = self.warned or fields.get("V") == "WARNING"


class Database:
    """One database behind a pool of at most `connections` connections, which are opened as needed.

    `dsn` must name a role that owns nothing and cannot become another one, unless `owner` is set, for an operator's
    command. Timeouts in seconds: `acquire_s` for a connection, `command_s` for a query as seen from here, `statement_s`
    on the server. `direct` is the address to listen at, by default the same. With `custom_plans` each query is planned
    for its arguments, and takes one core. `watch` receives reports of outages.
    """

    def __init__(
        self,
        dsn: str,
        *,
        owner: bool = False,
        direct: str | None = None,
        connections: int = 16,
        acquire_s: float = 2.0,
        command_s: float = 6.0,
        statement_s: float = 5.0,
        custom_plans: bool = False,
        watch: OutageWatch | None = None,
    ) -> None:
        self._hosts = Hosts(dsn)
        self._direct = self._hosts if direct is None else Hosts(direct)
        self._acquire_s = acquire_s
        self._command_s = command_s
        timeout = f"{statement_s * 1000:.0f}"
        self._settings = {"application_name": "codille", "statement_timeout": timeout}
        if custom_plans:
            self._settings |= {"plan_cache_mode": "force_custom_plan", "max_parallel_workers_per_gather": "0"}
        self._pool_settings = self._settings
        self._begin_query: str | None = None
        if self._hosts.pooled:
            # A pooler refuses the timeout as a setting, and its sessions would not keep it.
            self._pool_settings = {"application_name": "codille"}
            local = ""
            if custom_plans:
                local = "; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL max_parallel_workers_per_gather = 0"
            self._begin_query = f"BEGIN; SET LOCAL statement_timeout = {timeout}{local}"
        self._owner = owner
        self._connections = connections
        self._watch = watch
        self._pool: Pool | None = None

    async def __aenter__(self) -> Self:
        self._pool = await asyncpg.create_pool(
            connect=self._hosts.connect,
            connection_class=_Uncancelling,
            min_size=0,
            max_size=self._connections,
            timeout=self._acquire_s,
            command_timeout=self._command_s,
            server_settings=self._pool_settings,
            init=self._begin,
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

    async def fetch(self, query: str, *arguments: object) -> list[Record]:
        """The rows of one query. Raises StoreUnavailable, and the driver's errors for a mistake in the query.

        The StoreUnavailable is a WrongAddress if another address must be given.
        """
        pool = self._pool
        if pool is None:
            raise StoreUnavailable("the store is closed")
        host = self._hosts.first
        try:
            async with pool.acquire(timeout=self._acquire_s) as connection:
                rows = await _fetch(connection, query, arguments, self._begin_query)
        except OUTAGES as error:
            if not outage(error):
                raise
            lost = isinstance(error, asyncpg.ReadOnlySQLTransactionError)
            if lost or (cause_of(error) == "timeout" and self._hosts.give_way(host)):
                # Another server has, or may have, become the primary; connections to this one are of no use any more.
                await pool.expire_connections()
            raise self._unavailable(error) from error
        if self._watch is not None:
            self._watch.answered()
        return rows

    async def call(self, function: str, *arguments: object) -> list[Record]:
        """The rows of a call of a function of the database, by its schema and name. Raises what `fetch` raises."""
        return await self.fetch(_calling(function, len(arguments)), *arguments)

    async def connect(self) -> Connection:
        """A connection outside the pool, at the address to listen at. Raises StoreUnavailable."""
        try:
            connection = await self._direct.connect(
                connection_class=_Uncancelling,
                timeout=self._acquire_s,
                command_timeout=self._command_s,
                server_settings=self._settings,
            )
            if not self._owner:
                await self._check_role(connection)
        except OUTAGES as error:
            if not outage(error):
                raise
            raise self._unavailable(error) from error
        return connection

    async def check_sessions(self) -> None:
        """Raises WrongAddress if two connections share one session of Postgres, as behind a pooler of transactions, and
        the address does not say so. Raises StoreUnavailable.
        """
        pool = self._pool
        if pool is None or self._hosts.pooled:
            return
        try:
            async with pool.acquire(timeout=self._acquire_s) as first:
                session = await first.fetchval(_SESSION)
                if session == first.get_server_pid():
                    return
                # A pooler gives each of its clients a number of its own, whatever it pools.
                async with pool.acquire(timeout=self._acquire_s) as second:
                    shared = session == await second.fetchval(_SESSION)
        except OUTAGES as error:
            if not outage(error):
                raise
            raise self._unavailable(error) from error
        if shared:
            raise WrongAddress(WITHOUT_SESSIONS)

    def connections(self) -> tuple[int, int, int]:
        """The pool's number of connections, how many of them are idle, and the maximum."""
        if self._pool is None:
            return 0, 0, self._connections
        return self._pool.get_size(), self._pool.get_idle_size(), self._connections

    async def _begin(self, connection: Connection) -> None:
        """Raises WrongAddress, and reports it, if the connection's role may do more than the service needs."""
        if not self._owner:
            await self._check_role(connection)
        # What the server says to a new session is about the database.
        connection.warned = False

    async def _check_role(self, connection: Connection) -> None:
        """Raises WrongAddress, and reports it, if the connection's role may do more than the service needs."""
        try:
            await check_role(connection, self._begin_query)
        except WrongAddress as error:
            if self._watch is not None:
                self._watch.failed(error.cause, str(error))
            raise

    def _unavailable(self, error: Exception) -> StoreUnavailable:
        """Reports the outage, and returns the error to raise."""
        reason, cause = str(error) or type(error).__name__, cause_of(error)
        if unsaid := _shows_a_pooler(error):
            reason = WITHOUT_SESSIONS
        if self._watch is not None:
            self._watch.failed(cause, reason)
        if unsaid:
            return WrongAddress(reason, cause)
        return StoreUnavailable(f"Postgres is unavailable: {reason}", cause)


async def check_role(connection: Connection, begin: str | None = None) -> None:
    """Raises WrongAddress, and closes the connection, if its role may do more than the service needs."""
    ((role, more),) = await _fetch(connection, _MORE_THAN_A_SERVICE, (), begin)
    if more is not None:
        await connection.close()
        raise WrongAddress(
            f"the address of Postgres names the role {role}, which {more}. The service connects only as a role that "
            f"owns nothing and cannot become another one: name such a role in {PREFIX}DATABASE_URL, and the owner's "
            f"address in {PREFIX}DATABASE_OWNER_URL for `codille migrate`"
        )


@cache
def _calling(function: str, arguments: int) -> str:
    """The query that calls the function with so many arguments."""
    return f"SELECT * FROM {function}({', '.join(f'${number}' for number in range(1, arguments + 1))})"  # noqa: S608 (a name in the code)


def _shows_a_pooler(error: Exception) -> bool:
    """Whether this error of the driver comes only of a pooler that the address does not mention."""
    if isinstance(error, asyncpg.ProtocolViolationError):
        return "unsupported startup parameter" in str(error)
    return isinstance(error, asyncpg.DuplicatePreparedStatementError | asyncpg.InvalidSQLStatementNameError)


async def _fetch(connection: Connection, query: str, arguments: tuple[object, ...], begin: str | None) -> list[Record]:
    try:
        if begin is None:
            rows: list[Record] = await connection.fetch(query, *arguments)
        else:
            rows = await in_transaction(connection, query, arguments, begin=begin)
    except BaseException as error:
        # The pool must not reuse a connection that is out of step with the server, or within a transaction.
        if isinstance(error, asyncpg.InternalClientError) or (
            not connection.is_closed() and connection.is_in_transaction()
        ):
            connection.terminate()
        raise
    if connection.warned:
        connection.terminate()
        raise asyncpg.InterfaceError("a commit did not wait for its standby, and may be undone")
    return rows


async def _keep(connection: object) -> None:
    """Replaces the pool's reset query: no query of the service changes its session."""
