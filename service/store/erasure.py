"""Erases free text from the log, which only the owner of its tables can do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from asyncpg import Connection

from domain.record.recorded import Recorded
from service.store.database import OUTAGES, StoreUnavailable, outage
from service.store.hosts import Hosts
from service.store.store import Append, Appended, Outcome, append_on

_ERASE = "UPDATE codille.event SET sealed = $3 WHERE table_id = $1 AND version = $2"
_ERASED = "UPDATE codille.player SET words_asked_at = NULL WHERE id = $1"
_WRITTEN = """
    SELECT table_id::text FROM codille.event
    WHERE type = 'seat-taken' AND position(convert_to('"player":"' || $1::text || '"', 'UTF8') IN public) > 0
    UNION
    SELECT table_id::text FROM codille.event WHERE type = 'dispute-ruled' AND actor = 'arbiter:' || $1::text
    ORDER BY 1
"""


class NotTheOwner(Exception):
    """The role does not own the log's tables."""


async def erase(owner_dsn: str, command: Append, *erased: Recorded) -> Outcome:
    """Appends the events that record erasures, and stores the earlier events as `erased`, in one transaction.

    Nothing is erased unless the outcome is Appended. The bytes stay in the server's files until it vacuums the table,
    and in backups for as long as those are kept. Raises NotTheOwner and StoreUnavailable.
    """
    async with _owner(owner_dsn) as connection, connection.transaction():
        outcome = await append_on(connection, command)
        if isinstance(outcome, Appended):
            await connection.executemany(_ERASE, [(one.table, one.version, one.sealed) for one in erased])
    return outcome


async def tables_written_at(owner_dsn: str, player: str) -> list[str]:
    """The tables at which the player ever had a seat, or ruled on a dispute. Raises NotTheOwner and StoreUnavailable.

    Reads where each seat was taken, without a time limit.
    """
    async with _owner(owner_dsn) as connection:
        return [table for (table,) in await connection.fetch(_WRITTEN, player)]


async def words_erased(owner_dsn: str, player: str) -> None:
    """Settles the request to erase the player's words. Raises NotTheOwner and StoreUnavailable."""
    async with _owner(owner_dsn) as connection:
        await connection.execute(_ERASED, player)


@asynccontextmanager
async def _owner(owner_dsn: str) -> AsyncIterator[Connection]:
    try:
        connection = await Hosts(owner_dsn).connect(server_settings={"application_name": "codille erase"})
        try:
            yield connection
        finally:
            await connection.close()
    except asyncpg.InsufficientPrivilegeError as error:
        raise NotTheOwner(str(error)) from error
    except OUTAGES as error:
        if not outage(error):
            raise
        raise StoreUnavailable(f"Postgres is unavailable: {error or type(error).__name__}") from error
