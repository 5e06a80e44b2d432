"""What happens in the log, handed to those in this process that wait for it."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, Generic, TypeVar

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from domain.table.events import (
    DisputeRuled,
    GameFinished,
    GameStarted,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableExpired,
    TableOpened,
)
from projections import Source
from service.live.acts import with_more
from service.live.follower import LogFollower, Relayed
from service.live.live_event import LiveEvent, seat_change
from service.live.pings import Pings
from service.live.places import Places
from service.live.stream import ended_by
from service.live.subscription import EarlyEnd, Subscription
from service.observability.metrics import Metrics
from service.store.tail import Tail

S = TypeVar("S", bound=Subscription[LiveEvent])

ENDINGS = frozenset({GameFinished.TYPE, TableClosed.TYPE, TableExpired.TYPE})
"""The types of events after which nothing more is played at a table."""
LOBBY = ENDINGS | {TableOpened.TYPE, SeatTaken.TYPE, SeatLeft.TYPE, GameStarted.TYPE}
"""The types of events by which tables come, fill, begin and end."""

RULINGS = frozenset({DisputeRuled.TYPE})


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
        self.pings = Pings()
        self.metrics = metrics
        self._follower = LogFollower(source, tail, self._receive, log, relayed=relayed)
        self._tables: dict[str, set[Subscription[LiveEvent]]] = {}
        self._open: set[Subscription[LiveEvent]] = set()
        self._lobby: dict[str, set[Subscription[LiveEvent]]] = {}
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

    def table(self, table: str) -> "Opened[Subscription[LiveEvent]]":
        """Meanwhile all events of the table come that are appended from now on. Raises StoreUnavailable, Stopping."""
        return Opened(self, Subscription[LiveEvent](), self._tables, table)

    def lobby(self) -> "Opened[Subscription[LiveEvent]]":
        """Meanwhile the events of LOBBY come that are appended after `position`. Raises as `table`."""
        return Opened(self, Subscription[LiveEvent](), self._lobby, "")

    def player(self, player: str) -> "Opened[PlayerSubscription]":
        """Meanwhile the events after `position` come of tables that are watched, or where the player takes a seat.

        Events of RULINGS come from all tables. Raises as `table`.
        """
        return Opened(self, PlayerSubscription(self._watched), self._players, player)

    @contextmanager
    def watched(self, table: str, one: Subscription[LiveEvent]) -> Iterator[None]:
        """Meanwhile the table's events come to this one too, as long as anybody follows the log."""
        readers = self._tables.setdefault(table, set())
        readers.add(one)
        try:
            yield
        finally:
            _remove(self._tables, table, one)

    async def enter(self, one: Subscription[LiveEvent]) -> None:
        """From now on the log is followed for the subscription. Raises StoreUnavailable, Stopping."""
        if self._stopping:
            raise Stopping
        await self._follower.enter()
        self._open.add(one)
        self.metrics.waiting(len(self._open))
        self._end_if_stopping(one)

    async def leave(self, one: Subscription[LiveEvent]) -> None:
        """The stream waits no longer."""
        self._open.discard(one)
        self.metrics.waiting(len(self._open))
        await self._follower.leave()

    def _end_if_stopping(self, one: Subscription[LiveEvent]) -> None:
        if self._stopping:
            one.end("stopping")

    def _receive(self, records: Sequence[Recorded]) -> None:
        tables = self._tables
        for record, more in with_more(records):
            event = LiveEvent(record, more=more)
            for one in tables.get(record.table, ()):
                one.push(event)
            if self._players:
                self._tell_players(event)
        if self._lobby:
            for record, more in with_more([record for record in records if record.type in LOBBY]):
                event = LiveEvent(record, more=more)
                for one in self._lobby[""]:
                    one.push(event)

    def _tell_players(self, event: LiveEvent) -> None:
        record = event.record
        if record.type in RULINGS:
            # Rulings come when a table is no longer watched; they are rare, and each reader looks whose they are.
            for ones in self._players.values():
                for one in ones:
                    one.push(event)
            return
        change = seat_change(record)
        if change is not None:
            for one in self._players.get(change[1] or "", ()):
                one.watch(record.table)
        for one in tuple(self._watched.get(record.table, ())):
            one.push(event)
            if record.type in ENDINGS:
                one.unwatch(record.table)


class PlayerSubscription(Subscription[LiveEvent]):
    """What has come for a player, with the tables whose events come."""

    __slots__ = ("_watched", "tables")

    def __init__(self, watched: dict[str, set["PlayerSubscription"]]) -> None:
        super().__init__()
        self.tables: set[str] = set()
        self._watched = watched

    def close(self) -> None:
        """Stops watching all tables."""
        for table in tuple(self.tables):
            self.unwatch(table)

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


async def version_beyond(
    opened: AbstractAsyncContextManager[Subscription[LiveEvent]],
    version: int,
    head: Callable[[], Awaitable[int]],
    *,
    seconds: float,
    gone: Callable[[], Coroutine[Any, Any, None]],
    early: EarlyEnd,
) -> int:
    """The version of a table, once it is beyond this one, `seconds` are over, it is ended early, or the client is gone.

    The events of the table come while `opened` is open; `head` reads the version from the log. Both are as the client
    sees the table. Raises StoreUnavailable, Stopping.
    """
    async with opened as events:
        early.watch(events)
        # From here on what happens comes by itself; what happened before is read.
        known = await head()
        if known > version or events.ended:
            return known
        timer = asyncio.get_running_loop().call_later(seconds, events.end, "over")
        try:
            async with ended_by(events, gone):
                while known <= version and not events.ended:
                    await events.wait()
                    known = max([known, *(event.record.version for event in events.pending)])
                    events.pending.clear()
            return known
        finally:
            timer.cancel()


def _remove(readers: dict[str, set[S]], key: str, one: S) -> None:
    """Removes one of the readers of a key, and the key with the last."""
    readers[key].discard(one)
    if not readers[key]:
        del readers[key]


class Opened(Generic[S]):
    """A context in which a subscription is open, and is among the readers of its key."""

    __slots__ = ("_hub", "_key", "_one", "_readers")

    def __init__(self, hub: Hub, one: S, readers: dict[str, set[S]], key: str) -> None:
        self._hub = hub
        self._one = one
        self._readers = readers
        self._key = key

    async def __aenter__(self) -> S:
        await self._hub.enter(self._one)
        self._readers.setdefault(self._key, set()).add(self._one)
        return self._one

    async def __aexit__(self, *error: object) -> None:
        _remove(self._readers, self._key, self._one)
        self._one.close()
        await self._hub.leave(self._one)
