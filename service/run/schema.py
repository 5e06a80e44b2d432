"""Bringing the database's schema up to date."""

import asyncio

import asyncpg

from service.config import PREFIX, Settings
from service.run.errors import ServeError
from service.store.database import OUTAGES
from service.store.migrate import MigrationRefused, migrate


class NotAllowed(ServeError):
    """The role that was given may not change the schema."""


def owner_url(settings: Settings, database_url: str) -> str:
    """Where the owner of the schema connects, of a service over `database_url`."""
    return (settings.database_url and settings.database_owner_url) or database_url


def bring_up_to_date(settings: Settings, database_url: str) -> list[str]:
    """Runs what migrations are missing and answers their names.

    `database_url` is what is served; the owner's, where the settings name one, is for this. Raises ServeError.
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
