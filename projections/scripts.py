"""The Lua scripts, and calling them: by their digest, with their text where the server does not know it."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any, TypeAlias

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

Argument: TypeAlias = str | int | bytes


class LuaScript:
    """One file of `lua/`."""

    def __init__(self, name: str) -> None:
        self.text = files("projections").joinpath("lua", f"{name}.lua").read_text()
        self.digest = sha1(self.text.encode(), usedforsecurity=False).hexdigest()


class ScriptCall:
    """A script with its keys, all of one slot, and its arguments; a value, as other commands are."""

    __slots__ = ("_arguments", "_script")

    def __init__(self, script: LuaScript, keys: Sequence[str], arguments: Sequence[Argument]) -> None:
        self._script = script
        self._arguments = (len(keys), *keys, *arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScriptCall) and self.by_digest() == other.by_digest()

    def __hash__(self) -> int:
        return hash(self.by_digest())

    def by_digest(self) -> tuple[Argument, ...]:
        """The command that calls a script which the server knows."""
        return ("EVALSHA", self._script.digest, *self._arguments)

    def by_text(self) -> tuple[Argument, ...]:
        """The command that also makes the script known."""
        return ("EVAL", self._script.text, *self._arguments)


RedisCommand: TypeAlias = ScriptCall | tuple[Argument, ...]
"""A call of a script, or any other command."""


async def send(redis: Redis, commands: Sequence[RedisCommand]) -> list[Any]:
    """The replies to these commands, sent in one go; each is applied by itself. Raises what `OUTAGES` names."""
    replies = await _send(redis, [_plain(command) for command in commands])
    unknown = [place for place, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
    if unknown:
        calls = [call for place in unknown if isinstance(call := commands[place], ScriptCall)]
        for place, reply in zip(unknown, await _send(redis, [call.by_text() for call in calls]), strict=True):
            replies[place] = reply
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def _plain(command: RedisCommand) -> tuple[Argument, ...]:
    return command.by_digest() if isinstance(command, ScriptCall) else command


async def _send(redis: Redis, commands: Sequence[tuple[Argument, ...]]) -> list[Any]:
    """The replies, errors of the server among them.

    It is what the driver's pipeline does, but that gives its connection back by a task of its own, and whoever sends
    waits for it: three turns of a busy event loop, where the exchange takes two.
    """
    pool = redis.connection_pool
    connection = await pool.get_connection()  # type: ignore[no-untyped-call]
    try:
        replies = await connection.exchange(commands)
    finally:
        await pool.release(connection)
    return [_read(redis, command, reply) for command, reply in zip(commands, replies, strict=True)]


def _read(redis: Redis, command: tuple[Argument, ...], reply: Any) -> Any:
    """The reply as the driver hands it out."""
    read = None if isinstance(reply, Exception) else redis.response_callbacks.get(str(command[0]))
    return reply if read is None else read(reply)
