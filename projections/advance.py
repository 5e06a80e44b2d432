"""Taking the shards of a generation along the log, batch by batch: what keeping and building one have in common."""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct
from redis.asyncio import Redis

from domain.kernel.record import Recorded
from domain.record import Reader
from projections.checkpoint import Place, Shards, Write
from projections.fold import Batch, Folds
from projections.keys import Layout, Shard
from projections.leaderboard import gained, leaderboard_writes
from projections.lobby import lobby_writes
from projections.players import player_writes, touched
from projections.scripts import Command, send
from projections.source import End, Source, check_positions
from projections.table_views import table_writes


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

        Raises GapInLog, UnknownEvent, SourceUnavailable, Lost, Fenced, and what Redis raises.
        """
        start = self.place
        shards = [shard for shard, place in self._places.items() if place == start]
        batch = await self._folds.batch(start, records, ends)
        await self._shards.apply(batch.start, batch.end, shards, await self._writes(batch, shards))
        self._folds.keep(batch)
        self._places.update(dict.fromkeys(shards, batch.end))

    async def _writes(self, batch: Batch, shards: Collection[Shard]) -> dict[Shard, list[Write]]:
        redis, layout = self._context.redis, self._layout
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
        if players or tallies:
            # Where they stand is asked in one go, for one wait.
            asked: list[Command] = [("HGETALL", layout.player(player)) for player in players]
            asked += [("HGET", layout.tallies(game), player) for game, player in tallies]
            found = await send(redis, asked)
            fields, stored = found[: len(players)], found[len(players) :]
            writes |= player_writes(layout, batch, dict(zip(players, fields, strict=True)))
            writes |= leaderboard_writes(layout, tallies, stored)
        return writes
