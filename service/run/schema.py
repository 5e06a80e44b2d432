"""Bringing the database's schema up to date."""

import asyncio

import asyncpg

from service.config import PREFIX, Settings
from service.run.errors import ServeError
from service.store.database import OUTAGES
from service.store.migrate import MigrationRefused, migrate


class NotAllowed(ServeError):
    """The database's role may not change the schema."""


def owner_url(settings: Settings, database_url: str) -> str:
    """Where the schema's owner connects, for a service that is served over `database_url`."""
    return (settings.database_url and settings.database_owner_url) or database_url


def bring_up_to_date(settings: Settings, database_url: str) -> list[str]:
    """Runs the missing migrations, and returns their names.

    They run at the owner's URL, where the settings name one, and else at `database_url`. Raises NotAllowed when the
    role may not change the schema, and ServeError when a migration is refused or Postgres cannot be used.
    """
    try:
        return asyncio.run(migrate(owner_url(settings, database_url)))
    except asyncpg.InsufficientPrivilegeError as error:
        raise NotAllowed(
            f"the role of {PREFIX}DATABASE_URL may not change the schema; name its owner in {PREFIX}DATABASE_OWNER_URL"
        ) from error
    except MigrationRefused as error:
        raise ServeError(str(error)) from error
    except (*OUTAGES, asyncpg.PostgresError, ValueError) as error:
        raise ServeError(f"Postgres cannot be used: {error or type(error).__name__}") from error
