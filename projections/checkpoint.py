"""The shards of one generation: the checkpoint of each, and writing to them behind the fence."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.record.recorded import GENESIS, Recorded
from projections.connection import Client
from projections.redis_keys import FOLD, SHARDS, Layout, Shard
from projections.scripts import Argument, LuaScript, RedisCommand, ScriptCall, send

Write: TypeAlias = tuple[str, str, *tuple[Argument, ...]]
"""A command, its key, and its other arguments."""

Writes: TypeAlias = Mapping[Shard, Sequence[Write]]


class LogPoint(Struct, frozen=True):
    """A point of the log: a position, and the hash of the event there."""

    position: int = 0
    hash: bytes = GENESIS


def log_point(record: Recorded) -> LogPoint:
    """The point of the log at this event."""
    return LogPoint(record.position, record.hash)


async def first_missing(
    read: Callable[[int, int], Awaitable[Sequence[Recorded]]], points: Iterable[LogPoint]
) -> LogPoint | None:
    """The first of these points that the log does not have; None if it has all. `read` is `Source.log`."""
    for point in sorted(set(points) - {LogPoint()}, key=lambda point: point.position):
        records = await read(point.position - 1, 1)
        if not records or log_point(records[0]) != point:
            return point
    return None


class ShardLost(Exception):
    """A shard has no checkpoint, so its data are lost in whole or in part, or it belongs to another log."""


class Fenced(Exception):
    """A shard has seen a newer lease than the caller's, or is not at the point where the caller left it."""


class Shards:
    """The shards of one generation, written by the holder of a lease with this epoch, whose code folds so (`FOLD`).

    Errors of Redis are not translated. After one, a batch may have reached some shards; it must be sent to the others
    after another `claim`.
    """

    def __init__(self, redis: Client, layout: Layout, epoch: int, fold: int = FOLD) -> None:
        self._redis = redis
        self._layout = layout
        self._epoch = epoch
        self._fold = fold
        self._claim = LuaScript("claim")
        self._apply = LuaScript("apply")

    async def begin(self) -> dict[Shard, LogPoint]:
        """Sets every shard of a new generation to the beginning of the log, and returns their points."""
        start = LogPoint()
        await send(
            self._redis,
            [
                (
                    "HSET",
                    self._layout.checkpoint(shard),
                    *("epoch", self._epoch, "position", start.position, "hash", start.hash, "fold", self._fold),
                )
                for shard in SHARDS
            ],
        )
        return dict.fromkeys(SHARDS, start)

    async def claim(self) -> dict[Shard, LogPoint]:
        """Shuts out holders of older leases, and returns the point of each shard. Raises ShardLost, Fenced."""
        replies = await send(
            self._redis,
            [ScriptCall(self._claim, [self._layout.checkpoint(shard)], [self._epoch, self._fold]) for shard in SHARDS],
        )
        for reply in replies:
            _check(reply)
        return {shard: LogPoint(int(position), head) for shard, (position, head) in zip(SHARDS, replies, strict=True)}

    async def apply(self, start: LogPoint, end: LogPoint, shards: Collection[Shard], writes: Writes) -> None:
        """Advances these shards from `start` to `end` with the writes to each; most have none.

        Raises ShardLost, Fenced; some shards may have advanced nevertheless.
        """
        calls: list[RedisCommand] = [self._call(start, end, shard, writes.get(shard, ())) for shard in shards]
        for reply in await send(self._redis, calls):
            _check(reply)

    def _call(self, start: LogPoint, end: LogPoint, shard: Shard, writes: Sequence[Write]) -> ScriptCall:
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
