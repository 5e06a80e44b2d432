"""Real servers for tests: one Postgres and one Valkey a test process, started when first needed, thrown away after.

They end with the test process, also when it is killed. Nothing is synced to disk.
"""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from deploy.embedded import PostgresUrls, postgres, valkey
from projections.connection import connect
from tests.support.redis_cluster import IN_CLUSTER, Inspected, cluster_servers


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresUrls]:
    """A server with an empty database."""
    with tempfile.TemporaryDirectory(prefix="codille-test-") as made, postgres(Path(made), durable=False) as urls:
        yield urls


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of a server; with CODILLE_TEST_CLUSTER set, of a Cluster of three."""
    if IN_CLUSTER:
        with cluster_servers() as servers:
            yield servers.url
        return
    with tempfile.TemporaryDirectory(prefix="codille-test-") as made, valkey(Path(made), durable=False) as url:
        yield url


@pytest.fixture
async def empty_database(postgres_server: PostgresUrls) -> AsyncIterator[PostgresUrls]:
    """A database of the test's own."""
    async with database(postgres_server) as urls:
        yield urls


@pytest.fixture
async def empty_redis(redis_server: str) -> str:
    """The URL of a server with no keys."""
    await flush(redis_server)
    return redis_server


@asynccontextmanager
async def database(server: PostgresUrls, template: str = "template1") -> AsyncIterator[PostgresUrls]:
    """Makes a copy of the `template` database on the server, yields its URLs, and drops it in the end."""
    name = f"test_{uuid4().hex}"
    connection = await asyncpg.connect(server.owner)
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield PostgresUrls(*(urlsplit(url)._replace(path=f"/{name}").geturl() for url in server))
        finally:
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


async def flush(server: str) -> None:
    """Empties the server, and forgets its scripts."""
    client: Any = Inspected(server) if IN_CLUSTER else connect(server)
    async with client:
        await client.flushall()
        await client.script_flush()
