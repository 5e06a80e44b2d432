"""Tables as they are after each event, folded once for all who follow them."""

from collections import OrderedDict

import msgspec

from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Audience, seat_in
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import view
from service.commands.cache import NoSuchTable
from service.compute.folds import KeptFolds
from service.live.live_event import NOBODYS, LiveEvent, Turn, turn_of

NO_OFFERS = b"[]"
"""The offers for an audience without a seat."""

CAPACITY = 2048
"""The number of folds kept."""


class LiveFolds:
    """Folds tables event by event. Used from one event loop. Every method that reads raises StoreUnavailable."""

    def __init__(self, reader: Reader, kept: KeptFolds, *, capacity: int = CAPACITY) -> None:
        self.reader = reader
        self._kept = kept
        self._capacity = capacity
        self._views: OrderedDict[tuple[str, Audience], Table] = OrderedDict()
        self._turns: OrderedDict[tuple[str, Audience], Table] = OrderedDict()

    async def view(self, event: LiveEvent, audience: Audience) -> bytes:
        """The audience's view after the event, as JSON."""

        async def make() -> None:
            event.views[audience] = self.encoded(await self.follow(event, audience), audience)

        while audience not in event.views:
            await event.once(f"view {audience}", make)
        return event.views[audience]

    async def offers(self, event: LiveEvent, audience: Audience) -> bytes:
        """The audience's offers after the event, as JSON."""

        async def make() -> None:
            event.offers[audience] = self.offered(await self.follow(event, audience), audience)

        if audience == PUBLIC:
            return NO_OFFERS
        while audience not in event.offers:
            await event.once(f"offers {audience}", make)
        return event.offers[audience]

    async def follow(self, event: LiveEvent, audience: Audience) -> Table:
        """The audience's fold after the event; it is kept for the next event."""
        record = event.record
        known = self._views.get((record.table, audience))
        if known is not None and known.version == record.version:
            return known
        state = self.after(await self._before(self._views, record, audience), record, audience)
        self._keep(self._views, audience, state)
        return state

    async def turn(self, event: LiveEvent) -> Turn:
        """Whose turn it is after the event. A table whose record cannot be read is nobody's turn and has no players."""

        async def make() -> None:
            try:
                await follow()
            except Unreadable:
                event.turn = NOBODYS

        async def follow() -> None:
            # The seats to act are the same on every audience's fold.
            before = await self._before(self._turns, event.record, PUBLIC)
            after = self.after(before, event.record, PUBLIC)
            self._keep(self._turns, PUBLIC, after)
            event.turn = turn_of(self.reader.of(after), before, after)

        while event.turn is None:
            await event.once("turn", make)
        return event.turn

    async def at(self, table: str, version: int, audience: Audience) -> Table | None:
        """The audience's fold at a version; None at 0."""
        return await self._kept.at(table, version, audience)

    def after(self, before: Table | None, record: Recorded, audience: Audience) -> Table:
        """The audience's fold after the event, given the fold before it.

        Raises NoSuchTable if there is neither a fold nor a first event.
        """
        state = self.reader.fold(before, (record,), audience)
        if state is None:
            raise NoSuchTable(record.table)
        return state

    def encoded(self, state: Table, audience: Audience) -> bytes:
        """The audience's view, as JSON; `state` is its fold."""
        return msgspec.json.encode(view(self.reader.of(state), state, audience))

    def offered(self, state: Table | None, audience: Audience) -> bytes:
        """The offers for the audience's seat, as JSON; `state` is its fold."""
        seat = seat_in(audience)
        if state is None or seat is None:
            return NO_OFFERS
        return msgspec.json.encode([offer.describe() for offer in offers(self.reader.of(state), state, seat)])

    async def _before(
        self, folds: "OrderedDict[tuple[str, Audience], Table]", record: Recorded, audience: Audience
    ) -> Table | None:
        known = folds.get((record.table, audience))
        if known is not None and known.version == record.version - 1:
            return known
        return await self._kept.at(record.table, record.version - 1, audience)

    def _keep(self, folds: "OrderedDict[tuple[str, Audience], Table]", audience: Audience, state: Table) -> None:
        key = (state.table, audience)
        folds[key] = state
        folds.move_to_end(key)
        if len(folds) > self._capacity:
            folds.popitem(last=False)
