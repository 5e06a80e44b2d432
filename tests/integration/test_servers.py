"""The servers that other tests use."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis

from service.store.database import Database
from tests.integration.embedded.conftest import servers_of
from tests.support.postgres import Databases, as_service, disconnect
from tests.support.run import FOLDER
from tests.support.waiting import until

OF_A_RUN = """
import os, time
from pathlib import Path
import pytest

@pytest.mark.parametrize("end", [lambda: os._exit(1), lambda: time.sleep(600), lambda: time.sleep(600)])
async def test_one(dsn, end):
    Path(__file__).with_name(f"{os.getpid()}.dsn").write_text(dsn)
    end()
"""


async def test_each_test_has_a_database_of_its_own(databases: Databases, empty_dsn: str) -> None:
    async with databases.empty() as other:
        for dsn in (empty_dsn, other):
            await executed(dsn, "CREATE TABLE own ()")


@pytest.mark.parametrize("left", ["INSERT INTO codille.log VALUES (1, 2)", "CREATE TABLE codille.own ()"])
async def test_a_database_is_as_after_migrating_whatever_the_test_before_left(databases: Databases, left: str) -> None:
    for _ in range(2):
        async with databases.fresh() as dsn:
            await executed(dsn, left)


async def test_connections_to_other_databases_stay(database: Database, dsn: str, databases: Databases) -> None:
    async with databases.fresh() as other, Database(as_service(other)) as elsewhere:
        for each in (database, elsewhere):
            await each.fetch("SELECT 1")
        assert await disconnect(dsn) > 0
        assert await disconnect(dsn) == 0
        assert await disconnect(other) > 0


async def executed(dsn: str, statement: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute(statement)
    await connection.close()


async def test_redis_begins_empty(empty_redis: str) -> None:
    async with Redis.from_url(empty_redis) as client:
        assert await client.dbsize() == 0
        await client.set("left", "over")


async def test_redis_begins_empty_again(empty_redis: str) -> None:
    await test_redis_begins_empty(empty_redis)


@pytest.mark.long
def test_a_run_has_one_server_whatever_ends_its_processes(tmp_path: Path) -> None:
    test = tmp_path / "test_of_a_run.py"
    test.write_text(OF_A_RUN)
    # Of the two processes the first is replaced.
    command = [sys.executable, "-m", "pytest", "--config-file=pyproject.toml", "-p", "tests.conftest", "-n", "2", test]
    with subprocess.Popen(command, env=os.environ | {FOLDER: str(tmp_path)}, stdout=subprocess.DEVNULL) as run:
        try:
            asyncio.run(until(lambda: len(dsns(tmp_path)) == 3))
            (home,) = {Path(dsn.partition("host=")[2]) for dsn in dsns(tmp_path)}
            assert servers_of(home)
        finally:
            run.kill()
    asyncio.run(until(lambda: not servers_of(home)))
    shutil.rmtree(home)


def dsns(folder: Path) -> list[str]:
    """What the processes wrote, as far as they have."""
    return [text for path in folder.glob("*.dsn") if (text := path.read_text())]
