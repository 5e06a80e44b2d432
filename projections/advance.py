"""Advancing the shards of a generation along the log, batch by batch, to keep it up to date or to build it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from domain.record.history import Reader
from domain.record.recorded import Recorded
from projections.checkpoint import LogPoint, Shards, Write
from projections.connection import Client
from projections.fold import Batch, Folds
from projections.leaderboard import gained, leaderboard_writes
from projections.lobby import lobby_writes
from projections.player_records import PlayerHashes, player_writes, touched
from projections.redis_keys import FOLD, Layout, Shard
from projections.scripts import RedisCommand, send
from projections.source import End, Source, check_positions
from projections.table_views import Unshown, table_writes

_CACHED = 4096
"""The most hashes and tallies of players in the cache."""

_PlayerData: TypeAlias = dict[RedisCommand, Any]
"""Players' data in Redis, by the command that reads them."""


class Context(Struct, frozen=True):
    """The parts that advancing works with."""

    source: Source
    reader: Reader
    redis: Client
    clock: Callable[[], float]
    """The time, in seconds since 1970."""
    retention_s: float
    """The seconds that finished and closed tables stay after their last event."""
    set_aside: Callable[[str, str], None] = lambda _table, _reason: None
    """Called with each table that is set aside, and the reason."""
    fold: int = FOLD
    """The version of the code that folds."""


class Advance:
    """Advances the shards of one generation along the log, from the points that they have reached."""

    def __init__(
        self, context: Context, layout: Layout, shards: Shards, points: dict[Shard, LogPoint], folds: Folds
    ) -> None:
        self._context = context
        self._layout = layout
        self._shards = shards
        self._points = points
        self._folds = folds
        # The fence keeps other workers from writing these shards, so a cache of them stays true.
        self._cache: _PlayerData = {}

    @property
    def point(self) -> LogPoint:
        """The point of the shards that are furthest behind."""
        return min(self._points.values(), key=lambda point: point.position)

    async def read(self, limit: int) -> list[Recorded]:
        """The next events: at most `limit`, and only up to the point of shards that are ahead.

        Raises GapInLog and SourceUnavailable.
        """
        start = self.point
        ahead = [point.position for point in self._points.values() if point.position > start.position]
        upto = min((start.position + limit, *ahead))
        records = await self._context.source.log(start.position, upto - start.position)
        check_positions(records, start.position)
        return records

    async def write(self, records: Sequence[Recorded], ends: Mapping[str, End] | None = None) -> None:
        """Folds these events into the shards that do not have them yet. For `ends` see `Folds.batch`.

        Raises GapInLog, SourceUnavailable, ShardLost, Fenced, and the errors of Redis in `OUTAGES`.
        """
        start = self.point
        shards = [shard for shard, point in self._points.items() if point == start]
        while True:
            batch = await self._folds.batch(start, records, ends)
            try:
                writes, written = await self._writes(batch, shards)
                break
            except Unshown as error:
                self._folds.refuse(error.table, str(error))
        await self._shards.apply(batch.start, batch.end, shards, writes)
        self._folds.keep(batch)
        for table, reason in batch.aside.items():
            self._context.set_aside(table, reason)
        self._remember(written)
        self._points.update(dict.fromkeys(shards, batch.end))

    async def _writes(self, batch: Batch, shards: Collection[Shard]) -> tuple[dict[Shard, list[Write]], _PlayerData]:
        """The batch's writes to these shards, and the players' data after them."""
        layout = self._layout
        tables = await table_writes(
            layout,
            self._context.reader,
            batch,
            shards,
            retention_s=self._context.retention_s,
            now=self._context.clock(),
        )
        writes = {**tables, **lobby_writes(layout, batch, shards)}
        players, tallies = touched(batch, shards), gained(batch, shards)
        if not (players or tallies):
            return writes, {}
        reads: list[RedisCommand] = [
            ("HGETALL", key(player)) for player in players for key in (layout.player, layout.own_player)
        ]
        reads += [("HGET", layout.tallies(game), player) for game, player in tallies]
        replies = await self._read_players(reads)
        hashes, stored = replies[: 2 * len(players)], replies[2 * len(players) :]
        fields = dict(zip(players, map(PlayerHashes, hashes[::2], hashes[1::2]), strict=True))
        by_player = player_writes(layout, batch, fields)
        boards = leaderboard_writes(layout, tallies, stored)
        written: _PlayerData = {("HGET", key, player): tally for key, (player, tally) in _hash_writes(boards)}
        for key, rest in _hash_writes(by_player):
            written["HGETALL", key] = dict(zip(rest[::2], rest[1::2], strict=True))
        return writes | by_player | boards, written

    async def _read_players(self, reads: Sequence[RedisCommand]) -> list[Any]:
        """The replies to these commands: from the cache, and for those not in it from Redis in one round trip."""
        missing = [read for read in reads if read not in self._cache]
        replies = dict(zip(missing, await send(self._context.redis, missing), strict=True)) if missing else {}
        return [replies[read] if read in replies else self._cache[read] for read in reads]

    def _remember(self, written: _PlayerData) -> None:
        for read, value in written.items():
            # Moved to the end: the data written longest ago are dropped first.
            self._cache.pop(read, None)
            self._cache[read] = value
        for read in list(islice(self._cache, max(0, len(self._cache) - _CACHED))):
            del self._cache[read]


def _hash_writes(writes: Mapping[Shard, Sequence[Write]]) -> Iterable[tuple[str, Sequence[Any]]]:
    """The writes that set hashes: each key with its fields and values in turn."""
    return ((key, rest) for written in writes.values() for command, key, *rest in written if command == "HSET")
