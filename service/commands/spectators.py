"""What spectators see: at a table with `spectator_delay` they follow a running deal late, up to a horizon (TL-6).

A spectator is a caller without a seat at the table. Everything that spectators can read asks here how far it goes.
"""

import time
from array import array
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.record.remembered import AudienceTables
from domain.seats import PUBLIC
from domain.table.clock import micros
from domain.table.events import CardsDealt, DealScored, GameFinished
from domain.table.options import SpectatorDelay
from domain.table.spectators import MICROSECONDS, due, follow_late, visible
from domain.table.state import seat_of
from service.commands.cache import Seating, TableCache
from service.store.store import Store

DEALS_KEPT = 2048
"""The number of tables whose running deal's times are cached."""

FOLDS_KEPT = 256
"""The number of tables whose fold at the horizon is cached. Each includes all lines that its table has booked."""


class Horizon(Struct, frozen=True):
    """The last version that spectators see, and when they see the next."""

    version: int
    due_s: float | None
    """Seconds from now; None if no time limits what they see."""


class _Deal:
    """A table's last deal, from its events up to the version `read`."""

    __slots__ = ("action", "dealt", "ends", "read", "running", "seen", "times")

    def __init__(self, read: int) -> None:
        self.read = read
        self.dealt = 0
        """The version of its `cards-dealt`; 0 before the first deal."""
        self.running = False
        self.action: str | None = None
        """The action of the last event."""
        self.times = array("q")
        """The times of its actions, in microseconds since 1970; empty when the deal is over."""
        self.ends = array("q")
        """For each action, the number of the deal's events up to its end."""
        self.seen = 0
        """The number of events that spectators have been able to see. It never falls, even if a clock is set back."""

    def add(self, records: Sequence[Recorded]) -> None:
        """Adds the events that have not been read."""
        for record in records:
            if record.version <= self.read:
                continue
            self.read = record.version
            if record.type == CardsDealt.TYPE:
                self.dealt, self.running, self.seen = record.version, True, 0
                self._forget()
            elif record.type in (DealScored.TYPE, GameFinished.TYPE):
                self.running = False
                self._forget()
            if self.running:
                if record.action != self.action:
                    self.times.append(micros(record.at))
                    self.ends.append(0)
                self.action = record.action
                self.ends[-1] = record.version - self.dealt + 1

    def _forget(self) -> None:
        """Clears the actions."""
        self.action, self.times, self.ends = None, array("q"), array("q")


class Spectators:
    """Computes horizons, and tables as they are there. Used from one event loop.

    Horizons follow from the types and times of events alone, so an altered record that does not fold has one too.
    Every method that waits raises `StoreUnavailable` on an outage, and NoSuchTable. `clock` gives the time in
    nanoseconds since 1970.
    """

    def __init__(self, tables: TableCache, seating: Seating, store: Store, reader: Reader) -> None:
        self._tables = tables
        self._seating = seating
        self._store = store
        self._reader = reader
        self.clock = time.time_ns
        self._deals: OrderedDict[str, _Deal] = OrderedDict()
        self._folds: AudienceTables[str] = AudienceTables(reader, PUBLIC, FOLDS_KEPT)
        """Tables at their horizons, as the public knows them: of what is hidden, nothing is there to be shown."""

    async def late(self, table: str) -> bool:
        """Whether the table's spectators follow its running deals late."""
        return follow_late(await self._tables.table_options(table))

    async def horizon(self, table: str, player: str) -> Horizon | None:
        """The horizon of the player at the table; None if there is no limit. An empty id has no seat.

        The table is folded only to look for a player's seat.
        """
        delay = (await self._tables.table_options(table)).spectator_delay
        if delay is None or (player and await self._seating.seat(table, player) is not None):
            return None
        return await self._horizon(table, delay, (await self._tables.head(table)).version)

    async def version(self, table: str, player: str, least: int = 0) -> int:
        """The table's version as the player sees it.

        The cached version is returned if it is at least `least`, unless that is 0.
        """
        known = self._tables.known.peek(table)
        if known is not None and known.version >= least > 0 and not await self.late(table):
            return known.version
        return await self.version_of(await self._tables.current(table), player)

    async def version_of(self, head: History, player: str) -> int:
        """The version of the current table `head` as the player sees it."""
        delay = head.table.table_options.spectator_delay
        if delay is None or head.table.running_deal is None or seat_of(head.table, player) is not None:
            return head.version
        return min(head.version, (await self._horizon(head.table.table, delay, head.version)).version)

    async def seen(self, table: str, player: str) -> History:
        """The table as the player sees it: the current one or, for a spectator, the one at the horizon (TL-6.1).

        Texts that have been erased are missing from its `texts`: erasures are not delayed.
        """
        return await self.seen_of(await self._tables.current(table), player)

    async def seen_of(self, head: History, player: str) -> History:
        """The current table `head` as the player sees it."""
        version = await self.version_of(head, player)
        if version == head.version:
            return head
        history = await self._fold(head.table.table, version)
        texts = tuple(text for text in head.table.texts if text <= version)
        return replace(history, table=replace(history.table, texts=texts))

    async def _horizon(self, table: str, delay: SpectatorDelay, head: int) -> Horizon:
        """The horizon of the table, whose version is at least `head`."""
        deal = await self._deal(table, head)
        if not deal.running:
            return Horizon(deal.read, None)
        now = self.clock() // 1000
        deal.seen = max(deal.seen, visible(delay, deal.times, deal.ends, now))
        then = due(delay, deal.times, deal.ends, deal.seen)
        return Horizon(deal.dealt - 1 + deal.seen, None if then is None else (then - now) / MICROSECONDS)

    async def _deal(self, table: str, head: int) -> _Deal:
        deal = self._deals.get(table)
        if deal is None:
            dealt = await self._store.deal_start(table, head)
            deal = self._deals.setdefault(table, _Deal(dealt - 1 if dealt else head))
        self._deals.move_to_end(table)
        if deal.read < head:
            deal.add(await self._store.stream(table, deal.read))
        if len(self._deals) > DEALS_KEPT:
            self._deals.popitem(last=False)
        return deal

    async def _fold(self, table: str, version: int) -> History:
        """The public's fold at the version, which the table must have."""
        kept = self._folds.get(table)
        if kept is None or kept.version > version:
            kept, records = None, await self._store.outline(table, self._reader.passing, version)
        else:
            records = await self._store.stream(table, kept.version, version)
        history = self._folds.fold(table, records, kept)
        assert history is not None, "the table has this version"  # noqa: S101 (for the type checker)
        return history
