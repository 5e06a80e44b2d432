"""The cache of tables: each at the newest version that this process knows, with one command at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.kernel.game import Game
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.options import DEFAULT, TableOptions
from domain.table.state import Table, seat_of
from projections.gather import Gather
from service.commands.horizons import Horizon, Horizons
from service.store.store import Head, Store

GAMES_REMEMBERED = 100_000
"""The number of tables whose game and own options are cached; both never change."""


class _Opening(Struct):
    """The part of a table's first event with its own options."""

    table: TableOptions = DEFAULT


_opening = msgspec.json.Decoder(_Opening)


class NoSuchTable(Exception):
    """There is no table with this id."""


class CachedTable:
    """A table in the cache, with the lock that its commands take in turn."""

    __slots__ = ("history", "lock", "users")

    def __init__(self) -> None:
        self.lock: asyncio.Lock | None = None
        """Exists only while the table has users: many tables are cached, and few are in use."""
        self.history: History | None = None
        self.users = 0

    async def acquire(self) -> None:
        """Waits for earlier commands."""
        self.users += 1
        if self.lock is None:
            self.lock = asyncio.Lock()
        try:
            await self.lock.acquire()
        except BaseException:
            self._drop_user()
            raise

    def release(self) -> None:
        """Lets the next command in."""
        if self.lock is not None:
            self.lock.release()
        self._drop_user()

    def _drop_user(self) -> None:
        self.users -= 1
        if not self.users:
            self.lock = None


