"""Erases free text from the log, which only the owner of its tables can do."""

from typing import TYPE_CHECKING

import asyncpg

from service.store.database import OUTAGES, StoreUnavailable, outage
from service.store.hosts import Hosts
from service.store.store import Append, Appended, Outcome, append_on

if TYPE_CHECKING:
    from domain.record.recorded import Recorded

_ERASE = "UPDATE codille.event SET sealed = $3 WHERE table_id = $1 AND version = $2"


class NotTheOwner(Exception):
    """The role does not own the log's tables."""


async def erase(owner_dsn: str, command: Append, erased: "Recorded") -> Outcome:
    """Appends the event that records an erasure, and stores the earlier event as `erased`, in one transaction.

    Nothing is erased unless the outcome is Appended. The bytes stay in the server's files until it vacuums the table,
    and in backups for as long as those are kept. Raises NotTheOwner and StoreUnavailable.
    """
    try:
        connection = await Hosts(owner_dsn).connect(server_settings={"application_name": "codille erase"})
        try:
            async with connection.transaction():
                outcome = await append_on(connection, command)
                if isinstance(outcome, Appended):
                    await connection.execute(_ERASE, erased.table, erased.version, erased.sealed)
        finally:
            await connection.close()
    except asyncpg.InsufficientPrivilegeError as error:
        raise NotTheOwner(str(error)) from error
    except OUTAGES as error:
        if not outage(error):
            raise
        raise StoreUnavailable(f"Postgres is unavailable: {error or type(error).__name__}") from error
    return outcome
