"""Commands reach Redis as the driver would send them."""

import pytest
from redis.asyncio import Connection

from projections.connection import connect


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
