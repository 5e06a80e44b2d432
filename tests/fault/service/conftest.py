"""A service on servers of its own, which the tests of a file kill and start again; each ends when all works again."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import Postgres, as_service, binaries
from tests.support.redis import Valkey
from tests.support.service import Running, running


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """Its Postgres; what was written stays."""
    server = Postgres(binaries())
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="module")
def own_valkey() -> Iterator[Valkey]:
    server = Valkey()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory, own_postgres: Postgres, own_valkey: Valkey) -> Iterator[Running]:
    settings = {
        "CODILLE_DATABASE_URL": as_service(own_postgres.dsn()),
        "CODILLE_DATABASE_OWNER_URL": own_postgres.dsn(),
        "CODILLE_REDIS_URL": own_valkey.url,
        "CODILLE_RATE_LIMIT": "off",
    }
    with running(tmp_path_factory.mktemp("beside") / "data", settings=settings) as service:
        yield service
