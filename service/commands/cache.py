"""The cache of tables: each as of the newest event that this process knows, and one command at a time on each."""

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
"""Of how many tables the game and the table's own options are remembered, which never change."""


class _Opening(Struct):
    """What a table's first event says of its own options."""

    table: TableOptions = DEFAULT


_opening = msgspec.json.Decoder(_Opening)


class NoSuchTable(Exception):
    """There is no table of this id."""


class CachedTable:
    """A table in the cache, with the lock that its commands take in turn."""

    __slots__ = ("history", "lock", "users")

    def __init__(self) -> None:
        self.lock: asyncio.Lock | None = None
        """There while the table has users: many tables are kept, and few are in use."""
        self.history: History | None = None
        self.users = 0

    async def acquire(self) -> None:
        """Waits for the commands that came before."""
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
        """The table at the newest version that this process knows; None if it knows none."""
        cached = self._tables.get(table)
        return cached.history.table if cached and cached.history else None

    async def current(self, table: str) -> History:
        """The table as of the head of the log at some moment after the call. Raises NoSuchTable."""
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
        """The game played at the table, under the rules that it was opened with. Raises NoSuchTable."""
        game = self._games.get(table)
        if game is None:
            if len(self._games) >= GAMES_REMEMBERED:
                self._games.clear()
            game = self._games[table] = self._reader.of((await self.current(table)).table)
        return game

    def is_open_to_all(self, table: str) -> bool:
        """Whether it is remembered that there is this table, and that anybody may look at it."""
        known = self._settings.get(table)
        return known is not None and known.visibility != "private"

    async def settings(self, table: str) -> TableOptions:
        """The table's own options, which are settled when it is opened. Raises NoSuchTable.

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
        """The table as far as the player sees it: as `current` has it or, to a spectator, at its horizon (TL-6.1).

        An empty id is nobody's. Raises NoSuchTable.
        """
        return await self.seen_by(await self.current(table), player)

    async def seen_by(self, history: History, player: str) -> History:
        """The table as far as the player sees it; `history` is the table as it is."""
        table = history.table
        delay = table.settings.spectator_delay
        if delay is None or table.running_deal is None or seat_of(table, player) is not None:
            return history
        return await self.horizons.history(table.table, delay, history)

    async def version(self, table: str, player: str, least: int = 0) -> int:
        """The table's version as far as the player sees it. Raises NoSuchTable.

        One that this process knows will do if it is not below `least`.
        """
        known = self.known_version(table)
        if known >= least > 0 and (await self.settings(table)).spectator_delay is None:
            return known
        return (await self.seen(table, player)).version

    async def horizon(self, table: str, player: str) -> Horizon | None:
        """How far the player sees of the table; None: all that there is. Raises NoSuchTable.

        For this the table is folded only to look for the seat of a player.
        """
        delay = (await self.settings(table)).spectator_delay
        if delay is None or (player and await self.seat(table, player) is not None):
            return None
        head = await self._heads.get(table)
        if head is None:
            raise NoSuchTable(table)
        return await self.horizons.of(table, delay, head.version)

    async def seat(self, table: str, player: str) -> Seat | None:
        """The player's seat at the table; None as of the head of the log. Raises NoSuchTable."""
        cached = self._tables.get(table)
        if cached is not None and cached.history is not None:
            seat = seat_of(cached.history.table, player)
            if seat is not None:
                return seat
        return seat_of((await self.current(table)).table, player)

    def locked(self, table: str) -> "_LockedTable":
        """The table's place in the cache, locked while the context is open."""
        cached = self._tables.get(table)
        if cached is None:
            cached = self._tables[table] = CachedTable()
        self._tables.move_to_end(table)
        return _LockedTable(self, table, cached)

    async def follow(self, table: str, records: Sequence[Recorded]) -> History:
        """The table with these events of the log, one after another, or as of a later one. Raises NoSuchTable."""
        async with self.locked(table) as cached:
            known = cached.history
            if known is not None and known.version >= records[-1].version:
                return known
            if known is None or known.version != records[0].version - 1:
                return await self.catch_up(table, cached)
            cached.history = self._reader.history(records, known) or known
            return cached.history

    async def catch_up(self, table: str, cached: CachedTable) -> History:
        """Folds what the log has beyond the cache. Raises NoSuchTable."""
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
        """Forgets the table if the log does not know it, and the oldest tables beyond the capacity."""
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
    """Holds a table's lock for as long as a command takes."""

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
