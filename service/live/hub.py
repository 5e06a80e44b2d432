"""Hands the log's events to those who wait for them in this process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, TypeVar

from structlog.typing import FilteringBoundLogger

from domain.record.recorded import Recorded
from domain.table.events import ENDINGS, DisputeRuled, GameStarted, SeatLeft, SeatTaken, TableOpened
from projections.source import Source
from service.limits.slots import Slots
from service.live.live_event import LiveEvent, kept_seats, seat_change
from service.live.merged_log import MergedLog, Relayed
from service.live.pings import Pings
from service.live.stream import ended_by
from service.live.subscription import EarlyEnd, Subscription
from service.live.whole_acts import with_more
from service.observability.metrics import Metrics
from service.store.tail import Tail

S = TypeVar("S", bound=Subscription[LiveEvent])

LOBBY = ENDINGS | {TableOpened.TYPE, SeatTaken.TYPE, SeatLeft.TYPE, GameStarted.TYPE}
"""The types of events by which tables open, fill, begin and end."""

RULINGS = frozenset({DisputeRuled.TYPE})


class Stopping(Exception):
    """The service is stopping, so no new subscription is accepted."""


class Hub:
    """Hands each event to its table's subscriptions. Used from one event loop."""

    def __init__(
        self,
        source: Source,
        tail: Tail,
        slots: Slots,
        metrics: Metrics,
        log: FilteringBoundLogger,
        relayed: Relayed,
    ) -> None:
        self.slots = slots
        self.pings = Pings()
        self.metrics = metrics
        self._merged = MergedLog(source, tail, self._receive, log, relayed)
        self.appended = self._merged.offer
        """Takes events that this process has just appended."""
        self._tables: dict[str, set[Subscription[LiveEvent]]] = {}
        self._open: set[Subscription[LiveEvent]] = set()
        self._lobby: dict[str, set[Subscription[LiveEvent]]] = {}
        self._players: dict[str, set[PlayerSubscription]] = {}
        self._watched: dict[str, set[PlayerSubscription]] = {}
        self._stopping = False

    def stop(self) -> None:
        """Ends all subscriptions at once."""
        self._stopping = True
        for one in tuple(self._open):
            self._end_if_stopping(one)

    def waiting_at(self, table: str) -> int:
        """The number of subscriptions to the table in this process."""
        return len(self._tables.get(table, ()))

    @property
    def position(self) -> int:
        """The position up to which events were handed to subscriptions."""
        return self._merged.position

    def table(self, table: str) -> AbstractAsyncContextManager[Subscription[LiveEvent]]:
        """Subscribes to all further events of the table. Entering raises StoreUnavailable, Stopping."""
        return self.opened(Subscription[LiveEvent](), self._tables, table)

    def lobby(self) -> AbstractAsyncContextManager[Subscription[LiveEvent]]:
        """Subscribes to the events of LOBBY after `position`. Entering raises as for `table`."""
        return self.opened(Subscription[LiveEvent](), self._lobby, "")

    def player(self, player: str) -> "AbstractAsyncContextManager[PlayerSubscription]":
        """Subscribes to the events after `position` of watched tables, and of tables where the player takes a seat.

        Events of RULINGS arrive from all tables, and the first event of a rematch at which a seat is kept for the
        player. Entering raises as for `table`.
        """
        return self.opened(PlayerSubscription(self._watched), self._players, player)

    @contextmanager
    def watched(self, table: str, one: Subscription[LiveEvent]) -> Iterator[None]:
        """Adds the table's events to a subscription within the context, as long as anybody follows the log."""
        subscriptions = self._tables.setdefault(table, set())
        subscriptions.add(one)
        try:
            yield
        finally:
            _remove(self._tables, table, one)

    @asynccontextmanager
    async def opened(self, one: S, subscriptions: dict[str, set[S]], key: str) -> AsyncIterator[S]:
        """Follows the log for the subscription within the context, in which it is among those of its key.

        Entering raises StoreUnavailable, Stopping.
        """
        if self._stopping:
            raise Stopping
        async with self._merged.followed():
            self._open.add(one)
            self.metrics.streams.waiting.set(len(self._open))
            self._end_if_stopping(one)
            subscriptions.setdefault(key, set()).add(one)
            try:
                yield one
            finally:
                _remove(subscriptions, key, one)
                one.close()
                self._open.discard(one)
                self.metrics.streams.waiting.set(len(self._open))

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
            # Rulings arrive after a table is no longer watched. They are rare, and each subscription checks whose they
            # are.
            for ones in self._players.values():
                for one in ones:
                    one.push(event)
            return
        change = seat_change(record)
        if change is not None:
            for one in self._players.get(change[1] or "", ()):
                one.watch(record.table)
        concerned = set(self._watched.get(record.table, ()))
        for player in kept_seats(record):
            concerned.update(self._players.get(player, ()))
        for one in concerned:
            one.push(event)
            if record.type in ENDINGS:
                one.unwatch(record.table)


class PlayerSubscription(Subscription[LiveEvent]):
    """A player's events, and the tables that they are from."""

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
        """Starts receiving the table's events."""
        self.tables.add(table)
        self._watched.setdefault(table, set()).add(self)

    def unwatch(self, table: str) -> None:
        """Stops receiving the table's events."""
        if table in self.tables:
            self.tables.remove(table)
            _remove(self._watched, table, self)


async def version_beyond(
    opened: AbstractAsyncContextManager[Subscription[LiveEvent]],
    version: int,
    head: Callable[[], Awaitable[int]],
    *,
    seconds: float,
    gone: Callable[[], Coroutine[Any, Any, None]],
    early: EarlyEnd,
) -> int:
    """The version of a table, once it is beyond `version`, `seconds` have passed, the wait was ended early, or the
    client has gone.

    `opened` delivers the table's events while it is open; `head` reads the version from the log. Both show the table as
    the client sees it. Raises StoreUnavailable, Stopping.
    """
    async with opened as events:
        early.watch(events)
        # Later events are delivered; earlier ones are read.
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


def _remove(subscriptions: dict[str, set[S]], key: str, one: S) -> None:
    """Removes a subscription from a key, and the key with the last one."""
    subscriptions[key].discard(one)
    if not subscriptions[key]:
        del subscriptions[key]
