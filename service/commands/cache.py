"""The cache of tables, each as this process knows it and with one command at a time, and the seats at them."""

import asyncio
from collections.abc import Sequence

from domain.kernel.game import Game
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.record.remembered import RememberedTables
from domain.seats import PUBLIC, Audience, Seat, seat_audience
from domain.table.options import TableOptions, options_in
from domain.table.state import seat_of
from projections.gather import Gather
from service.store.store import Head, Store

TABLES_REMEMBERED = 100_000
"""The number of tables whose unchanging facts are kept: the game, the options, and that play has started."""


class NoSuchTable(Exception):
    """There is no table with this id."""


class LockedTable:
    """A table on which one command at a time works, within its context. It exists while there are such commands."""

    __slots__ = ("_cache", "_lock", "_users", "history", "table")

    def __init__(self, cache: "TableCache", table: str) -> None:
        self._cache = cache
        self.table = table
        self._lock = asyncio.Lock()
        self._users = 0
        self.history: History | None = None
        """The table as the house knows it, for the command that has the lock to set. It is cached in the end."""

    async def __aenter__(self) -> "LockedTable":
        """Waits for earlier commands."""
        self._users += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._leave()
            raise
        self.history = self._cache.known.peek(self.table)
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self.history is None:
            self._cache.known.forget(self.table)
        else:
            self._cache.known.keep(self.table, self.history)
        self._lock.release()
        self._leave()

    def _leave(self) -> None:
        self._users -= 1
        if not self._users:
            del self._cache.locks[self.table]


class TableCache:
    """Tables as of the head of the log. Used from one event loop; at most `capacity` tables are kept.

    Every method that waits raises `StoreUnavailable` on an outage.
    """

    def __init__(self, store: Store, reader: Reader, *, capacity: int = 20_000) -> None:
        self._store = store
        self._reader = reader
        self.known: RememberedTables[str, History] = RememberedTables(capacity)
        """The house's tables, each at the newest version that this process knows."""
        self.locks: dict[str, LockedTable] = {}
        self.known_options: dict[str, TableOptions] = {}
        """The options of the tables themselves that were asked for, and so exist."""
        self._games: dict[str, Game] = {}
        self._heads: Gather[str, Head | None] = Gather(self._read_heads)

    async def head(self, table: str) -> Head:
        """The end of the table's stream at a moment after the call. Raises NoSuchTable."""
        head = await self._heads.get(table)
        if head is None:
            raise NoSuchTable(table)
        return head

    async def current(self, table: str) -> History:
        """The table as of the head of the log at a moment after the call. Raises NoSuchTable."""
        head = await self.head(table)
        known = self.known.peek(table)
        if known is not None and known.version >= head.version:
            return known
        async with self.locked(table) as locked:
            if locked.history is None or locked.history.version < head.version:
                return await self.catch_up(locked)
            return locked.history

    async def game(self, table: str) -> Game:
        """The game played at the table, under the rules that the table was opened with. Raises NoSuchTable."""
        game = self._games.get(table)
        if game is None:
            if len(self._games) >= TABLES_REMEMBERED:
                self._games.clear()
            game = self._games[table] = self._reader.of((await self.current(table)).table)
        return game

    async def table_options(self, table: str) -> TableOptions:
        """The options of the table itself, which are fixed when it is opened. Raises NoSuchTable.

        They are read from the first event alone, since a record that was altered later may not fold.
        """
        known = self.known_options.get(table)
        if known is None:
            if len(self.known_options) >= TABLES_REMEMBERED:
                self.known_options.clear()
            known = self.known_options[table] = await self._read_options(table)
        return known

    def locked(self, table: str) -> LockedTable:
        """The table, locked within the context."""
        locked = self.locks.get(table)
        if locked is None:
            locked = self.locks[table] = LockedTable(self, table)
        return locked

    async def follow(self, table: str, records: Sequence[Recorded]) -> History:
        """The table after these consecutive events of the log, or at a later version. Raises NoSuchTable."""
        async with self.locked(table) as locked:
            known = locked.history
            if known is not None and known.version >= records[-1].version:
                return known
            if known is None or known.version != records[0].version - 1:
                return await self.catch_up(locked)
            locked.history = self._reader.history(records, known) or known
            return locked.history

    async def catch_up(self, locked: LockedTable) -> History:
        """Folds the events of the log beyond the cache. Raises NoSuchTable."""
        table, known = locked.table, locked.history
        if known is None:
            records = await self._store.outline(table, self._reader.passing)
        else:
            records = await self._store.stream(table, known.version)
        locked.history = self._reader.history(records, known)
        if locked.history is None:
            raise NoSuchTable(table)
        return locked.history

    async def _read_options(self, table: str) -> TableOptions:
        known = self.known.peek(table)
        if known is not None:
            return known.table.table_options
        opening = await self._store.opening(table)
        if opening is None:
            raise NoSuchTable(table)
        return options_in(opening.public)

    async def _read_heads(self, tables: Sequence[str]) -> dict[str, Head | None]:
        heads = await self._store.heads(tables)
        return {table: heads.get(table) for table in tables}


class Seating:
    """Looks up players' seats. Every method raises NoSuchTable, and StoreUnavailable on an outage."""

    def __init__(self, tables: TableCache) -> None:
        self._tables = tables
        self._started: set[str] = set()
        """Tables that have started, so that their seats keep their players."""

    async def seat(self, table: str, player: str) -> Seat | None:
        """The player's seat at the table; None if the player has none at the head of the log."""
        known = self._tables.known.peek(table)
        if known is not None:
            seat = seat_of(known.table, player)
            if seat is not None:
                return seat
        return seat_of((await self._tables.current(table)).table, player)

    async def audience(self, table: str, player: str) -> Audience:
        """The audience that the player belongs to at the table; the public for an empty id."""
        if not player:
            return PUBLIC
        if table in self._started:
            seat = await self.seat(table, player)
        else:
            # Before the start a seat can change hands in another process, so only the log knows its player.
            state = (await self._tables.current(table)).table
            seat = seat_of(state, player)
            if state.status != "open":
                self._remember_started(table)
        return PUBLIC if seat is None else seat_audience(seat)

    def _remember_started(self, table: str) -> None:
        if len(self._started) >= TABLES_REMEMBERED:
            self._started.clear()
        self._started.add(table)
