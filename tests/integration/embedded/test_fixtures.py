"""The servers that other tests use."""

import asyncpg
from redis.asyncio import Redis

from deploy.embedded import PostgresUrls
from tests.support.servers import database


async def test_each_test_has_a_database_of_its_own(postgres_server: PostgresUrls, empty_database: PostgresUrls) -> None:
    async with database(postgres_server) as other:
        assert other != empty_database
        for urls in (empty_database, other):
            connection = await asyncpg.connect(urls.owner)
            await connection.execute("CREATE TABLE own ()")
            await connection.close()


async def test_a_database_is_copied_from_a_template(
    postgres_server: PostgresUrls, empty_database: PostgresUrls
) -> None:
    connection = await asyncpg.connect(empty_database.owner)
    await connection.execute("CREATE TABLE given ()")
    name = await connection.fetchval("SELECT current_database()")
    await connection.close()
    async with database(postgres_server, name) as copy:
        connection = await asyncpg.connect(copy.owner)
        assert await connection.fetchval("SELECT count(*) FROM given") == 0
        await connection.close()


async def test_redis_begins_empty(empty_redis: str) -> None:
    async with Redis.from_url(empty_redis) as client:
        assert await client.dbsize() == 0
        await client.set("left", "over")


async def test_redis_begins_empty_again(empty_redis: str) -> None:
    await test_redis_begins_empty(empty_redis)
