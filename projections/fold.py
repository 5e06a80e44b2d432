"""Folding the log: each table once, with what each audience knows of its cards, and its ledger.

The folds of the tables that are played stay in memory, at most `capacity` of them; others are folded anew from the
tables' streams when something happens there.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.event import Event, Payload
from domain.kernel.ledger import Line
from domain.kernel.record import Recorded
from domain.kernel.seats import PUBLIC
from domain.record import Reader
from domain.table.events import CardsDealt, TableEvent, TableOpened, lines_of
from domain.table.knowledge import Knowledge, learnt, nothing_known
from domain.table.state import Table, evolve, opened
from projections.checkpoint import Place, place_of
from projections.ledgers import Ledger, booked
from projections.source import Source, check_versions

_BREATH = 256
"""Records folded, in two or three milliseconds, before others may run in the event loop.

In a busy process it takes them tens of milliseconds until it is the projections' turn again.
"""

_STREAMS_AT_ONCE = 8

FINAL = ("finished", "closed")
"""Statuses in which a table is not played any more."""


class Folded(Struct, frozen=True):
    """A table at a version. Of what only the house knows nothing goes to Redis."""

    house: Table
    """The house's fold, without what it booked: the ledger has the lines, in half the memory.

    A view is made of it with what its audience knows, anything else of what all know.
    """
    known: Knowledge
    ledger: Ledger
    ledger_version: int
    """The version of the last event that booked something, or seated or unseated somebody."""
    opened: int
    """The position of the table's first event."""
    opened_at: str
    updated_at: str


class Step(Struct, frozen=True):
    """One event that booked something or told who won, with the house's folds before and after it."""

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
    """In the order of the log."""
    tables: Mapping[str, Change]


def follow(reader: Reader, folded: Folded | None, record: Recorded, newest: int = 0) -> tuple[Folded, Step | None]:
    """The table after this event, which follows on `folded` (None: it is the first). Raises UnknownEvent.

    Who knows that `newest` is dealt before anybody looks at the table may say so. What was played in earlier deals is
    then read, but not followed: a deal begins from what the table's own events say.
    """
    event = reader.read(record)
    public = event.public
    if folded is None:
        house = _opened(reader, record, event)
        known = nothing_known(len(house.players))
        return Folded(house, known, Ledger(), record.version, record.position, record.at, record.at), None
    before = folded.house
    if (record.deal or newest) < newest and not isinstance(public, TableEvent):
        return replace(folded, house=_passed(before, event), updated_at=record.at), None
    game = reader.of(before)
    lines = lines_of(public)
    house = evolve(game, before, event)
    if lines:
        house = replace(house, booked=())
    changed = lines or house.players != before.players
    after = Folded(
        house,
        learnt(game, before, folded.known, event),
        booked(folded.ledger, record, lines),
        record.version if changed else folded.ledger_version,
        folded.opened,
        folded.opened_at,
        record.at,
    )
    gained = lines or house.winners != before.winners
    return after, Step(record, before, house, lines) if gained else None


def fold(reader: Reader, records: Sequence[Recorded], folded: Folded | None = None) -> Folded | None:
    """The table after these events of it, which follow on `folded`. Raises GapInLog, UnknownEvent."""
    check_versions(records, folded.house.version if folded else 0)
    newest = _newest(records)
    for record in records:
        folded, _ = follow(reader, folded, record, newest.get(record.table, 0))
    return folded


def _newest(records: Iterable[Recorded]) -> dict[str, int]:
    """By table, the last deal that begins in these records."""
    return {record.table: record.deal for record in records if record.type == CardsDealt.TYPE and record.deal}


def _passed(table: Table, event: Event[Payload]) -> Table:
    """The table after an event of a deal that nobody looks at any more, the play left as it was before."""
    texts = (*table.texts, event.version) if PUBLIC in event.public.SECTIONS else table.texts
    return replace(table, version=event.version, texts=texts)


def _opened(reader: Reader, record: Recorded, event: Event[Payload]) -> Table:
    first = cast("Event[TableOpened]", event)
    return opened(reader.game(record.game, first.public.rules_version), record.table, first)


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
        newest = _newest(records)
        for number, record in enumerate(records, 1):
            folded = tables.get(record.table)
            check_versions((record,), folded.house.version if folded else 0)
            tables[record.table], step = follow(self._reader, folded, record, newest.get(record.table, 0))
            if step is not None:
                steps.append(step)
            if number % _BREATH == 0:
                await asyncio.sleep(0)
        changes = {table: Change(before[table], after) for table, after in tables.items()}
        return Batch(start, place_of(records[-1]), tuple(steps), changes)

    def keep(self, batch: Batch) -> None:
        """The batch is written: the next one follows on it."""
        for table, change in batch.tables.items():
            if change.after.house.status in FINAL:
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
            if version > 1 and ((known := before[table]) is None or known.house.version != version - 1)
        ]
        for begin in range(0, len(missing), _STREAMS_AT_ONCE):
            some = missing[begin : begin + _STREAMS_AT_ONCE]
            streams = await asyncio.gather(*(self._source.stream(table, 0, version - 1) for table, version in some))
            for (table, _), stream in zip(some, streams, strict=True):
                before[table] = fold(self._reader, stream)
                await asyncio.sleep(0)
        return before
