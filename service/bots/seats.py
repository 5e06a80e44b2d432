"""The seats of bots as this process follows them: each by the events as they are redacted for it, and by no others."""

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.opponents.opponent import Opponent
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.record.remembered import RememberedTables
from domain.seats import Seat, bot, seat_audience
from domain.table.events import CardsDealt
from domain.table.state import Table, evolve, opened
from service.compute.folds import KeptFolds
from service.store.store import Store

FAR = 500
"""A seat that is so many events behind is followed anew from the beginning of the deal."""


class FollowedSeat:
    """A bot's seat, followed up to a version. A blind one has no opponent, and knows only what it is offered."""

    def __init__(self, reader: Reader, game: Game, table: str, seat: Seat, *, blind: bool = False) -> None:
        self._reader = reader
        self._id = table
        self._seat = seat
        self._table: Table | None = None
        self.game = game
        self.opponent = None if blind else Opponent(game, seat)
        self.version = 0
        self.own = 0
        """The version of the seat's last own event in this deal; before any, that of the dealing. 0 before the first
        deal.
        """

    @property
    def table(self) -> Table:
        """The seat's own fold. Raises ValueError before the first event."""
        table = self._table if self.opponent is None else self.opponent.table
        if table is None:
            raise ValueError("no event has been seen")
        return table

    def begin(self, before: Table | None) -> None:
        """Begins with a deal; `before` is what everybody knows of the table before it, None before the first event."""
        self.version = 0 if before is None else before.version
        if self.opponent is None:
            self._table = before
        else:
            self.opponent.table = before

    def see(self, records: Sequence[Recorded]) -> None:
        """Follows the next events; those that it has seen are skipped. Raises what the opponent raises."""
        for record in records:
            if record.version > self.version:
                event: Event[Any] = self._reader.read(record, seat_audience(self._seat))
                if self.opponent is not None:
                    self.opponent.see(self._id, event)
                elif self._table is None:
                    self._table = opened(self.game, self._id, event)
                else:
                    self._table = evolve(self.game, self._table, event)
                self.version = record.version
                if isinstance(event.public, CardsDealt) or event.actor == bot(self._seat):
                    self.own = event.version


class FollowedSeats:
    """Remembers the seats of bots, at most `capacity`; others are followed anew from their deal's first event."""

    def __init__(self, store: Store, reader: Reader, kept: KeptFolds, *, capacity: int) -> None:
        self._store = store
        self._reader = reader
        self._kept = kept
        self._seats: RememberedTables[tuple[str, Seat], FollowedSeat] = RememberedTables(capacity)

    async def get(
        self, table: Table, game: Game, seat: Seat, recent: Sequence[Recorded]
    ) -> tuple[FollowedSeat, Sequence[Recorded]]:
        """The seat, and the events up to the table's version that it has not seen.

        `recent` are the table's last events, as far as they are at hand. Raises StoreUnavailable.
        """
        version, known = table.version, self._seats.get((table.table, seat))
        if known is not None and known.opponent is None and known.table.deal != table.deal:
            # What its opponent failed at may have been in the last deal.
            known = None
        if known is not None and version - known.version <= FAR:
            if recent and recent[0].version <= known.version + 1:
                return known, recent
            return known, await self._store.stream(table.table, known.version, version)
        return await self.anew(table, game, seat)

    async def anew(
        self, table: Table, game: Game, seat: Seat, *, blind: bool = False
    ) -> tuple[FollowedSeat, Sequence[Recorded]]:
        """The seat as before its deal, and the events since. Raises StoreUnavailable."""
        before, records = await self._kept.since_deal(table.table, table.version, seat_audience(seat))
        followed = FollowedSeat(self._reader, game, table.table, seat, blind=blind)
        followed.begin(None if before is None else before.table)
        self._seats.keep((table.table, seat), followed)
        return followed, records

    def forget(self, table: str, seat: Seat) -> None:
        """Drops the seat, which is then followed anew."""
        self._seats.forget((table, seat))
