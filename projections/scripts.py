"""Commands to Redis, Lua scripts among them: by digest, and by text where the server does not know the digest."""

from collections.abc import AsyncIterator, Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any, TypeAlias

from redis.exceptions import NoScriptError

from projections.cluster import Cluster
from projections.connection import Client

Argument: TypeAlias = str | int | bytes


class LuaScript:
    """One file of `lua/`, with the digest by which Redis knows it."""

    def __init__(self, name: str) -> None:
        self.text = files("projections").joinpath("lua", f"{name}.lua").read_text()
        self.digest = sha1(self.text.encode(), usedforsecurity=False).hexdigest()


class ScriptCall:
    """A script with its keys, all in one slot, and its arguments. It is a value, as other commands are."""

    __slots__ = ("_arguments", "_script")

    def __init__(self, script: LuaScript, keys: Sequence[str], arguments: Sequence[Argument]) -> None:
        self._script = script
        self._arguments = (len(keys), *keys, *arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScriptCall) and self.by_digest() == other.by_digest()

    def __hash__(self) -> int:
        return hash(self.by_digest())

    def by_digest(self) -> tuple[Argument, ...]:
        """The command that calls a script known to the server."""
        return ("EVALSHA", self._script.digest, *self._arguments)

    def by_text(self) -> tuple[Argument, ...]:
        """The command that calls the script and makes it known to the server."""
        return ("EVAL", self._script.text, *self._arguments)


RedisCommand: TypeAlias = ScriptCall | tuple[Argument, ...]
"""A script's call, or any other command with its arguments."""


async def send(redis: Client, commands: Sequence[RedisCommand]) -> list[Any]:
    """The replies to these commands, sent together but applied one by one, at one server in this order.

    Raises the errors in `OUTAGES`.
    """
    replies = await _send(redis, [_plain(command) for command in commands])
    unknown = [index for index, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
    if unknown:
        calls = [call for index in unknown if isinstance(call := commands[index], ScriptCall)]
        for index, reply in zip(unknown, await _send(redis, [call.by_text() for call in calls]), strict=True):
            replies[index] = reply
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


async def keys_like(redis: Client, pattern: str, *, count: int) -> AsyncIterator[bytes]:
    """The keys of this pattern, read some `count` at a time. Raises the errors in `OUTAGES`."""
    if isinstance(redis, Cluster):
        for node in await redis.primaries():
            cursor = b"0"
            while True:
                cursor, keys = await redis.at(node, "SCAN", cursor, "MATCH", pattern, "COUNT", count)
                for key in keys:
                    yield key
                if cursor == b"0":
                    break
    else:
        async for key in redis.scan_iter(pattern, count=count):
            yield key


async def info(redis: Client, *sections: str) -> list[Any]:
    """What each server says of itself, as a dictionary. Raises the errors in `OUTAGES`."""
    command = ("INFO", *sections)
    replies = await redis.everywhere(*command) if isinstance(redis, Cluster) else await send(redis, [command])
    return [_stated(reply.decode()) for reply in replies]


def _stated(text: str) -> dict[str, Any]:
    """What a server says of itself in lines of `name:value`, with whole numbers as such."""
    named = (line.partition(":") for line in text.splitlines())
    return {name: int(value) if value.isdigit() else value for name, colon, value in named if colon}


def _plain(command: RedisCommand) -> tuple[Argument, ...]:
    return command.by_digest() if isinstance(command, ScriptCall) else command


async def _send(redis: Client, commands: Sequence[tuple[Argument, ...]]) -> list[Any]:
    """The replies, including the server's errors.

    The driver's pipeline does the same, but releases its connection in a task that the sender waits for.
    """
    if isinstance(redis, Cluster):
        replies = await redis.exchange(commands)
    else:
        pool = redis.connection_pool
        connection = await pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            replies = await connection.exchange(commands)
        finally:
            await pool.release(connection)
    return [_read(command, reply) for command, reply in zip(commands, replies, strict=True)]


def _read(command: tuple[Argument, ...], reply: Any) -> Any:
    """The reply as the server sent it, but a hash as a dictionary."""
    if command[0] != "HGETALL" or isinstance(reply, Exception):
        return reply
    return dict(zip(reply[::2], reply[1::2], strict=True))
