"""What happens in the log, handed to those in this process that wait for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from domain.table.events import (
    DisputeRuled,
    GameFinished,
    GameStarted,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableOpened,
)
from projections import Source
from service.live.entry import Entry, seat_change
from service.live.follower import LogFollower, Relayed
from service.live.places import Places
from service.live.stream import ended_by
from service.live.subscription import Subscription
from service.observability.metrics import Metrics
from service.store.tail import Tail

S = TypeVar("S", bound=Subscription[Entry])

LOBBY = frozenset(event.TYPE for event in (TableOpened, SeatTaken, SeatLeft, GameStarted, GameFinished, TableClosed))
"""The types of events by which tables come, fill, begin and end."""

RULINGS = frozenset({DisputeRuled.TYPE})
ENDINGS = frozenset({GameFinished.TYPE, TableClosed.TYPE})
"""The types of events after which nothing more is played at a table."""


class Stopping(Exception):
    """The service stops, and nothing more can wait here."""


class Hub:
    """Hands each event to the subscriptions of its table. Used from one event loop."""

    def __init__(
        self,
        source: Source,
        tail: Tail,
        places: Places,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        relayed: Relayed | None = None,
    ) -> None:
        self.places = places
        self.metrics = metrics
        self._follower = LogFollower(source, tail, self._receive, log, relayed=relayed)
        self._tables: dict[str, set[Subscription[Entry]]] = {}
        self._open: set[Subscription[Entry]] = set()
        self._lobby: set[Subscription[Entry]] = set()
        self._players: dict[str, set[PlayerSubscription]] = {}
        self._watched: dict[str, set[PlayerSubscription]] = {}
        self._stopping = False

    def appended(self, records: Sequence[Recorded]) -> None:
        """Takes the events that this process has just appended."""
        self._follower.offer(records)

    def stop(self) -> None:
        """Ends all that wait, at once."""
        self._stopping = True
        for one in tuple(self._open):
            self._end_if_stopping(one)

    def waiting_at(self, table: str) -> int:
        """How many in this process wait for events of the table."""
        return len(self._tables.get(table, ()))

    @property
    def position(self) -> int:
        """The position up to which events were handed to those who wait here."""
        return self._follower.position

    @asynccontextmanager
    async def table(self, table: str) -> AsyncIterator[Subscription[Entry]]:
        """Meanwhile all events of the table come that are appended from now on. Raises StoreUnavailable, Stopping."""
        async with self._opened(Subscription[Entry]()) as one:
            with _among(self._tables, table, one):
                yield one

    @asynccontextmanager
    async def lobby(self) -> AsyncIterator[Subscription[Entry]]:
        """Meanwhile the events of LOBBY come that are appended after `position`. Raises as `table`."""
        async with self._opened(Subscription[Entry]()) as one:
            self._lobby.add(one)
            try:
                yield one
            finally:
                self._lobby.discard(one)

    @asynccontextmanager
    async def player(self, player: str) -> AsyncIterator["PlayerSubscription"]:
        """Meanwhile the events after `position` come of tables that are watched, or where the player takes a seat.

        Events of RULINGS come from all tables. Raises as `table`.
        """
        async with self._opened(PlayerSubscription(self._watched)) as one:
            with _among(self._players, player, one):
                try:
                    yield one
                finally:
                    for table in tuple(one.tables):
                        one.unwatch(table)

    async def version_beyond(
        self,
        table: str,
        version: int,
        head: Callable[[], Awaitable[int]],
        *,
        seconds: float,
        gone: Callable[[], Awaitable[None]],
    ) -> int:
        """The table's version, once it is beyond this one, or `seconds` are over, or the client is gone.

        `head` reads the version from the log. Raises StoreUnavailable, Stopping.
        """
        async with self.table(table) as events:
            # From here on what is appended comes by itself; what was appended before is read.
            known = await head()
            if known > version or events.ended:
                return known
            timer = asyncio.get_running_loop().call_later(seconds, events.end, "over")
            try:
                async with ended_by(events, gone):
                    await events.wait()
                return max([known, *(entry.record.version for entry in events.pending)])
            finally:
                timer.cancel()

    @asynccontextmanager
    async def _opened(self, one: S) -> AsyncIterator[S]:
        if self._stopping:
            raise Stopping
        async with self._follower.following():
            self._open.add(one)
            self.metrics.waiting(len(self._open))
            self._end_if_stopping(one)
            try:
                yield one
            finally:
                self._open.discard(one)
                self.metrics.waiting(len(self._open))

    def _end_if_stopping(self, one: Subscription[Entry]) -> None:
        if self._stopping:
            one.end("stopping")

    def _receive(self, records: Sequence[Recorded]) -> None:
        tables = self._tables
        for record in records:
            entry = Entry(record)
            for one in tables.get(record.table, ()):
                one.push(entry)
            if self._lobby and record.type in LOBBY:
                for one in self._lobby:
                    one.push(entry)
            if self._players:
                self._tell_players(entry)

    def _tell_players(self, entry: Entry) -> None:
        record = entry.record
        if record.type in RULINGS:
            # Rulings come when a table is no longer watched; they are rare, and each reader looks whose they are.
            for ones in self._players.values():
                for one in ones:
                    one.push(entry)
            return
        change = seat_change(record)
        if change is not None:
            for one in self._players.get(change[1] or "", ()):
                one.watch(record.table)
        for one in tuple(self._watched.get(record.table, ())):
            one.push(entry)
            if record.type in ENDINGS:
                one.unwatch(record.table)


class PlayerSubscription(Subscription[Entry]):
    """What has come for a player, with the tables whose events come."""

    __slots__ = ("_watched", "tables")

    def __init__(self, watched: dict[str, set["PlayerSubscription"]]) -> None:
        super().__init__()
        self.tables: set[str] = set()
        self._watched = watched

    def watch(self, table: str) -> None:
        """From now on the table's events come."""
        self.tables.add(table)
        self._watched.setdefault(table, set()).add(self)

    def unwatch(self, table: str) -> None:
        """They come no more."""
        self.tables.discard(table)
        watching = self._watched.get(table)
        if watching is not None:
            watching.discard(self)
            if not watching:
                del self._watched[table]


@contextmanager
def _among(readers: dict[str, set[S]], key: str, one: S) -> Iterator[None]:
    """Meanwhile the subscription is among those of the key."""
    readers.setdefault(key, set()).add(one)
    try:
        yield
    finally:
        readers[key].discard(one)
        if not readers[key]:
            del readers[key]
