"""Commands reach Redis as the driver would send them, and replies reach the sender."""

import asyncio

import pytest
from redis.asyncio import Connection, Redis
from redis.exceptions import ResponseError

from projections.connection import connect
from projections.scripts import send
from tests.support.stepping import stops


@pytest.mark.parametrize(
    "command",
    [
        ("GET", "a key"),
        ("CONFIG GET", "maxmemory"),
        ("EVALSHA", "0" * 40, 1, "codille:{t0}:é", b"\x00\r\n\xff", -7, 10**15, ""),
        ("SET", "big", b"x" * 100_000),
    ],
)
def test_a_command_is_packed_as_by_the_driver(command: tuple[str | bytes | int, ...]) -> None:
    ours = connect("redis://localhost").connection_pool.make_connection()
    assert isinstance(ours, Connection)
    assert b"".join(ours.pack_command(*command)) == b"".join(Connection().pack_command(*command))


async def test_a_cancelled_command_leaves_nothing_to_the_next(redis: Redis) -> None:
    asked = [("SET", "big", b"x" * 10**6), ("GET", "big"), ("ECHO", "one")]
    async for stop in stops(lambda: send(redis, asked)):
        replies = await asyncio.gather(*(send(redis, [("ECHO", other)]) for other in ("two", "three")))
        assert replies == [[b"two"], [b"three"]], stop


async def test_one_refused_command_keeps_no_other_from_its_reply(redis: Redis) -> None:
    with pytest.raises(ResponseError, match="wrong kind"):
        await send(redis, [("SET", "text", "one"), ("HGET", "text", "field"), ("SET", "text", "two")])
    assert await send(redis, [("GET", "text"), ("HGETALL", "no hash")]) == [b"two", {}]
