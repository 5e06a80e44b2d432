"""A table's stream: a snapshot, then its events by version, each once and without gaps."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import cast

import msgspec
from msgspec import Struct

from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Audience, seat_audience
from domain.table.state import Table
from service.commands.cache import Seating
from service.compute.heavy_reads import Spending
from service.live.folds import NO_OFFERS, LiveFolds
from service.live.frame_contents import TableSnapshot
from service.live.frames import dropped, ping, table_frame
from service.live.hub import Stopping
from service.live.late_feeds import Feeds
from service.live.live_event import LiveEvent, event_frame, seat_change
from service.live.presence import Attendance, StreamedTable
from service.live.stream import AGAIN_S, PIECE, Subscriber, ended_by, pieces
from service.live.subscription import Subscription
from service.live.whole_acts import with_more
from service.queries.table_queries import TableQueries
from service.store.database import StoreUnavailable

PAGE = 100
"""Events per read of the log."""

EVENT_S = 0.00005
VIEW_S = 0.0002
OFFERS_S = 0.0004
"""CPU seconds for an event from the log, for a view after it, and for a seat's offers after it."""


class TableStreams(Struct, frozen=True):
    """Opens streams of tables. Used from one event loop."""

    feeds: Feeds
    seating: Seating
    queries: TableQueries
    folds: LiveFolds
    late_folds: LiveFolds
    presence: Attendance

    def open(self, wanted: "WantedTable", subscriber: Subscriber, spending: Spending) -> AsyncIterator[bytes]:
        """The bytes to write to the subscriber until it is gone or dropped. The first piece is ready at once.

        Until then it raises StoreUnavailable, Stopping, and what `TableQueries.view` raises.
        """
        return _TableStream(self, wanted, subscriber, spending).pieces()


class WantedTable(Struct, frozen=True):
    """The parameters of a request for a table's stream."""

    table: str
    after: int | None
    """The version that the subscriber has; None starts with a snapshot."""
    views: bool
    """Whether each event comes with the subscriber's view after it."""
    offers: bool
    """Whether the last event of each act comes with the subscriber's offers after it."""


