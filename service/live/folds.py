"""Tables as they are after each event, folded once for all who follow them."""

import msgspec

from domain.record.catalogue import Unreadable
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.record.remembered import AudienceTables
from domain.seats import HOUSE, PUBLIC, Audience, seat_in
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import view
from service.commands.cache import NoSuchTable
from service.compute.folds import KeptFolds
from service.live.live_event import NOBODYS, LiveEvent, Turn, turn_of

NO_OFFERS = b"[]"
"""The offers for an audience without a seat."""

CAPACITY = 1792
"""The number of tables kept as the public knows them; as each seat knows them, a quarter as many."""

APART = 128
"""The same for those who follow events at another pace."""


class LiveFolds:
    """Folds tables event by event, each event once for each audience that follows it.

    Used from one event loop. Every method that reads raises StoreUnavailable.
    """

    def __init__(self, reader: Reader, kept: KeptFolds, *, capacity: int = CAPACITY) -> None:
        self.reader = reader
        self._kept = kept
        self._capacity = capacity
        self._followed: dict[Audience, AudienceTables[str]] = {PUBLIC: AudienceTables(reader, PUBLIC, capacity)}

    def apart(self, capacity: int = APART) -> "LiveFolds":
        """Others for the same tables, which are followed there at another pace."""
        return LiveFolds(self.reader, self._kept, capacity=capacity)

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

    async def turn(self, event: LiveEvent) -> Turn:
        """Whose turn it is after the event. A table whose record cannot be read is nobody's turn and has no players."""
        while event.turn is None:
            try:
                # The seats to act are the same on every audience's fold.
                await self.follow(event, PUBLIC)
            except Unreadable:
                event.turn = NOBODYS
        return event.turn

    async def follow(self, event: LiveEvent, audience: Audience) -> Table:
        """The audience's fold after the event; it is kept for the next event."""

        async def make() -> None:
            tables, record = self._tables(audience), event.record
            before = tables.before(record.table, record.version)
            if before is None:
                before = await self._read(record.table, record.version - 1, audience)
            after = tables.fold(record.table, (record,), before)
            if after is None:
                raise NoSuchTable(record.table)
            if audience == PUBLIC:
                known = after.table
                if before is None and known.rematch is not None:
                    # The event may have come from another process without the house's section.
                    known = await self.at(record.table, record.version, HOUSE) or known
                event.turn = turn_of(self.reader.of(known), before.table if before else None, known)
            event.folds[audience] = after.table

        while audience not in event.folds:
            await event.once(f"fold {audience}", make)
        return event.folds[audience]

    async def begin(self, table: str, version: int, audience: Audience) -> Table | None:
        """The audience's fold at a version, from which it follows the next events; None at 0."""
        known = self._tables(audience).get(table)
        if known is None or known.version < version:
            known = await self._read(table, version, audience)
        elif known.version > version:
            # Others are ahead.
            return await self.at(table, version, audience)
        return None if known is None else known.table

    async def at(self, table: str, version: int, audience: Audience) -> Table | None:
        """The audience's fold at a version; None at 0."""
        history = await self._kept.at(table, version, audience)
        return None if history is None else history.table

    def after(self, before: Table | None, record: Recorded, audience: Audience) -> Table:
        """The audience's fold after the event, given the fold before it (None: it is the first)."""
        return self.reader.fold(before, (record,), audience)

    def encoded(self, state: Table, audience: Audience) -> bytes:
        """The audience's view, as JSON; `state` is its fold."""
        return msgspec.json.encode(view(self.reader.of(state), state, audience))

    def offered(self, state: Table | None, audience: Audience) -> bytes:
        """The offers for the audience's seat, as JSON; `state` is its fold."""
        seat = seat_in(audience)
        if state is None or seat is None:
            return NO_OFFERS
        return msgspec.json.encode([offer.describe() for offer in offers(self.reader.of(state), state, seat)])

    async def _read(self, table: str, version: int, audience: Audience) -> History | None:
        """The audience's fold at a version, from the log; it is kept."""
        before, records = await self._kept.since_deal(table, version, audience)
        return self._tables(audience).fold(table, records, before)

    def _tables(self, audience: Audience) -> AudienceTables[str]:
        """The tables as the audience knows them. The house follows none here."""
        tables = self._followed.get(audience)
        if tables is None:
            if seat_in(audience) is None:
                raise ValueError(f"{audience} is neither a seat nor the public")
            tables = self._followed[audience] = AudienceTables(self.reader, audience, self._capacity // 4)
        return tables
