"""Reading the read models.

Readers follow the pointer to the current generation: it is read with every request, in the same round trip, and the
request is repeated if it has moved.

All that is read at the same moment goes in one round trip, tables' own read models in one and lists in another, over a
connection each: so no reader waits for a connection that others take before him, and what many read is read once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from typing import Any, TypeAlias, TypeVar, get_args

from msgspec import Struct
from redis.asyncio import Redis

from domain.seats import Audience
from domain.table.state import Status
from projections import cursors, ledgers
from projections.connection import OUTAGES
from projections.gather import Gather
from projections.generations import pointer
from projections.keys import PREFIX, SHAPE, SHARDS, Control, Layout, Shard, shard_of_table
from projections.leaderboard import ranked
from projections.players import microseconds, player_record, tallies_of
from projections.scripts import LuaScript, RedisCommand, ScriptCall, send
from projections.source import Source

T = TypeVar("T")

_TABLES, _STATEMENT, _LEADERBOARD = "t", "s", "l"
"""Names of the lists in their cursors."""

_SWITCHES = 3
"""How often a read follows the pointer before it gives up."""


class ReadModelsUnavailable(Exception):
    """Redis did not answer in time, or there are no read models in it yet."""


class Stored(Struct, frozen=True):
    """JSON as it is served, of a table at a version."""

    version: int
    body: bytes


class Page(Struct, frozen=True):
    """Some items of a list, each as JSON, and the cursor of the next page if there is one."""

    items: list[bytes]
    next: str | None


class _Switched(Exception):
    """The generation that was read is not the current one."""


_Asked: TypeAlias = tuple[str, ...]
"""The kind of a table's own read models, and what names them: `view` table audience, `ledger` table, …"""

_Listed: TypeAlias = tuple[Layout, tuple[RedisCommand, ...]]
"""What is asked of one generation for a list."""


