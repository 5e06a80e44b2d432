"""Folding the log: each table as each audience knows it, with its ledger.

The folds of the tables that are played stay in memory, at most `capacity` of them; others are folded anew from the
tables' streams when something happens there.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.kernel.ledger import Line
from domain.kernel.record import Recorded
from domain.kernel.seats import PUBLIC, Audience, seat_audience
from domain.record import Reader
from domain.table.events import lines_of
from domain.table.state import Table, evolve
from projections.checkpoint import Place, place_of
from projections.ledgers import Ledger, booked
from projections.source import Source, check_versions

_BREATH = 16
"""Records folded before others may run in the event loop."""

_STREAMS_AT_ONCE = 8

FINAL = ("finished", "closed")
"""Statuses in which a table is not played any more."""


class Folded(Struct, frozen=True):
    """A table at a version, as all audiences but the house know it. Nothing only the house knows goes to Redis."""

    told: Mapping[Audience, Table]
    """By audience: the public, then each seat."""
    ledger: Ledger
    ledger_version: int
    """The version of the last event that booked something, or seated or unseated somebody."""
    opened: int
    """The position of the table's first event."""
    opened_at: str
    updated_at: str

    @property
    def public(self) -> Table:
        """The table as everyone knows it."""
        return self.told[PUBLIC]


class Step(Struct, frozen=True):
    """One event, with the table as everyone knew it before and knows it after, and what was booked."""

    record: Recorded
    before: Table | None
    after: Table
    lines: tuple[Line, ...]


class Change(Struct, frozen=True):
    """What a batch made of a table."""

    before: Folded | None
    after: Folded


class Batch(Struct, frozen=True):
    """A piece of the log, folded."""

    start: Place
    end: Place
    steps: tuple[Step, ...]
    tables: Mapping[str, Change]


def follow(reader: Reader, folded: Folded | None, record: Recorded) -> tuple[Folded, Step]:
    """The table after this event, which follows on `folded` (None: it is the first). Raises UnknownEvent."""
    event = reader.read(record, PUBLIC)
    lines = lines_of(event.public)
    if folded is None:
        public = _first(reader, record, PUBLIC)
        audiences = map(seat_audience, range(len(public.players)))
        told = {PUBLIC: public, **{audience: _first(reader, record, audience) for audience in audiences}}
        before = None
        ledger, ledger_version = Ledger(), record.version
        opened, opened_at = record.position, record.at
    else:
        before = folded.public
        game = reader.of(before)
        # What has no sealed section is told to everyone in the same words, and is read once.
        shared = record.sealed == b"{}"
        told = {
            audience: evolve(game, table, event if shared or audience == PUBLIC else reader.read(record, audience))
            for audience, table in folded.told.items()
        }
        ledger = folded.ledger
        changed = lines or told[PUBLIC].players != before.players
        ledger_version = record.version if changed else folded.ledger_version
        opened, opened_at = folded.opened, folded.opened_at
    after = Folded(told, booked(ledger, record, lines), ledger_version, opened, opened_at, record.at)
    return after, Step(record, before, after.public, lines)


def fold(reader: Reader, records: Sequence[Recorded], folded: Folded | None = None) -> Folded | None:
    """The table after these events of it, which follow on `folded`. Raises GapInLog, UnknownEvent."""
    check_versions(records, folded.public.version if folded else 0)
    for record in records:
        folded, _ = follow(reader, folded, record)
    return folded


def _first(reader: Reader, record: Recorded, audience: Audience) -> Table:
    table = reader.fold(None, (record,), audience)
    if table is None:
        raise ValueError("a record folds to a table")
    return table


class Folds:
    """Folds batches of the log one after the other.

    What a batch made of the tables counts only once it is kept, so that a batch which could not be written can be
    folded again.
    """

    def __init__(self, source: Source, reader: Reader, *, capacity: int) -> None:
        self._source = source
        self._reader = reader
        self._capacity = capacity
        self._known: OrderedDict[str, Folded] = OrderedDict()

    def forget(self) -> None:
        """Begins anew at some other place of the log."""
        self._known.clear()

    async def batch(self, start: Place, records: Sequence[Recorded]) -> Batch:
        """Folds these events of the log, at least one, which follow on `start`.

        Raises GapInLog, UnknownEvent, SourceUnavailable.
        """
        before = await self._before(records)
        tables: dict[str, Folded] = {table: folded for table, folded in before.items() if folded is not None}
        steps: list[Step] = []
        for number, record in enumerate(records, 1):
            folded = tables.get(record.table)
            check_versions((record,), folded.public.version if folded else 0)
            tables[record.table], step = follow(self._reader, folded, record)
            steps.append(step)
            if number % _BREATH == 0:
                await asyncio.sleep(0)
        changes = {table: Change(before[table], after) for table, after in tables.items()}
        return Batch(start, place_of(records[-1]), tuple(steps), changes)

    def keep(self, batch: Batch) -> None:
        """The batch is written: the next one follows on it."""
        for table, change in batch.tables.items():
            if change.after.public.status in FINAL:
                self._known.pop(table, None)
            else:
                self._known[table] = change.after
                self._known.move_to_end(table)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)

    async def _before(self, records: Sequence[Recorded]) -> dict[str, Folded | None]:
        """The tables of these events as they were before them; None for new ones."""
        first: dict[str, int] = {}
        for record in records:
            first.setdefault(record.table, record.version)
        before = {table: self._known.get(table) for table in first}
        missing = [
            (table, version)
            for table, version in first.items()
            if version > 1 and ((known := before[table]) is None or known.public.version != version - 1)
        ]
        for begin in range(0, len(missing), _STREAMS_AT_ONCE):
            some = missing[begin : begin + _STREAMS_AT_ONCE]
            streams = await asyncio.gather(*(self._source.stream(table, 0, version - 1) for table, version in some))
            for (table, _), stream in zip(some, streams, strict=True):
                before[table] = fold(self._reader, stream)
                await asyncio.sleep(0)
        return before
