"""Folding the log: each table once, with its ledger and each audience's knowledge of its cards.

Folds of tables that are being played stay in memory, up to a bound. Other tables are folded again from their streams
when they get new events.
"""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.ledger import Line
from domain.record.catalogue import Unreadable
from domain.record.history import Reader, unreadable
from domain.record.recorded import Recorded
from domain.record.remembered import RememberedTables
from domain.seats import PUBLIC
from domain.table.events import CardsDealt, lines_of
from domain.table.knowledge import Known, known_at_opening
from domain.table.spectators import follow_late
from domain.table.state import Table, evolve, evolve_between_deals
from projections import ledgers
from projections.checkpoint import LogPoint, log_point
from projections.source import End, Source, check_versions

YIELD_EVERY = 256
"""The number of records folded before the event loop may run other tasks: two or three milliseconds of work."""

_STREAMS_AT_ONCE = 8


class Folded(Struct, frozen=True, gc=False):
    """A table at a version. House-only data is never written to Redis."""

    house: Table
    """The house's fold, without its booked lines: `lines` holds them in half the memory.

    Views are made from it and from the audience's knowledge. Everything else is made from public data.
    """
    known: Known
    lines: ledgers.Lines
    ledger_version: int
    """The version of the last event that booked lines, or changed who is seated."""
    opened: int
    """The position of the table's first event."""
    opened_at: str
    updated_at: str
    delayed: "Delayed | None" = None
    """The table as lists and statements show it, while a deal is running at a table with `spectator_delay`; otherwise
    None.
    """

    @property
    def version(self) -> int:
        """The version of the table's last event."""
        return self.house.version


class ScoreChange(Struct, frozen=True):
    """One event that booked lines or changed the winners, with the house's folds before and after it."""

    record: Recorded
    before: Table
    after: Table
    lines: tuple[Line, ...]
    deals: tuple[int | None, ...]
    """The deal that each of the lines belongs to."""
    shown: int
    """The position from which on it is shown: the event's, or that of the event that ends the deal (TL-6.1)."""

    @property
    def public(self) -> bool:
        """Whether it counts for everybody. At tables that lists do not show, it counts for the players alone."""
        return self.after.table_options.visibility == "public"

    @property
    def with_bots(self) -> bool:
        """Whether bots take part as players. Such a table counts in no record and on no leaderboard."""
        return bool(self.after.opponents)


class Delayed(Struct, frozen=True, gc=False):
    """A table before the running deal, and the score changes since."""

    table: Table
    updated_at: str
    changes: tuple[ScoreChange, ...] = ()


class TableChange(Struct, frozen=True):
    """A table before and after a batch."""

    before: Folded | None
    """The table in the read models; None if they do not have it."""
    after: Folded


class Batch(Struct, frozen=True):
    """Consecutive events of the log, folded."""

    start: LogPoint
    end: LogPoint
    score_changes: tuple[ScoreChange, ...]
    """The score changes in the order of the log."""
    folded: Mapping[str, Folded]
    """All tables with events in the batch, after it."""
    changes: Mapping[str, TableChange]
    """The tables to write; while building, only those that have reached their end."""
    aside: Mapping[str, str] = {}
    """The tables that are set aside from now on, since their records cannot be read, with the reasons."""


def fold(
    reader: Reader, records: Sequence[Recorded], folded: Folded | None = None, newest: int = 0
) -> tuple[Folded, list[ScoreChange]]:
    """The table after these events, at least one, which continue `folded` (None: they are its first).

    With `newest` the caller says that the table is not read before this deal begins. Of earlier deals, only events that
    survive their deal are then folded, since a deal begins from the table's own events. Raises GapInLog, Unreadable.
    """
    check_versions(records, folded.house.version if folded else 0)
    try:
        return _fold(reader, records, folded, newest)
    except Exception as error:  # a bad record must affect its own table alone
        raise unreadable(records[0].table, error) from error


def _fold(
    reader: Reader, records: Sequence[Recorded], folded: Folded | None, newest: int
) -> tuple[Folded, list[ScoreChange]]:
    if folded is None:
        folded, records = _opened(reader, records[0]), records[1:]
    house, known, booked, ledger_version = folded.house, folded.known, folded.lines, folded.ledger_version
    delayed, late = folded.delayed, follow_late(house.table_options)
    game = reader.of(house)
    newest = max(newest, _newest(records))
    score_changes: list[ScoreChange] = []
    version, at = house.version, folded.updated_at
    for record in records:
        version, before, since = record.version, house, at
        at = record.at
        if (record.deal or newest) < newest:
            if not reader.survives_deal(record):
                continue
            event = reader.read(record, PUBLIC)
            house = evolve_between_deals(game, before, event)
            known = known.between_deals(game, event)
        else:
            event = reader.read(record)
            house = evolve(game, before, event)
            known = known.after(game, before, event)
        lines = lines_of(event.public)
        deals: tuple[int | None, ...] = ()
        if lines:
            (booking,) = house.booked
            deals = ledgers.deals_of(booking, (booked,))
            house = replace(house, booked=())
            booked = ledgers.joined((booked, ledgers.encoded(booking, deals)))
        if lines or house.players != before.players:
            ledger_version = version
        changes: tuple[ScoreChange, ...] = ()
        if lines or house.winners != before.winners:
            changes = (ScoreChange(record, before, house, lines, deals, record.position),)
        if late:
            delayed, changes = _delay(
                delayed or Delayed(replace(before, deal_state=None), since), house, record, changes
            )
        score_changes += changes
    if house.version != version:
        house = replace(house, version=version)
    return Folded(house, known, booked, ledger_version, folded.opened, folded.opened_at, at, delayed), score_changes


