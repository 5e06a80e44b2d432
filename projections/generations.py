"""Generations of read models: the current one, a new one, the switch between them, and dropping old ones."""

from projections.connection import Client
from projections.redis_keys import COUNTER, CURRENT, GENERATIONS, LOBBY, PREFIX, SHAPE, SHARDS, Layout, Pointer, pointer
from projections.scripts import LuaScript, RedisCommand, ScriptCall, keys_like, send

_DROP_AT_ONCE = 1000
"""The number of commands in one round trip that removes keys."""


class Generations:
    """The generations in Redis. Its errors are not translated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis
        self._number = LuaScript("number")
        self._switch = LuaScript("switch")
        self._retire = LuaScript("retire")

    async def current(self) -> Pointer | None:
        """The pointer that requests follow; None before the first generation."""
        (value,) = await send(self._redis, [("GET", CURRENT)])
        return pointer(value)

    async def fold(self, layout: Layout) -> int:
        """The lowest version of the code that folded this generation; 0 if that is not noted."""
        (fold,) = await send(self._redis, [("HGET", layout.checkpoint(LOBBY), "fold")])
        return int(fold or 0)

    async def aside(self, layout: Layout) -> list[str]:
        """The tables that are set aside in this generation."""
        (tables,) = await send(self._redis, [("HKEYS", layout.aside)])
        return sorted(table.decode() for table in tables)

    async def begin(self) -> Layout:
        """A new generation, without data yet."""
        (number,) = await send(self._redis, [ScriptCall(self._number, [COUNTER, GENERATIONS], [])])
        return Layout(int(number))

    async def switch(self, layout: Layout) -> bool:
        """Points requests to this generation; False if it was dropped, or they use a newer one already."""
        keys = [CURRENT, GENERATIONS]
        (switched,) = await send(self._redis, [ScriptCall(self._switch, keys, [SHAPE, layout.generation])])
        return bool(switched)

    async def retire(self, layout: Layout) -> None:
        """Removes the pointer if it points to this generation."""
        value = f"{SHAPE}:{layout.generation}"
        await send(self._redis, [ScriptCall(self._retire, [CURRENT], [value])])

    async def before(self, layout: Layout) -> list[Layout]:
        """The generations older than this one that may have keys."""
        (noted,) = await send(self._redis, [("SMEMBERS", GENERATIONS)])
        older = sorted(number for number in map(int, noted) if number < layout.generation)
        return [Layout(number) for number in older]

    async def drop(self, layout: Layout) -> None:
        """Removes all keys of this generation."""
        # Without checkpoints the shards refuse writes, so no key appears behind the scan.
        await send(self._redis, [("UNLINK", layout.checkpoint(shard)) for shard in SHARDS])
        commands: list[RedisCommand] = []
        async for key in keys_like(self._redis, f"{PREFIX}:g{layout.generation}:*", count=_DROP_AT_ONCE):
            # One command a key: in a cluster all keys of a command must be in one slot.
            commands.append(("UNLINK", key))
            if len(commands) == _DROP_AT_ONCE:
                await send(self._redis, commands)
                commands = []
        if commands:
            await send(self._redis, commands)
        await send(self._redis, [("SREM", GENERATIONS, layout.generation)])
