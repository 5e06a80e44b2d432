"""Every test here gets a fresh database on a real Postgres."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from service.store.accounts import Accounts
from service.store.database import Database
from service.store.migrate import migrate
from service.store.store import Store
from tests.support.postgres import Postgres, binaries


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


@pytest.fixture
async def owners_accounts(dsn: str) -> AsyncIterator[Accounts]:
    """The accounts as the owner of the database uses them."""
    async with Database(dsn, owner=True, connections=1) as database:
        yield Accounts(database)


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(database)


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Postgres, Postgres]]:
    """A primary with the log, and its standby."""
    primary, standby = Postgres(binaries()), Postgres(binaries())
    try:
        primary.start()
        asyncio.run(migrate(primary.dsn()))
        standby.begin_as_standby(primary)
        yield primary, standby
    finally:
        for server in (standby, primary):
            server.remove()
