"""A player's stream: the notices of all tables where the player sits."""

from collections.abc import AsyncIterator

import msgspec
from msgspec import Struct

from domain.record.catalogue import Unreadable
from domain.seats import PUBLIC, seat_audience
from domain.table.events import ENDINGS, TableOpened
from domain.table.state import Status, seat_of
from domain.table.view import to_act
from projections.models import ReadModels
from service.commands.cache import Seating, TableCache
from service.compute.heavy_reads import Spending
from service.live.folds import LiveFolds
from service.live.frame_contents import Notice, PlayerSnapshot, PlayersTable
from service.live.frames import LogKind, log_frame, ping
from service.live.hub import RULINGS, Hub, PlayerSubscription
from service.live.live_event import LiveEvent, kept_seats, seat_change
from service.live.log_positions import WINDOW, caught_up, selected
from service.live.notices import notices_of
from service.live.stream import PIECE, Subscriber, ended_by, enduring, pieces
from service.live.whole_acts import with_more_of
from service.queries.table_queries import TableQueries
from service.store.store import Store

MOST_TABLES = 1000
"""The tables that a player's stream covers: the newest that are not over."""

_LISTED = 200
NOTICE_S = 0.0002
"""CPU seconds per event from the log."""


class PlayerStreams(Struct, frozen=True):
    """Opens streams of players. Used from one event loop."""

    hub: Hub
    queries: TableQueries
    store: Store
    tables: TableCache
    seating: Seating
    folds: LiveFolds
    earlier_folds: LiveFolds

    def open(
        self, after: int | None, subscriber: Subscriber, spending: Spending, *, views: bool = False
    ) -> AsyncIterator[bytes]:
        """The bytes to write to a subscriber that has everything up to the position `after`, if any.

        The first piece is ready at once. Until then it raises StoreUnavailable, Stopping, ReadModelsUnavailable.
        """
        return _PlayerStream(self, after, subscriber, spending, views).pieces()


