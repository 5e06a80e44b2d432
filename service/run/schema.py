"""Updates the database's schema, and checks the service's role."""

import asyncio
import os
from getpass import getuser
from urllib.parse import parse_qs, unquote

import asyncpg

from deploy.embedded import Servers
from deploy.embedded.scram import scram_verifier
from projections.addresses import split_address
from service.config import PREFIX
from service.run.serve_error import ServeError, unreachable
from service.store.database import OUTAGES, REFUSALS, Database, StoreUnavailable, WrongAddress
from service.store.migrate import MigrationRefused, left_to_administrators, migrate, missing_migrations

NO_ADDRESS = (ValueError, OverflowError)
"""What asyncpg raises for a malformed URL, and the socket for an impossible port."""

MIGRATE = f"run `codille migrate` with the owner's address in {PREFIX}DATABASE_OWNER_URL"


def bring_up_to_date(servers: Servers) -> list[str]:
    """Runs the missing migrations as the owner, and returns their names.

    Raises ServeError if a migration is refused, if Postgres cannot be used, and if migrations are missing but the
    owner's URL is unknown.
    """
    if servers.owner_url is None:
        check_role(servers.database_url)
        _check_migrations(servers.database_url)
        return []
    role, password = role_of(servers.database_url)
    try:
        return asyncio.run(migrate(servers.owner_url, role, None if password is None else scram_verifier(password)))
    except MigrationRefused as error:
        raise ServeError(str(error)) from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise ServeError(
            f"the role of {PREFIX}DATABASE_OWNER_URL may not change the schema ({error}); name the role that owns it"
        ) from error
    except (*OUTAGES, asyncpg.PostgresError, *NO_ADDRESS) as error:
        raise unreachable("Postgres", servers.owner_url, error) from error


def left_to_do(servers: Servers) -> list[str]:
    """The statements for an administrator of Postgres, since the owner may not run them. Raises the driver's errors."""
    if servers.owner_url is None:
        return []
    return asyncio.run(left_to_administrators(servers.owner_url, role_of(servers.database_url)[0]))


def check_role(database_url: str) -> None:
    """Raises ServeError if the role may do more than the service needs, or cannot read the log.

    While Postgres is away nothing is raised: each new connection is checked again.
    """
    try:
        asyncio.run(_connect(database_url))
    except WrongAddress as error:
        raise ServeError(str(error)) from error
    except StoreUnavailable as error:
        if isinstance(error.__cause__, REFUSALS):
            raise ServeError(f"{PREFIX}DATABASE_URL cannot be used: {error.__cause__}") from error
        return
    except (asyncpg.UndefinedTableError, asyncpg.InsufficientPrivilegeError) as error:
        raise ServeError(f"the database is not laid out for the role of {PREFIX}DATABASE_URL: {MIGRATE}") from error
    except (asyncpg.PostgresError, *NO_ADDRESS) as error:
        raise ServeError(f"{PREFIX}DATABASE_URL cannot be used: {error or type(error).__name__}") from error


def check_standby(standby_url: str) -> None:
    """Raises ServeError if the standby's role may do more than the service needs, or if a pooler is in between that the
    address does not mention: its answers would be those to other queries, or the standby of no use.

    Whatever else is wrong with a standby, the primary answers for it.
    """
    try:
        asyncio.run(_check_sessions(standby_url))
    except WrongAddress as error:
        raise ServeError(f"{PREFIX}STANDBY_URL cannot be used: {error}") from error
    except (StoreUnavailable, asyncpg.PostgresError, *NO_ADDRESS):
        return


async def _check_sessions(url: str) -> None:
    async with Database(url) as database:
        await database.check_sessions()


async def _connect(database_url: str) -> None:
    async with Database(database_url) as database:
        await database.fetch("SELECT position FROM codille.log")
        await database.check_sessions()


def _check_migrations(database_url: str) -> None:
    try:
        missing = asyncio.run(missing_migrations(database_url))
    except MigrationRefused as error:
        raise ServeError(str(error)) from error
    except (*OUTAGES, asyncpg.PostgresError, *NO_ADDRESS) as error:
        raise unreachable("Postgres", database_url, error) from error
    if missing:
        raise ServeError(f"the database lacks {', '.join(missing)}: {MIGRATE}")


def role_of(database_url: str) -> tuple[str, str | None]:
    """The role in the URL, and its password."""
    parts = split_address(database_url)
    query = parse_qs(parts.query)
    role = unquote(parts.username or "") or query.get("user", [""])[0] or os.environ.get("PGUSER") or getuser()
    password = unquote(parts.password or "") or query.get("password", [""])[0] or os.environ.get("PGPASSWORD")
    return role, password or None
