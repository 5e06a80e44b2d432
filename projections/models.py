"""Reading the read models.

Requests follow the pointer to the current generation. It is read with every request, in the same round trip, and the
request is repeated if it has moved.

Requests made at the same time share a round trip: one for tables' own read models, one for lists, each over a
connection of its own. So requests do not queue for connections, and a value that many request is read once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct

from domain.seats import Audience, Bot
from domain.table.state import Status
from projections import cursors, ledgers
from projections.checkpoint import LogPoint
from projections.connection import OUTAGES, Client, unavailable
from projections.gather import Gather
from projections.leaderboard import ranked
from projections.player_records import (
    games_with_bots,
    lines_for_player,
    microseconds,
    player_record,
    stored_line,
    tallies_of,
)
from projections.redis_keys import CURRENT, SHAPE, SHARDS, Layout, Shard, pointer, shard_of_table
from projections.scripts import LuaScript, RedisCommand, ScriptCall, info, send
from projections.source import Source

T = TypeVar("T")

_SWITCHES = 3
"""The number of generations that a read tries before it gives up."""

_POLL_S = 0.002
"""Seconds between two looks at a version that is waited for."""


class ReadModelsUnavailable(Exception):
    """Redis did not answer in time, or holds no read models yet."""


class Stored(Struct, frozen=True):
    """A read model of a table at a version: JSON as served."""

    version: int
    body: bytes


class Page(Struct, frozen=True):
    """A page of a list: items as JSON, and the cursor of the next page if there is one."""

    items: list[bytes]
    next: str | None


class Seated(NamedTuple):
    """Who sits on a seat."""

    player: str
    bot: Bot | None
    """The bot, if one sits there."""


class _StoredSummary(Struct, frozen=True):
    """The members of a table's summary that say who sits there."""

    players: tuple[str | None, ...]
    bots: tuple[Bot | None, ...]


class RedisState(Struct, frozen=True):
    """The state of Redis, as it reports it."""

    loading: bool
    """Whether it is still loading its file, and answers nothing else."""
    writes: bool
    """False if its last attempt to write its file failed, so that it refuses changes."""
    memory_bytes: int
    memory_limit_bytes: int
    """0: no limit."""
    seconds: float
    """The time that the answer took."""

    @classmethod
    def of(cls, stated: Sequence[Mapping[str, Any]], seconds: float) -> Self:
        """The state of all servers together, by the sections `memory` and `persistence` of what each says of itself."""
        return cls(
            loading=any(each.get("loading") for each in stated),
            # Both are "ok" if the file in question is not kept.
            writes=not any(
                "err" in (each.get("aof_last_write_status"), each.get("rdb_last_bgsave_status")) for each in stated
            ),
            memory_bytes=sum(each.get("used_memory", 0) for each in stated),
            memory_limit_bytes=sum(each.get("maxmemory", 0) for each in stated),
            seconds=seconds,
        )


class Built(Struct, frozen=True):
    """What the current generation says of itself."""

    generation: int
    fold: int
    """The lowest version of the code that folded it; 0 if that is not noted."""
    points: tuple[LogPoint, ...]
    """The point of the log that each shard has reached."""
    aside: frozenset[str]
    """The tables that are set aside."""

    @property
    def position(self) -> int:
        """The position of the log up to which all of it is complete."""
        return min(point.position for point in self.points)


class _Switched(Exception):
    """The generation that was read is not the current one."""


_TableKey: TypeAlias = tuple[str, ...]
"""The name of one of a table's own read models: `view` table audience, `ledger` table, `version` table."""

_ListKey: TypeAlias = tuple[Layout, tuple[RedisCommand, ...]]
"""A generation, and the commands that read a list in it."""


