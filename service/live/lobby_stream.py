"""The lobby's stream: tables opening, filling, beginning and ending."""

from collections.abc import AsyncIterator

import msgspec
from msgspec import Struct

from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from projections.models import ReadModels
from service.commands.cache import TableCache
from service.live.frame_contents import LobbySnapshot
from service.live.frames import LogKind, log_frame, ping
from service.live.hub import LOBBY, Hub
from service.live.live_event import LiveEvent, streamed
from service.live.log_positions import WINDOW, caught_up, selected
from service.live.stream import PIECE, Subscriber, ended_by, enduring, pieces
from service.live.whole_acts import with_more_of
from service.queries.table_queries import TableQueries
from service.store.store import Store

MOST_LISTED = 200
"""The newest tables of each status in a snapshot."""


class _Summary(Struct):
    table: str
    version: int


class LobbyStreams(Struct, frozen=True):
    """Opens streams of the lobby. Used from one event loop."""

    hub: Hub
    queries: TableQueries
    store: Store
    tables: TableCache

    def open(self, after: int | None, subscriber: Subscriber) -> AsyncIterator[bytes]:
        """The bytes to write to a subscriber that has everything up to the position `after`, if any.

        The first piece is ready at once. Until then it raises StoreUnavailable, Stopping, and without `after`
        ReadModelsUnavailable.
        """
        return _LobbyStream(self, after, subscriber).pieces()


class _LobbyStream:
    __slots__ = ("_after", "_known", "_services", "_subscriber")

    def __init__(self, services: LobbyStreams, after: int | None, subscriber: Subscriber) -> None:
        self._services = services
        self._after = after
        self._subscriber = subscriber
        self._known: dict[str, int] = {}
        """The versions of tables in the snapshot, which may be ahead of its position."""

    async def pieces(self) -> AsyncIterator[bytes]:
        hub, subscriber, after = self._services.hub, self._subscriber, self._after
        async with hub.lobby() as events, ended_by(events, subscriber.gone):
            position = hub.position
            if after is None or position - after > WINDOW:
                kind: LogKind = "snapshot" if after is None else "reset"
                self._after = position
                yield await self._snapshot(kind, position, self._services.queries.models)
            else:
                yield ping(subscriber.form)
                async for piece in enduring(events, subscriber.form, lambda: self._recorded(position)):
                    yield piece
                self._after = max(after, position)
            async for piece in pieces(events, subscriber, self._framed, lambda: hub.position):
                yield piece

    async def _snapshot(self, kind: LogKind, position: int, models: ReadModels) -> bytes:
        await caught_up(models, position)
        listed: dict[str, bytes] = {}
        for status in ("open", "playing"):
            for item in (await models.tables(status=status, limit=MOST_LISTED)).items:
                summary = msgspec.json.decode(item, type=_Summary)
                # A table that begins between the two reads is in both lists; the second shows it as it is.
                listed.pop(summary.table, None)
                listed[summary.table] = item
                self._known[summary.table] = summary.version
        data = msgspec.json.encode(LobbySnapshot(position, tuple(map(msgspec.Raw, listed.values()))))
        return log_frame(self._subscriber.form, kind, data, position)

    async def _recorded(self, upto: int) -> AsyncIterator[bytes]:
        """The frames of the events that the subscriber does not have yet, from the log."""
        piece = b""
        async for record, more in with_more_of(selected(self._services.store, self._after or 0, upto, types=LOBBY)):
            piece += await self._frame(record, more=more)
            if len(piece) >= PIECE:
                self._after = record.position
                yield piece
                piece = b""
        if piece:
            yield piece

    async def _framed(self, event: LiveEvent) -> bytes:
        record = event.record
        if record.position <= (self._after or 0) or record.version <= self._known.get(record.table, 0):
            return b""
        self._known.pop(record.table, None)
        return await event.made(("lobby", self._subscriber.form), lambda: self._frame(record, more=event.more))

    async def _frame(self, record: Recorded, *, more: bool) -> bytes:
        """The event's frame; empty for a table that lists do not show."""
        if (await self._services.tables.table_options(record.table)).visibility != "public":
            return b""
        return log_frame(self._subscriber.form, "event", streamed(record, PUBLIC, more=more), record.position)
