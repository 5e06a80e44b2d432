"""Every test here gets a fresh database on a real Postgres."""

from collections.abc import AsyncIterator

import pytest

from service.store.accounts import Accounts
from service.store.database import Database
from service.store.store import Store


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