def _delay(
    delayed: Delayed, house: Table, record: Recorded, changes: tuple[ScoreChange, ...]
) -> tuple[Delayed | None, tuple[ScoreChange, ...]]:
    """The delayed state after an event (`record`) with these changes, and the changes that are shown now.

    `delayed` is the state before it or, if nothing was delayed, has the table before it; `house` is the table after it.
    """
    changes = (*delayed.changes, *changes)
    if house.running_deal is not None:
        return replace(delayed, changes=changes), ()
    return None, tuple(replace(change, shown=record.position) for change in changes)


def _newest(records: Sequence[Recorded]) -> int:
    """The last deal that begins in these records of a table; 0 if none does."""
    return next((record.deal or 0 for record in reversed(records) if record.type == CardsDealt.TYPE), 0)


def _opened(reader: Reader, record: Recorded) -> Folded:
    house = reader.opened(record)
    known = known_at_opening(reader.of(house), house)
    return Folded(house, known, b"", record.version, record.position, record.at, record.at)


class Folds:
    """Folds batches of the log one after the other, and keeps at most `capacity` tables in memory.

    A batch changes the tables in memory only by `keep`, so a batch that could not be written can be folded again.

    A table whose record cannot be read is set aside: its later events are not folded.
    """

    def __init__(self, source: Source, reader: Reader, *, capacity: int) -> None:
        self._source = source
        self._reader = reader
        self._known: RememberedTables[str, Folded] = RememberedTables(capacity)
        self._aside: set[str] = set()
        self._refused: dict[str, str] = {}

    def forget(self) -> None:
        """Drops all tables from memory, so that folding can continue from any point of the log."""
        self._known.clear()

    def refuse(self, table: str, reason: str) -> None:
        """Makes the next batch set this table aside, since its fold turned out to be useless."""
        self._refused[table] = reason

    async def batch(self, start: LogPoint, records: Sequence[Recorded], ends: Mapping[str, End] | None = None) -> Batch:
        """Folds these events of the log, at least one, which continue from `start`.

        With `ends`, a table is among the changes only once it has reached its end. Raises GapInLog, SourceUnavailable.
        """
        streams: dict[str, list[Recorded]] = {}
        aside = dict(self._refused)
        for record in records:
            if record.table not in self._aside and record.table not in aside:
                streams.setdefault(record.table, []).append(record)
        before = await self._before(streams, aside)
        folded: dict[str, Folded] = {}
        changes: dict[str, TableChange] = {}
        score_changes: list[ScoreChange] = []
        since_yield = 0
        for table, stream in streams.items():
            if table in aside:
                continue
            end = ends[table] if ends else None
            try:
                after, changed_scores = fold(self._reader, stream, before[table], end.deal if end else 0)
            except Unreadable as error:
                aside[table] = str(error)
                continue
            folded[table] = after
            if end is None:
                changes[table] = TableChange(before[table], after)
            elif end.version <= after.house.version:
                changes[table] = TableChange(None, after)
            score_changes += changed_scores
            since_yield += len(stream)
            if since_yield >= YIELD_EVERY:
                since_yield = 0
                await asyncio.sleep(0)
        score_changes.sort(key=lambda change: change.shown)
        return Batch(start, log_point(records[-1]), tuple(score_changes), folded, changes, aside)

    def keep(self, batch: Batch) -> None:
        """Keeps the batch, which was written, as the state that the next one continues."""
        for table, folded in batch.folded.items():
            if folded.house.over:
                self._known.forget(table)
            else:
                self._known.keep(table, folded)
        for table in batch.aside:
            self._known.forget(table)
            self._refused.pop(table, None)
            self._aside.add(table)

    async def _before(
        self, streams: Mapping[str, Sequence[Recorded]], aside: dict[str, str]
    ) -> dict[str, Folded | None]:
        """The tables of these events before them; None for new ones. Adds unreadable tables to those set aside."""
        before = {table: self._known.before(table, stream[0].version) for table, stream in streams.items()}
        missing = [
            (table, stream[0].version)
            for table, stream in streams.items()
            if before[table] is None and stream[0].version > 1
        ]
        for begin in range(0, len(missing), _STREAMS_AT_ONCE):
            some = missing[begin : begin + _STREAMS_AT_ONCE]
            read = await asyncio.gather(*(self._source.stream(table, 0, version - 1) for table, version in some))
            for (table, _), stream in zip(some, read, strict=True):
                try:
                    before[table], _ = fold(self._reader, stream) if stream else (None, ())
                except Unreadable as error:
                    aside[table] = str(error)
                await asyncio.sleep(0)
        return before