class ReadModels:
    """The read models under one prefix. Every method raises ReadModelsUnavailable.

    `timeout_s` bounds every exchange with Redis; after a failure nothing is asked of it for `pause_s`. `games` are the
    games that there are.
    """

    def __init__(
        self,
        redis: Redis,
        source: Source,
        games: Iterable[str],
        *,
        prefix: str = PREFIX,
        timeout_s: float = 0.5,
        pause_s: float = 0.2,
        poll_s: float = 0.002,
    ) -> None:
        self._redis = redis
        self._source = source
        self._games = tuple(games)
        self._prefix = prefix
        self._control = Control(prefix)
        self._timeout_s = timeout_s
        self._pause_s = pause_s
        self._poll_s = poll_s
        self._away_until = 0.0
        self._layout: Layout | None = None
        self._gather: Gather[_Asked, list[bytes | None]] = Gather(self._fetch)
        self._pointer: Gather[str, Layout] = Gather(self._fetch_current)
        self._lists: Gather[_Listed, list[Any] | None] = Gather(self._fetch_lists)
        self._tables = LuaScript("tables")
        self._leaderboard = LuaScript("leaderboard")

    async def view(self, table: str, audience: Audience) -> Stored | None:
        """A table's view; None if Redis does not have it: an unknown table, a new one, or one long finished."""
        (value,) = await self._gather.get(("view", table, audience))
        return None if value is None else _stored(value)

    async def ledger(self, table: str) -> Stored | None:
        """A table's ledger; None as for `view`."""
        version, value = await self._gather.get(("ledger", table))
        if version is None or value is None:
            return None
        return Stored(int(version), ledgers.served_ledger(int(version), _stored(value).body))

    async def wait(self, table: str, version: int, timeout: float) -> bool:  # noqa: ASYNC109 (it is no error here)
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
            await asyncio.sleep(min(self._poll_s, left))

    async def tables(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """Tables, those opened last first. Raises BadCursor.

        A page begins where the one before ended, whatever happened meanwhile.
        """
        before = "+inf" if cursor is None else f"({cursors.number(_TABLES, cursor)}"
        statuses = get_args(Status) if status is None else (status,)
        games = self._games if game is None else (game,)
        if not games:
            return Page([], None)

        async def read(layout: Layout) -> list[Any]:
            indexes = [layout.index(one, other, player) for one in statuses for other in games]
            call = ScriptCall(self._tables, indexes, [before, limit + 1, layout.summary("")])
            (page,) = await self._list(layout, [call])
            return list(page)

        found = await self._read(read)
        items = [(opened, _stored(value).body) for opened, value in found if value is not None]
        return _page(_TABLES, items, limit)

    async def statement(
        self,
        player: str,
        *,
        game: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """The lines booked on a player's account from `since` to before `until`, newest first. Raises BadCursor.

        Each bears the balance of its game after it. A line counts to the time of its event, or, where times were out
        of order, to just after the line before it.
        """
        highest = [] if cursor is None else [cursors.number(_STATEMENT, cursor)]
        highest += [] if until is None else [microseconds(until)]
        most = f"({min(highest)}" if highest else "+inf"
        least = "-inf" if since is None else str(microseconds(since))

        async def read(layout: Layout) -> list[bytes]:
            games = [game] if game is not None else await self._games_of(layout, player)
            asked: list[RedisCommand] = [
                ("ZRANGE", layout.lines(player, each), most, least, "BYSCORE", "REV", "LIMIT", 0, limit + 1)
                for each in games
            ]
            return [line for lines in await self._list(layout, asked) for line in lines]

        lines = (line.split(b" ", 1) for line in await self._read(read))
        newest = nlargest(limit + 1, ((int(time), body) for time, body in lines))
        return _page(_STATEMENT, newest, limit)

    async def record(self, players: Sequence[str]) -> list[bytes]:
        """Each player's record as JSON: games finished and won, and per game with the total."""

        async def read(layout: Layout) -> list[Mapping[bytes, bytes]]:
            return await self._list(layout, [("HGETALL", layout.player(player)) for player in players])

        found = await self._read(read)
        return [player_record(fields) for fields in found]

    async def leaderboard(self, game: str, *, cursor: str | None = None, limit: int = 50) -> Page:
        """The players of a game, the best total first, equal ones by id. Raises BadCursor.

        A page begins after the total and player that the one before ended with.
        """
        begin = "-" if cursor is None else f"({cursors.place(_LEADERBOARD, cursor)}"

        async def read(layout: Layout) -> list[Any]:
            keys = [layout.ranking(game), layout.tallies(game)]
            (page,) = await self._list(layout, [ScriptCall(self._leaderboard, keys, [begin, limit + 1])])
            return list(page)

        items = [(place.decode(), ranked(place, better, tally)) for place, better, tally in await self._read(read)]
        return _page(_LEADERBOARD, items, limit)

    async def lag(self) -> int:
        """How many positions the read models are behind the log. Raises SourceUnavailable too."""

        async def read(layout: Layout) -> int:
            places = await self._list(layout, [("HGET", layout.checkpoint(shard), "position") for shard in SHARDS])
            return min(int(place or 0) for place in places)

        reached = await self._read(read)
        return max(0, await self._source.end() - reached)

    async def _games_of(self, layout: Layout, player: str) -> list[str]:
        (fields,) = await self._list(layout, [("HGETALL", layout.player(player))])
        return sorted(tallies_of(fields))

    async def _fetch(self, asked: Sequence[_Asked]) -> dict[_Asked, list[bytes | None]]:
        """What is asked for of tables, by one MGET a shard."""

        async def read(layout: Layout) -> dict[_Asked, list[bytes | None]]:
            shards: dict[Shard, list[_Asked]] = {}
            for one in asked:
                shards.setdefault(shard_of_table(one[1]), []).append(one)
            commands: list[RedisCommand] = [
                ("MGET", *(key for one in some for key in _keys(layout, one))) for some in shards.values()
            ]
            found: dict[_Asked, list[bytes | None]] = {}
            for some, reply in zip(shards.values(), await self._ask(layout, commands), strict=True):
                values = iter(reply)
                for one in some:
                    found[one] = [next(values) for _ in _keys(layout, one)]
            return found

        return await self._read(read)

    async def _fetch_lists(self, asked: Sequence[_Listed]) -> dict[_Listed, list[Any] | None]:
        """The replies to each that asked of the current generation; None for the others."""
        *replies, current = await self._exchange(
            [*(command for _, commands in asked for command in commands), ("GET", self._control.current)]
        )
        in_order = iter(replies)
        found = {one: [next(in_order) for _ in one[1]] for one in asked}
        layout = self._layout_of(current)
        return {one: replies if one[0] == layout else None for one, replies in found.items()}

    async def _read(self, read: Callable[[Layout], Awaitable[T]]) -> T:
        """What `read` finds in the generation that is current."""
        for _ in range(_SWITCHES):
            layout = self._layout or await self._pointer.get(self._control.current)
            try:
                return await read(layout)
            except _Switched:
                self._layout = None
        raise ReadModelsUnavailable("the read models are being switched")

    async def _fetch_current(self, asked: Sequence[str]) -> dict[str, Layout]:
        """Where the pointer points to; there is one."""
        values = await self._exchange([("GET", key) for key in asked])
        self._layout = self._layout_of(values[0])
        if self._layout is None:
            raise ReadModelsUnavailable("the read models are not built yet")
        return dict.fromkeys(asked, self._layout)

    async def _ask(self, layout: Layout, commands: Sequence[RedisCommand]) -> list[Any]:
        """The replies from this generation. Raises _Switched if it was not current until then."""
        *replies, current = await self._exchange([*commands, ("GET", self._control.current)])
        if self._layout_of(current) != layout:
            raise _Switched
        return replies

    async def _list(self, layout: Layout, commands: Sequence[RedisCommand]) -> list[Any]:
        """As `_ask`, together with what others ask for their lists."""
        replies = await self._lists.get((layout, tuple(commands)))
        if replies is None:
            raise _Switched
        return replies

    async def _exchange(self, commands: Sequence[RedisCommand]) -> list[Any]:
        """The replies to these commands, in time. Waiting for one's turn is no part of it, and no sign of an outage."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._away_until:
            raise ReadModelsUnavailable("Redis was away a moment ago")
        try:
            async with asyncio.timeout(self._timeout_s):
                return await send(self._redis, commands)
        except OUTAGES as error:
            self._away_until = loop.time() + self._pause_s
            raise ReadModelsUnavailable(f"Redis is unavailable: {str(error) or type(error).__name__}") from error

    def _layout_of(self, value: bytes | None) -> Layout | None:
        current = pointer(value)
        if current is None or current.shape != SHAPE:
            return None
        return Layout(self._prefix, current.generation)


def _keys(layout: Layout, asked: _Asked) -> tuple[str, ...]:
    match asked:
        case ("view", table, audience):
            return (layout.view(table, audience),)
        case ("ledger", table):
            return (layout.version(table), layout.ledger(table))
        case ("version", table):
            return (layout.version(table),)
        case _:
            raise ValueError(f"nothing is stored as {asked}")


def _stored(value: bytes) -> Stored:
    version, _, body = value.partition(b" ")
    return Stored(int(version), body)


def _page(list_name: str, items: Sequence[tuple[int | str, bytes]], limit: int) -> Page:
    """The first `limit` of the items, of which one more was looked for."""
    more = cursors.cursor(list_name, str(items[limit - 1][0])) if len(items) > limit else None
    return Page([item for _, item in items[:limit]], more)