class TableCache:
    """Tables as of the head of the log. Used from one event loop; at most `capacity` tables are kept.

    Every method that waits raises `StoreUnavailable` on an outage.
    """

    def __init__(self, store: Store, reader: Reader, *, capacity: int = 20_000) -> None:
        self._store = store
        self._reader = reader
        self._capacity = capacity
        self._tables: OrderedDict[str, CachedTable] = OrderedDict()
        self._games: dict[str, Game] = {}
        self._settings: dict[str, TableOptions] = {}
        self.horizons = Horizons(store, reader)
        self._heads: Gather[str, Head | None] = Gather(self._read_heads)

    def known_version(self, table: str) -> int:
        """The newest version of the table that this process knows; 0 if none."""
        cached = self._tables.get(table)
        return cached.history.table.version if cached and cached.history else 0

    def remembered(self, table: str) -> Table | None:
        """The table at the newest version that this process knows; None if it is not cached."""
        cached = self._tables.get(table)
        return cached.history.table if cached and cached.history else None

    async def current(self, table: str) -> History:
        """The table as of the head of the log at a moment after the call. Raises NoSuchTable."""
        head = await self._heads.get(table)
        if head is None:
            raise NoSuchTable(table)
        known = self._tables.get(table)
        if known is not None and known.history is not None and known.history.version >= head.version:
            return known.history
        async with self.locked(table) as cached:
            if cached.history is None or cached.history.version < head.version:
                return await self.catch_up(table, cached)
            return cached.history

    async def game(self, table: str) -> Game:
        """The game played at the table, under the rules that the table was opened with. Raises NoSuchTable."""
        game = self._games.get(table)
        if game is None:
            if len(self._games) >= GAMES_REMEMBERED:
                self._games.clear()
            game = self._games[table] = self._reader.of((await self.current(table)).table)
        return game

    def is_open_to_all(self, table: str) -> bool:
        """Whether the table is known to exist and to be visible to everybody; False if it is not cached."""
        known = self._settings.get(table)
        return known is not None and known.visibility != "private"

    async def settings(self, table: str) -> TableOptions:
        """The table's own options, which are fixed when it is opened. Raises NoSuchTable.

        They are read from the first event alone, since a record that was altered later may not fold.
        """
        known = self._settings.get(table)
        if known is None:
            if len(self._settings) >= GAMES_REMEMBERED:
                self._settings.clear()
            known = self._settings[table] = await self._read_settings(table)
        return known

    async def _read_settings(self, table: str) -> TableOptions:
        cached = self._tables.get(table)
        if cached is not None and cached.history is not None:
            return cached.history.table.settings
        opening = await self._store.opening(table)
        if opening is None:
            raise NoSuchTable(table)
        return _opening.decode(opening.public).table

    async def seen(self, table: str, player: str) -> History:
        """The table as the player sees it: as `current` or, for a spectator, at its horizon (TL-6.1).

        An empty id stands for a caller without a token. Raises NoSuchTable.
        """
        return await self.seen_by(await self.current(table), player)

    async def seen_by(self, history: History, player: str) -> History:
        """The table as the player sees it, given its current `history`."""
        table = history.table
        delay = table.settings.spectator_delay
        if delay is None or table.running_deal is None or seat_of(table, player) is not None:
            return history
        return await self.horizons.history(table.table, delay, history)

    async def version(self, table: str, player: str, least: int = 0) -> int:
        """The table's version as the player sees it. Raises NoSuchTable.

        The cached version is returned if it is at least `least`, unless that is 0.
        """
        known = self.known_version(table)
        if known >= least > 0 and (await self.settings(table)).spectator_delay is None:
            return known
        return (await self.seen(table, player)).version

    async def horizon(self, table: str, player: str) -> Horizon | None:
        """The horizon of the player at the table; None if there is no limit. Raises NoSuchTable.

        The table is folded only to look for a player's seat.
        """
        delay = (await self.settings(table)).spectator_delay
        if delay is None or (player and await self.seat(table, player) is not None):
            return None
        head = await self._heads.get(table)
        if head is None:
            raise NoSuchTable(table)
        return await self.horizons.of(table, delay, head.version)

    async def seat(self, table: str, player: str) -> Seat | None:
        """The player's seat at the table; None if the player has none at the head of the log. Raises NoSuchTable."""
        cached = self._tables.get(table)
        if cached is not None and cached.history is not None:
            seat = seat_of(cached.history.table, player)
            if seat is not None:
                return seat
        return seat_of((await self.current(table)).table, player)

    def locked(self, table: str) -> "_LockedTable":
        """The table's entry in the cache, locked within the context."""
        cached = self._tables.get(table)
        if cached is None:
            cached = self._tables[table] = CachedTable()
        self._tables.move_to_end(table)
        return _LockedTable(self, table, cached)

    async def follow(self, table: str, records: Sequence[Recorded]) -> History:
        """The table after these consecutive events of the log, or at a later version. Raises NoSuchTable."""
        async with self.locked(table) as cached:
            known = cached.history
            if known is not None and known.version >= records[-1].version:
                return known
            if known is None or known.version != records[0].version - 1:
                return await self.catch_up(table, cached)
            cached.history = self._reader.history(records, known) or known
            return cached.history

    async def catch_up(self, table: str, cached: CachedTable) -> History:
        """Folds the events of the log beyond the cache. Raises NoSuchTable."""
        known = cached.history
        if known is None:
            records = await self._store.outline(table, self._reader.passing)
        else:
            records = await self._store.stream(table, known.version)
        cached.history = self._reader.history(records, known)
        if cached.history is None:
            raise NoSuchTable(table)
        return cached.history

    def evict(self, table: str, cached: CachedTable) -> None:
        """Removes the table if the log does not have it, and the oldest unused tables beyond the capacity."""
        if cached.history is None and not cached.users:
            self._tables.pop(table, None)
        while len(self._tables) > self._capacity:
            oldest, candidate = next(iter(self._tables.items()))
            if candidate.users:
                break
            del self._tables[oldest]

    async def _read_heads(self, tables: Sequence[str]) -> dict[str, Head | None]:
        heads = await self._store.heads(tables)
        return {table: heads.get(table) for table in tables}


class _LockedTable:
    """Locks a table for the duration of a command."""

    __slots__ = ("_cache", "_cached", "_table")

    def __init__(self, cache: TableCache, table: str, cached: CachedTable) -> None:
        self._cache = cache
        self._table = table
        self._cached = cached

    async def __aenter__(self) -> CachedTable:
        await self._cached.acquire()
        return self._cached

    async def __aexit__(self, *exception: object) -> None:
        self._cached.release()
        self._cache.evict(self._table, self._cached)