class _TableStream:
    __slots__ = (
        "_audience",
        "_connected",
        "_cursor",
        "_events",
        "_moved",
        "_services",
        "_spending",
        "_state",
        "_subscriber",
        "_wanted",
        "_watched",
    )

    def __init__(self, services: TableStreams, wanted: WantedTable, subscriber: Subscriber, spending: Spending) -> None:
        self._services = services
        self._wanted = wanted
        self._subscriber = subscriber
        self._spending = spending
        self._cursor = wanted.after or 0
        self._audience: Audience = PUBLIC
        self._state: Table | None = None
        """The audience's fold at the cursor, while events with views or offers are read from the log."""
        self._events: Subscription[LiveEvent] | None = None
        self._watched: StreamedTable | None = None
        self._connected: tuple[bool, ...] = ()
        """The connections by seat that the subscriber was last sent; empty at first, so that it is sent those of now.
        """
        self._moved = False
        """Whether the subscriber now belongs to another audience than the one whose events arrive."""

    async def pieces(self) -> AsyncIterator[bytes]:
        services, wanted, subscriber = self._services, self._wanted, self._subscriber
        self._audience = await services.seating.audience(wanted.table, subscriber.player)
        watched = self._watched = await services.presence.watch(wanted.table, self.nudge)
        try:
            if wanted.after is not None:
                yield ping(subscriber.form)
                # A long record is read before any event is queued for this subscriber.
                with suppress(StoreUnavailable):
                    async for piece in self._recorded(await self._end()):
                        yield piece
            self._moved = True
            while self._moved:
                self._moved = False
                try:
                    # Closed with the stream, so that no event is queued for a subscriber that has gone.
                    async with aclosing(self._followed(watched)) as followed:
                        async for piece in followed:
                            yield piece
                            del piece
                except StoreUnavailable:
                    if not self._begun:
                        raise
                    if await self._gone_within(AGAIN_S):
                        return
                    # The stream goes on where it is when the log is back.
                    yield ping(subscriber.form)
                    self._moved = True
        except Stopping:
            if not self._begun:
                raise
            yield dropped(subscriber.form, "stopping")
        finally:
            services.presence.unwatch(watched, self.nudge)

    async def _gone_within(self, seconds: float) -> bool:
        """Whether the subscriber is gone after so many seconds; returns earlier if it is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._subscriber.gone()
                return True
        return False

    @property
    def _begun(self) -> bool:
        """Whether the response has begun."""
        return self._wanted.after is not None or self._cursor > 0

    async def _followed(self, watched: StreamedTable) -> AsyncGenerator[bytes]:
        """The bytes for the subscriber's audience, until the subscriber changes audience or the stream ends."""
        subscriber = self._subscriber
        opened = await self._services.feeds.open(self._wanted.table, self._audience)
        async with opened as events, ended_by(events, subscriber.gone):
            self._events = events
            if not self._cursor and self._wanted.after is None:
                audience = self._audience
                yield await self._snapshot()
                if self._audience != audience:
                    self._moved = True
                    return
            # Later appends are delivered; earlier ones are read.
            async for piece in self._recorded(await self._end()):
                yield piece
            self._state = None
            # Sends who is connected, and checks the subscriber's right to continue.
            if watched.connected != self._connected or subscriber.left:
                events.nudge()
            async for piece in pieces(events, subscriber, self._framed, beside=self._presence):
                yield piece
                del piece

    async def _end(self) -> int | None:
        """The version up to which the subscriber sees the table now; None if there is no limit."""
        if self._audience != PUBLIC:
            return None
        horizon = await self._services.feeds.spectators.horizon(self._wanted.table, "")
        return None if horizon is None else horizon.version

    def nudge(self) -> None:
        """Makes the stream check who is connected."""
        if self._events is not None:
            self._events.nudge()

    def _presence(self) -> bytes:
        """The frame of who is connected, unless it was sent already; empty then."""
        watched = self._watched
        if watched is None or watched.connected == self._connected:
            return b""
        self._connected = watched.connected
        return watched.frame(self._subscriber.form)

    async def _snapshot(self) -> bytes:
        queries, table = self._services.queries, self._wanted.table
        while True:
            audience = self._audience
            stored = await queries.view(table, audience, self._spending)
            # A player who sits down during the read is another audience, and the view may be of a later version.
            self._audience = await self._services.seating.audience(table, self._subscriber.player)
            if self._audience == audience:
                break
        offers: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
        if self._wanted.offers:
            offers = msgspec.Raw(await self._offers_at(stored.version))
        self._cursor = stored.version
        data = msgspec.json.encode(TableSnapshot(stored.version, msgspec.Raw(stored.body), offers))
        return table_frame(self._subscriber.form, "snapshot", data, stored.version)

    async def _offers_at(self, version: int) -> bytes:
        """The subscriber's offers at a version."""
        folds, audience = self._services.folds, self._audience
        if audience == PUBLIC:
            return NO_OFFERS
        self._spending.add(OFFERS_S)
        return folds.offered(await folds.begin(self._wanted.table, version, audience), audience)

    async def _recorded(self, upto: int | None, before: Recorded | None = None) -> AsyncIterator[bytes]:
        """The frames of the log's events after the cursor, up to `upto` or the subscriber's change of audience.

        The cursor moves with each piece, so that nothing is left out after StoreUnavailable. `before` is the event
        after these, if the subscriber receives it next.
        """
        while True:
            # Reads one event more than it frames, to know whether the last one's act continues.
            records = await self._services.feeds.store.stream(self._wanted.table, self._cursor, upto, PAGE + 1)
            ends = len(records) <= PAGE
            framed = records if ends else records[:PAGE]
            if ends and before is not None:
                records = [*records, before]
            piece, reached = b"", self._cursor
            for record, (_, more) in zip(framed, with_more(records), strict=False):
                piece += await self._framed_from_log(record, more=more)
                reached = record.version
                if self._moved:
                    break
                if len(piece) >= PIECE:
                    self._cursor = reached
                    yield piece
                    piece = b""
            self._cursor = reached
            if piece:
                yield piece
            if self._moved or ends:
                return

    async def _framed_from_log(self, record: Recorded, *, more: bool) -> bytes:
        self._spending.add(EVENT_S)
        await self._note_seat(record)
        folds, audience, wanted = self._services.folds, self._audience, self._wanted
        view = offers = None
        if wanted.views or (wanted.offers and audience != PUBLIC):
            state = self._state
            if state is None or state.version != record.version - 1:
                state = await folds.at(record.table, record.version - 1, audience)
            self._state = folds.after(state, record, audience)
        if wanted.views:
            self._spending.add(VIEW_S)
            view = folds.encoded(cast("Table", self._state), audience)
        if wanted.offers and not more:
            self._spending.add(OFFERS_S if audience != PUBLIC else 0.0)
            offers = folds.offered(self._state, audience)
        return event_frame(record, audience, self._subscriber.form, more, view, offers)

    async def _framed(self, event: LiveEvent) -> bytes:
        cursor = self._cursor
        try:
            return await self._framed_after_cursor(event)
        except StoreUnavailable:
            # The event is tried again, and what was missed before it was not sent.
            self._cursor = cursor
            raise

    async def _framed_after_cursor(self, event: LiveEvent) -> bytes:
        version = event.record.version
        if version <= self._cursor:
            return b""
        missed = b""
        if version > self._cursor + 1:
            missed = b"".join([piece async for piece in self._recorded(version - 1, event.record)])
            if self._moved:
                return missed
        await self._note_seat(event.record)
        services, audience, wanted = self._services, self._audience, self._wanted
        folds = services.late_folds if event.late else services.folds
        view = await folds.view(event, audience) if wanted.views else None
        offers = None
        if wanted.offers and not event.more:
            offers = await folds.offers(event, audience)
        elif wanted.offers and audience != PUBLIC:
            # The offers after the act's last event are computed from this fold.
            await folds.follow(event, audience)
        self._cursor = version
        return missed + event.frame(audience, self._subscriber.form, view, offers)

    async def _note_seat(self, record: Recorded) -> None:
        """Changes the subscriber's audience when the subscriber takes or leaves a seat."""
        player = self._subscriber.player
        change = seat_change(record) if player else None
        if change is None:
            return
        seat, taker = change
        if taker == player:
            self._audience, self._state = seat_audience(seat), None
        elif self._audience == seat_audience(seat):
            self._audience, self._state = PUBLIC, None
            # A player who has left a private table may no longer be allowed to see it.
            self._subscriber.left = True
            self.nudge()
        else:
            return
        if await self._services.feeds.spectators.late(record.table):
            # A subscriber who sits down no longer follows late; one who leaves a seat does.
            self._moved = True
            if self._events is not None:
                self._events.end("over")
