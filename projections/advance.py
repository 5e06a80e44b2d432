"""Taking the shards of a generation along the log, batch by batch: what keeping and building one have in common."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct
from redis.asyncio import Redis

from domain.record.history import Reader
from domain.record.recorded import Recorded
from projections.checkpoint import Place, Shards, Write
from projections.fold import Batch, Folds
from projections.keys import Layout, Shard
from projections.leaderboard import gained, leaderboard_writes
from projections.lobby import lobby_writes
from projections.players import player_writes, touched
from projections.scripts import RedisCommand, send
from projections.source import End, Source, check_positions
from projections.table_views import table_writes

_STANDING = 4096
"""Players and tallies whose fields are kept."""

_Standing: TypeAlias = dict[RedisCommand, Any]
"""What stands in Redis of players, by the command that asks for it."""


class Context(Struct, frozen=True):
    """What the projections work with."""

    source: Source
    reader: Reader
    redis: Redis
    clock: Callable[[], float]
    """The time, in seconds since 1970."""
    retention_s: float
    """How long finished and closed tables stay after their last event."""


class Advance:
    """Takes the shards of one generation along the log, from the places where they stand."""

    def __init__(
        self, context: Context, layout: Layout, shards: Shards, places: dict[Shard, Place], folds: Folds
    ) -> None:
        self._context = context
        self._layout = layout
        self._shards = shards
        self._places = places
        self._folds = folds
        # Nobody else writes these shards, or this worker's next batch is refused.
        self._standing: _Standing = {}

    @property
    def place(self) -> Place:
        """Where the shards that are furthest behind stand."""
        return min(self._places.values(), key=lambda place: place.position)

    async def read(self, limit: int) -> list[Recorded]:
        """The next events: at most `limit`, and only up to where other shards are ahead. Raises GapInLog."""
        start = self.place
        ahead = [place.position for place in self._places.values() if place.position > start.position]
        upto = min((start.position + limit, *ahead))
        records = await self._context.source.log(start.position, upto - start.position)
        check_positions(records, start.position)
        return records

    async def write(self, records: Sequence[Recorded], ends: Mapping[str, End] | None = None) -> None:
        """Folds what was read into the shards that stand before it; the others have it. For `ends` see `Folds.batch`.

        Raises GapInLog, UnknownEvent, SourceUnavailable, ShardLost, Fenced, and what Redis raises.
        """
        start = self.place
        shards = [shard for shard, place in self._places.items() if place == start]
        batch = await self._folds.batch(start, records, ends)
        writes, standing = await self._writes(batch, shards)
        await self._shards.apply(batch.start, batch.end, shards, writes)
        self._folds.keep(batch)
        self._keep(standing)
        self._places.update(dict.fromkeys(shards, batch.end))

    async def _writes(self, batch: Batch, shards: Collection[Shard]) -> tuple[dict[Shard, list[Write]], _Standing]:
        """What the batch writes to these shards, and what then stands there of players."""
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
        asked: list[RedisCommand] = [("HGETALL", layout.player(player)) for player in players]
        asked += [("HGET", layout.tallies(game), player) for game, player in tallies]
        found = await self._asked(asked)
        fields, stored = found[: len(players)], found[len(players) :]
        by_player = player_writes(layout, batch, dict(zip(players, fields, strict=True)))
        boards = leaderboard_writes(layout, tallies, stored)
        standing: _Standing = {("HGET", key, player): tally for key, (player, tally) in _set(boards)}
        for key, rest in _set(by_player):
            standing["HGETALL", key] = dict(zip(rest[::2], rest[1::2], strict=True))
        return writes | by_player | boards, standing

    async def _asked(self, asked: Sequence[RedisCommand]) -> list[Any]:
        """The replies to these, of which Redis is only asked what it was not asked or told before, and in one go."""
        missing = [one for one in asked if one not in self._standing]
        found = dict(zip(missing, await send(self._context.redis, missing), strict=True)) if missing else {}
        return [found[one] if one in found else self._standing[one] for one in asked]

    def _keep(self, standing: _Standing) -> None:
        for one, value in standing.items():
            # Those that were written last are the last to go.
            self._standing.pop(one, None)
            self._standing[one] = value
        for one in list(islice(self._standing, max(0, len(self._standing) - _STANDING))):
            del self._standing[one]


def _set(writes: Mapping[Shard, Sequence[Write]]) -> Iterable[tuple[str, Sequence[Any]]]:
    """The hashes that are set, with fields and values."""
    return ((key, rest) for written in writes.values() for command, key, *rest in written if command == "HSET")
