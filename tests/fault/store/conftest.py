"""Servers that fail: each test has one of its own, since it ends it."""

import asyncio
from collections.abc import Iterator

import pytest

from service.store.migrate import migrate
from tests.support.postgres import Postgres, binaries


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A server of the test's own that keeps its data through a crash, with a migrated database `postgres`."""
    server = Postgres(binaries(), {"fsync": "on"})
    try:
        server.start()
        asyncio.run(migrate(server.dsn()))
        yield server
    finally:
        server.remove()
