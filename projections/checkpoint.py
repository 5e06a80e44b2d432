"""The shards of one generation: where each has come to, and writing to them behind the fence."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from redis.asyncio import Redis

from domain.record.recorded import GENESIS, Recorded
from projections.keys import SHARDS, Layout, Shard
from projections.scripts import Argument, LuaScript, RedisCommand, ScriptCall, send

Write: TypeAlias = tuple[str, str, *tuple[Argument, ...]]
"""A command, its key, and the rest of it."""

Writes: TypeAlias = Mapping[Shard, Sequence[Write]]


class Place(Struct, frozen=True):
    """A place in the log: a position and the hash of the event there."""

    position: int = 0
    hash: bytes = GENESIS


def place_of(record: Recorded) -> Place:
    """The place of this event."""
    return Place(record.position, record.hash)


class ShardLost(Exception):
    """A shard has no checkpoint: its data are gone, in whole or in part."""


class Fenced(Exception):
    """A shard has seen a newer lease than the caller's, or is not where the caller left it."""


class Shards:
    """The shards of one generation, for the holder of a lease with this epoch.

    What Redis raises comes out as it is; a batch may then have reached some shards, and must be sent to the others
    after another `claim`.
    """

    def __init__(self, redis: Redis, layout: Layout, epoch: int) -> None:
        self._redis = redis
        self._layout = layout
        self._epoch = epoch
        self._claim = LuaScript("claim")
        self._apply = LuaScript("apply")

    async def begin(self) -> dict[Shard, Place]:
        """Puts every shard of a new generation at the beginning of the log."""
        start = Place()
        await send(
            self._redis,
            [
                (
                    "HSET",
                    self._layout.checkpoint(shard),
                    *("epoch", self._epoch, "position", start.position, "hash", start.hash),
                )
                for shard in SHARDS
            ],
        )
        return dict.fromkeys(SHARDS, start)

    async def claim(self) -> dict[Shard, Place]:
        """Shuts out holders of older leases; answers where each shard has come to. Raises ShardLost, Fenced."""
        replies = await send(
            self._redis, [ScriptCall(self._claim, [self._layout.checkpoint(shard)], [self._epoch]) for shard in SHARDS]
        )
        for reply in replies:
            _check(reply)
        return {shard: Place(int(at), seen) for shard, (at, seen) in zip(SHARDS, replies, strict=True)}

    async def apply(self, start: Place, end: Place, shards: Collection[Shard], writes: Writes) -> None:
        """Takes these shards from `start` to `end` with what is to be written to each, nothing for most.

        Raises ShardLost, Fenced; some shards may have moved all the same.
        """
        calls: list[RedisCommand] = [self._call(start, end, shard, writes.get(shard, ())) for shard in shards]
        for reply in await send(self._redis, calls):
            _check(reply)

    def _call(self, start: Place, end: Place, shard: Shard, writes: Sequence[Write]) -> ScriptCall:
        keys = [self._layout.checkpoint(shard)]
        arguments: list[Argument] = [self._epoch, start.position, start.hash, end.position, end.hash]
        for command, key, *rest in writes:
            keys.append(key)
            arguments += (command, len(rest), *rest)
        return ScriptCall(self._apply, keys, arguments)


def _check(reply: object) -> None:
    if reply == b"lost":
        raise ShardLost
    if reply in (b"fenced", b"elsewhere"):
        raise Fenced(reply.decode())