class ReadModels:
    """The read models. Every method raises ReadModelsUnavailable.

    `timeout_s` bounds every round trip. `games` are the names of all games.
    """

    def __init__(self, redis: Client, source: Source, games: Iterable[str], *, timeout_s: float = 0.5) -> None:
        self._redis = redis
        self._source = source
        self._games = tuple(games)
        self._timeout_s = timeout_s
        self._pause_s = 0.2
        """Seconds without requests to Redis after a failure."""
        self._away_until = 0.0
        self._layout: Layout | None = None
        self._gather: Gather[_TableKey, list[bytes | None]] = Gather(self._fetch)
        self._pointer: Gather[str, Layout] = Gather(self._fetch_current)
        self._lists: Gather[_ListKey, list[Any] | None] = Gather(self._fetch_lists)
        self._tables = LuaScript("tables")
        self._leaderboard = LuaScript("leaderboard")

    async def view(self, table: str, audience: Audience) -> Stored | None:
        """A table's view; None if Redis does not have it: the table is unknown, new, or finished long ago."""
        (value,) = await self._gather.get(("view", table, audience))
        return None if value is None else _stored(value)

    async def ledger(self, table: str) -> Stored | None:
        """A table's ledger; None as for `view`."""
        version, value = await self._gather.get(("ledger", table))
        if version is None or value is None:
            return None
        return Stored(int(version), ledgers.served_ledger(int(version), _stored(value).body))

    async def wait(self, table: str, version: int, timeout: float) -> bool:  # noqa: ASYNC109 (running out of time is no error here)
        """Whether the table's view and ledger have reached this version within `timeout` seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            (known,) = await self._gather.get(("version", table))
            if known is not None and int(known) >= version:
                return True
            left = deadline - loop.time()
            if left <= 0:
                return False
            await asyncio.sleep(min(_POLL_S, left))

    async def tables(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        player: str | None = None,
        own: bool = False,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """Tables, the newest first; with `own`, for the player, also tables that lists do not show. Raises BadCursor.

        A page begins where the one before it ended, whatever has changed since.
        """
        before = "+inf" if cursor is None else f"({cursors.number(cursors.TABLES, cursor)}"
        statuses = get_args(Status) if status is None else (status,)
        games = self._games if game is None else (game,)
        if not games:
            return Page([], None)

        async def read(layout: Layout) -> list[Any]:
            indexes = [layout.index(one, other, player) for one in statuses for other in games]
            if own:
                indexes += [layout.index(one, other, player, own=True) for one in statuses for other in games]
            call = ScriptCall(self._tables, indexes, [before, limit + 1, layout.summary("")])
            (page,) = await self._list(layout, [call])
            return list(page)

        page = await self._read(read)
        items = [(opened, _stored(value).body) for opened, value in page if value is not None]
        return _page(cursors.TABLES, items, limit)

    async def statement(
        self,
        player: str,
        *,
        own: bool = False,
        game: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """The lines booked on a player's account from `since` to before `until`, newest first. Raises BadCursor.

        Each has the balance of its game after it. A line's time is that of its event or, if times were out of order,
        just after the previous line. With `own`, for the player, the lines of tables that lists do not show are
        included, in the balances too.
        """
        since_us = None if since is None else microseconds(since)
        until_us = None if until is None else microseconds(until)
        before = None if cursor is None else cursors.number(cursors.OWN_STATEMENT if own else cursors.STATEMENT, cursor)
        if own:
            newest = await self._own_statement(player, game, until_us, before, limit)
            newest = [(key, line) for key, line in newest if since_us is None or key >= 2 * since_us]
            return _page(cursors.OWN_STATEMENT, newest, limit)
        within = _range(since_us, until_us, before)

        async def read(layout: Layout) -> list[tuple[int, bytes]]:
            games = [game] if game is not None else await self._games_of(layout, player, own=False)
            lists = await self._list(layout, [_newest(layout.lines(player, each), within, limit + 1) for each in games])
            return [(line.time, line.body) for lines in lists for line in map(stored_line, lines)]

        return _page(cursors.STATEMENT, nlargest(limit + 1, await self._read(read)), limit)

    async def _own_statement(
        self, player: str, game: str | None, until: int | None, before: int | None, limit: int
    ) -> list[tuple[int, bytes]]:
        """The newest lines of both accounts before this time and key, each with its key: `limit`, and one more if there
        are others.

        As many are read of each account in each game. So for each line among the `limit`, the last line before it of
        the same game's other account is read too.
        """
        public = _range(None, until, None if before is None else (before + 1) // 2)
        hidden = _range(None, until, None if before is None else before // 2)

        async def read(layout: Layout) -> list[tuple[int, bytes]]:
            games = [game] if game is not None else await self._games_of(layout, player, own=True)
            commands = [
                command
                for each in games
                for command in (
                    _newest(layout.lines(player, each), public, limit + 1),
                    _newest(layout.own_lines(player, each), hidden, limit + 1),
                )
            ]
            lists = [list(map(stored_line, lines)) for lines in await self._list(layout, commands)]
            return [line for both in zip(lists[::2], lists[1::2], strict=True) for line in lines_for_player(*both)]

        return nlargest(limit + 1, await self._read(read))

    async def seated(self, tables: Collection[str]) -> dict[str, tuple[Seated, ...]]:
        """Who sits at those tables whose seats are all taken, by seat, without tables that are set aside."""
        names = sorted(tables)

        async def read(layout: Layout) -> list[bytes | None]:
            (values,) = await self._list(layout, [("MGET", *map(layout.summary, names))])
            return list(values)

        summaries = {} if not names else dict(zip(names, await self._read(read), strict=True))
        known = {
            table: msgspec.json.decode(_stored(value).body, type=_StoredSummary)
            for table, value in summaries.items()
            if value is not None
        }
        return {
            table: tuple(
                Seated(player, bot)
                for player, bot in zip(summary.players, summary.bots, strict=True)
                if player is not None
            )
            for table, summary in known.items()
            if None not in summary.players
        }

    async def record(self, players: Sequence[str], *, own: str | None = None) -> list[bytes]:
        """Each player's record as JSON: games finished and won, and per game with the total.

        The record of the player `own` includes games at tables that lists do not show.
        """

        async def read(layout: Layout) -> list[list[Mapping[bytes, bytes]]]:
            keys = [
                [layout.player(player), *([layout.own_player(player)] if player == own else ())] for player in players
            ]
            hashes = iter(await self._list(layout, [("HGETALL", key) for some in keys for key in some]))
            return [[next(hashes) for _ in some] for some in keys]

        return [player_record(*hashes) for hashes in await self._read(read)]

    async def leaderboard(self, game: str, *, cursor: str | None = None, limit: int = 50) -> Page:
        """The players of a game, the best total first, equal totals by player id. Raises BadCursor.

        A page begins after the last total and player of the page before.
        """
        begin = "-" if cursor is None else f"({cursors.key(cursors.LEADERBOARD, cursor)}"

        async def read(layout: Layout) -> list[Any]:
            keys = [layout.ranking(game), layout.tallies(game)]
            (page,) = await self._list(layout, [ScriptCall(self._leaderboard, keys, [begin, limit + 1])])
            return list(page)

        items = [(member.decode(), ranked(member, better, tally)) for member, better, tally in await self._read(read)]
        return _page(cursors.LEADERBOARD, items, limit)

    async def position(self) -> int:
        """The position of the log up to which all read models are complete."""

        async def read(layout: Layout) -> int:
            positions = await self._list(layout, [("HGET", layout.checkpoint(shard), "position") for shard in SHARDS])
            return min(int(position or 0) for position in positions)

        return await self._read(read)

    async def built(self) -> Built:
        """What the current generation says of itself."""

        async def read(layout: Layout) -> Built:
            *shards, aside = await self._list(
                layout,
                [
                    *(("HMGET", layout.checkpoint(shard), "position", "hash", "fold") for shard in SHARDS),
                    ("HKEYS", layout.aside),
                ],
            )
            return Built(
                layout.generation,
                min(int(fold or 0) for _, _, fold in shards),
                tuple(LogPoint(int(position), head) if position else LogPoint() for position, head, _ in shards),
                frozenset(table.decode() for table in aside),
            )

        return await self._read(read)

    async def set_aside(self) -> int:
        """The number of tables that are set aside, since their records cannot be read. Raises ReadModelsUnavailable."""

        async def read(layout: Layout) -> int:
            (tables,) = await self._list(layout, [("HLEN", layout.aside)])
            return int(tables)

        return await self._read(read)

    async def lag(self) -> int:
        """The number of positions that the read models are behind the log. Raises SourceUnavailable as well."""
        reached = await self.position()
        return max(0, await self._source.end() - reached)

    async def state(self) -> RedisState:
        """The state of Redis, in one round trip of its own; of a Cluster all primaries together.

        Raises ReadModelsUnavailable.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(self._timeout_s):
                stated = await info(self._redis, "memory", "persistence")
        except OUTAGES as error:
            raise ReadModelsUnavailable(unavailable(error)) from error
        return RedisState.of(stated, loop.time() - began)

    async def _games_of(self, layout: Layout, player: str, *, own: bool) -> list[str]:
        keys = [layout.player(player), *([layout.own_player(player)] if own else ())]
        hashes = await self._list(layout, [("HGETALL", key) for key in keys])
        return sorted({game for fields in hashes for game in {*tallies_of(fields), *games_with_bots(fields)}})

    async def _fetch(self, wanted: Sequence[_TableKey]) -> dict[_TableKey, list[bytes | None]]:
        """The values of these read models, by one MGET a shard."""

        async def read(layout: Layout) -> dict[_TableKey, list[bytes | None]]:
            shards: dict[Shard, list[_TableKey]] = {}
            for one in wanted:
                shards.setdefault(shard_of_table(one[1]), []).append(one)
            commands: list[RedisCommand] = [
                ("MGET", *(key for one in some for key in _keys(layout, one))) for some in shards.values()
            ]
            values: dict[_TableKey, list[bytes | None]] = {}
            for some, reply in zip(shards.values(), await self._ask(layout, commands), strict=True):
                in_order = iter(reply)
                for one in some:
                    values[one] = [next(in_order) for _ in _keys(layout, one)]
            return values

        return await self._read(read)

    async def _fetch_lists(self, wanted: Sequence[_ListKey]) -> dict[_ListKey, list[Any] | None]:
        """The replies for each list of the current generation; None for lists of another generation."""
        *replies, current = await self._exchange(
            [*(command for _, commands in wanted for command in commands), ("GET", CURRENT)]
        )
        in_order = iter(replies)
        by_list = {one: [next(in_order) for _ in one[1]] for one in wanted}
        layout = self._layout_of(current)
        return {one: replies if one[0] == layout else None for one, replies in by_list.items()}

    async def _read(self, read: Callable[[Layout], Awaitable[T]]) -> T:
        """The result of `read` in the current generation."""
        for _ in range(_SWITCHES):
            layout = self._layout or await self._pointer.get(CURRENT)
            try:
                return await read(layout)
            except _Switched:
                self._layout = None
        raise ReadModelsUnavailable("the read models are being switched")

    async def _fetch_current(self, pointers: Sequence[str]) -> dict[str, Layout]:
        """The current generation, by the pointer, which is the only key here."""
        values = await self._exchange([("GET", key) for key in pointers])
        self._layout = self._layout_of(values[0])
        if self._layout is None:
            raise ReadModelsUnavailable("the read models are not built yet")
        return dict.fromkeys(pointers, self._layout)

    async def _ask(self, layout: Layout, commands: Sequence[RedisCommand]) -> list[Any]:
        """The replies of this generation. Raises _Switched if it is no longer the current one."""
        *replies, current = await self._exchange([*commands, ("GET", CURRENT)])
        if self._layout_of(current) != layout:
            raise _Switched
        return replies

    async def _list(self, layout: Layout, commands: Sequence[RedisCommand]) -> list[Any]:
        """The same as `_ask`, in one round trip with other requests for lists."""
        replies = await self._lists.get((layout, tuple(commands)))
        if replies is None:
            raise _Switched
        return replies

    async def _exchange(self, commands: Sequence[RedisCommand]) -> list[Any]:
        """The replies to these commands within `timeout_s`; time spent waiting behind other requests is not counted."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._away_until:
            raise ReadModelsUnavailable("Redis was away a moment ago")
        try:
            async with asyncio.timeout(self._timeout_s):
                return await send(self._redis, commands)
        except OUTAGES as error:
            self._away_until = loop.time() + self._pause_s
            raise ReadModelsUnavailable(unavailable(error)) from error

    def _layout_of(self, value: bytes | None) -> Layout | None:
        current = pointer(value)
        if current is None or current.shape != SHAPE:
            return None
        return Layout(current.generation)


def _keys(layout: Layout, wanted: _TableKey) -> tuple[str, ...]:
    match wanted:
        case ("view", table, audience):
            return (layout.view(table, audience),)
        case ("ledger", table):
            return (layout.version(table), layout.ledger(table))
        case ("version", table):
            return (layout.version(table),)
        case _:
            raise ValueError(f"nothing is stored as {wanted}")


_Range: TypeAlias = tuple[str, str]
"""The latest and the earliest time of a part of a sorted set, as Redis takes them."""


def _range(since: int | None, until: int | None, before: int | None) -> _Range:
    """The range from `since` to before both `until` and `before`, in microseconds."""
    bounds = [bound for bound in (until, before) if bound is not None]
    return f"({min(bounds)}" if bounds else "+inf", "-inf" if since is None else str(since)


def _newest(key: str, within: _Range, count: int) -> RedisCommand:
    return ("ZRANGE", key, *within, "BYSCORE", "REV", "LIMIT", 0, count)


def _stored(value: bytes) -> Stored:
    version, _, body = value.partition(b" ")
    return Stored(int(version), body)


def _page(list_name: str, items: Sequence[tuple[int | str, bytes]], limit: int) -> Page:
    """The first `limit` of the items; an extra item means that there is a next page."""
    more = cursors.cursor(list_name, str(items[limit - 1][0])) if len(items) > limit else None
    return Page([item for _, item in items[:limit]], more)
