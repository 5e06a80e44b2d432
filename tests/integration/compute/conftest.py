"""Every test here gets a fresh database on a real Postgres."""

import pytest

from service.store.database import Database
from service.store.store import Store


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)