class _PlayerStream:
    __slots__ = ("_after", "_known", "_services", "_spending", "_subscriber", "_views")

    def __init__(
        self, services: PlayerStreams, after: int | None, subscriber: Subscriber, spending: Spending, views: bool
    ) -> None:
        self._services = services
        self._after = after
        self._subscriber = subscriber
        self._spending = spending
        self._views = views
        self._known: dict[str, int] = {}
        """The versions of tables in the snapshot, which may be ahead of its position."""

    async def pieces(self) -> AsyncIterator[bytes]:
        hub, subscriber, after = self._services.hub, self._subscriber, self._after
        async with hub.player(subscriber.player) as events, ended_by(events, subscriber.gone):
            await self._watch(events, hub.position, self._services.queries.models)
            # Later events at the player's tables are delivered; earlier ones are read.
            position = hub.position
            if after is None or position - after > WINDOW:
                kind: LogKind = "snapshot" if after is None else "reset"
                self._after = position
                yield await self._snapshot(kind, position, events)
            else:
                yield ping(subscriber.form)
                async for piece in enduring(events, subscriber.form, lambda: self._recorded(position, events)):
                    yield piece
                self._after = max(after, position)
            async for piece in pieces(events, subscriber, self._framed, lambda: hub.position):
                yield piece

    async def _watch(self, events: PlayerSubscription, position: int, models: ReadModels) -> None:
        """Watches all tables where the player sat at the position and that were not over.

        Tables where the player sits down later are watched from then on.
        """
        await caught_up(models, position)
        # In this order, a table that begins between the two reads is in at least one of the lists.
        waiting = await self._listed(models, "open")
        playing = await self._listed(models, "playing")
        for table in list(dict.fromkeys((*playing, *waiting)))[:MOST_TABLES]:
            events.watch(table)

    async def _listed(self, models: ReadModels, status: Status) -> list[str]:
        """The player's newest tables of a status, at least MOST_TABLES if there are so many."""
        found: list[str] = []
        cursor: str | None = None
        while len(found) < MOST_TABLES:
            page = await models.tables(
                status=status, player=self._subscriber.player, own=True, cursor=cursor, limit=_LISTED
            )
            found += [msgspec.json.decode(item)["table"] for item in page.items]
            cursor = page.next
            if cursor is None:
                break
        return found

    async def _snapshot(self, kind: LogKind, position: int, events: PlayerSubscription) -> bytes:
        services, subscriber = self._services, self._subscriber
        tables: list[PlayersTable] = []
        for table in sorted(events.tables):
            try:
                state = (await services.tables.current(table)).table
            except Unreadable:
                continue
            seat = seat_of(state, subscriber.player)
            self._spending.add(NOTICE_S)
            # The player may have left, and the game ended, after the position.
            if seat is not None and not state.over:
                turn = seat in to_act(services.folds.reader.of(state), state)
                tables.append(PlayersTable(table, state.game, state.status, state.version, seat, turn))
                self._known[table] = state.version
        data = msgspec.json.encode(PlayerSnapshot(position, subscriber.player, tuple(tables)))
        return log_frame(subscriber.form, kind, data, position)

    async def _recorded(self, upto: int, events: PlayerSubscription) -> AsyncIterator[bytes]:
        """The frames of the events that the subscriber does not have yet, from the log."""
        services, tables, after = self._services, set(events.tables), self._after or 0
        # Tables that ended during these events are no longer watched, and rematches not yet.
        async for record in selected(services.store, after, upto, types=(*ENDINGS, *RULINGS, TableOpened.TYPE)):
            if record.type == TableOpened.TYPE:
                if self._subscriber.player in kept_seats(record):
                    tables.add(record.table)
            elif record.table not in tables and await self._sat(record.table):
                tables.add(record.table)
        piece = b""
        async for record, more in with_more_of(selected(services.store, after, upto, tables=tables)):
            self._spending.add(NOTICE_S)
            piece += await self._frame(LiveEvent(record, more=more), services.earlier_folds)
            if len(piece) >= PIECE:
                self._after = record.position
                yield piece
                piece = b""
        if piece:
            yield piece

    async def _sat(self, table: str) -> bool:
        """Whether the player has a seat at the table; False if its record cannot be read."""
        try:
            return await self._services.seating.seat(table, self._subscriber.player) is not None
        except Unreadable:
            return False

    async def _framed(self, event: LiveEvent) -> bytes:
        folds, record = self._services.folds, event.record
        if record.position <= (self._after or 0):
            return b""
        if record.version > self._known.get(record.table, 0):
            self._known.pop(record.table, None)
            return await event.made(
                (self._subscriber.player, self._subscriber.form, self._views), lambda: self._frame(event, folds)
            )
        return await self._frame(event, folds, turn_is_known=True)

    async def _frame(self, event: LiveEvent, folds: LiveFolds, *, turn_is_known: bool = False) -> bytes:
        """The frame of an event; empty if it does not concern the player.

        `turn_is_known` says that the snapshot, taken after the event, already told whose turn it is.
        """
        record, player = event.record, self._subscriber.player
        if seat_change(record) is not None:
            return b""
        turn = await folds.turn(event)
        if player not in turn.players:
            return b""
        seat = turn.players.index(player)
        notices = notices_of(record, turn, seat)
        if turn_is_known:
            notices = tuple(kind for kind in notices if kind != "your-turn")
        if not notices:
            return b""
        view: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
        if self._views:
            # A seat that is kept is not taken yet.
            audience = PUBLIC if record.type == TableOpened.TYPE else seat_audience(seat)
            view = msgspec.Raw(await folds.view(event, audience))
        notice = Notice(
            record.position, record.table, record.game, record.version, record.at, seat, notices, event.more, view
        )
        return log_frame(self._subscriber.form, "event", msgspec.json.encode(notice), record.position)
