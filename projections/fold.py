"""Folding the log: each table once, with what each audience knows of its cards, and its ledger.

The folds of the tables that are played stay in memory, at most `capacity` of them; others are folded anew from the
tables' streams when something happens there.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.ledger import Line
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.events import CardsDealt, lines_of
from domain.table.knowledge import Knowledge, nothing_known, update_knowledge
from domain.table.state import Table, evolve, evolve_between_deals
from projections import ledgers
from projections.checkpoint import Place, place_of
from projections.source import End, Source, check_versions

YIELD_EVERY = 256
"""Records folded, in two or three milliseconds, before others may run in the event loop.

In a busy process it takes them tens of milliseconds until it is the projections' turn again.
"""

_STREAMS_AT_ONCE = 8


class Folded(Struct, frozen=True, gc=False):
    """A table at a version. Of what only the house knows nothing goes to Redis."""

    house: Table
    """The house's fold, without what it booked: the ledger has the lines, in half the memory.

    A view is made of it with what its audience knows, anything else of what all know.
    """
    known: Knowledge
    lines: ledgers.Lines
    ledger_version: int
    """The version of the last event that booked something, or seated or unseated somebody."""
    opened: int
    """The position of the table's first event."""
    opened_at: str
    updated_at: str


class ScoreChange(Struct, frozen=True):
    """One event that booked something or told who won, with the house's folds before and after it."""

    record: Recorded
    before: Table
    after: Table
    lines: tuple[Line, ...]


class TableChange(Struct, frozen=True):
    """What a batch made of a table."""

    before: Folded | None
    """As the read models show it; None if they do not."""
    after: Folded


class Batch(Struct, frozen=True):
    """A piece of the log, folded."""

    start: Place
    end: Place
    score_changes: tuple[ScoreChange, ...]
    """In the order of the log."""
    folded: Mapping[str, Folded]
    """All its tables, after it."""
    changes: Mapping[str, TableChange]
    """Those of them that are to be shown."""


def fold(
    reader: Reader, records: Sequence[Recorded], folded: Folded | None = None, newest: int = 0
) -> tuple[Folded, list[ScoreChange]]:
    """The table after these events of it, at least one, which follow on `folded` (None: from the first).

    Who knows that deal `newest` begins, in these or later events, before anybody looks at the table may say so. What
    was played in earlier deals leaves nothing then: a deal begins from what the table's own events say. Raises
    GapInLog, UnknownEvent.
    """
    check_versions(records, folded.house.version if folded else 0)
    if folded is None:
        folded, records = _opened(reader, records[0]), records[1:]
    house, known, served, ledger_version = folded.house, folded.known, folded.lines, folded.ledger_version
    game = reader.of(house)
    newest = max(newest, _newest(records))
    score_changes: list[ScoreChange] = []
    version, at = house.version, folded.updated_at
    for record in records:
        version, at = record.version, record.at
        before = house
        if (record.deal or newest) < newest:
            if not reader.survives_deal(record):
                continue
            event = reader.read(record, PUBLIC)
            house = evolve_between_deals(game, before, event)
        else:
            event = reader.read(record)
            house = evolve(game, before, event)
            known = update_knowledge(game, before, known, event)
        lines = lines_of(event.public)
        if lines:
            house = replace(house, booked=())
            served = ledgers.joined((served, ledgers.encoded(lines, version=version, deal=record.deal)))
        if lines or house.players != before.players:
            ledger_version = version
        if lines or house.winners != before.winners:
            score_changes.append(ScoreChange(record, before, house, lines))
    if house.version != version:
        house = replace(house, version=version)
    return Folded(house, known, served, ledger_version, folded.opened, folded.opened_at, at), score_changes


def _newest(records: Sequence[Recorded]) -> int:
    """The last deal that begins in these records of a table; 0 if none does."""
    return next((record.deal or 0 for record in reversed(records) if record.type == CardsDealt.TYPE), 0)


def _opened(reader: Reader, record: Recorded) -> Folded:
    house = reader.opened(record)
    known = nothing_known(len(house.players))
    return Folded(house, known, b"", record.version, record.position, record.at, record.at)


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

    async def batch(self, start: Place, records: Sequence[Recorded], ends: Mapping[str, End] | None = None) -> Batch:
        """Folds these events of the log, at least one, which follow on `start`.

        Nothing is to be shown of tables before their `ends`, if these are given. Raises GapInLog, UnknownEvent,
        SourceUnavailable.
        """
        streams: dict[str, list[Recorded]] = {}
        for record in records:
            streams.setdefault(record.table, []).append(record)
        before = await self._before(streams)
        folded: dict[str, Folded] = {}
        changes: dict[str, TableChange] = {}
        score_changes: list[ScoreChange] = []
        since_yield = 0
        for table, stream in streams.items():
            end = ends[table] if ends else None
            after, booking = fold(self._reader, stream, before[table], end.deal if end else 0)
            folded[table] = after
            if end is None:
                changes[table] = TableChange(before[table], after)
            elif end.version <= after.house.version:
                changes[table] = TableChange(None, after)
            score_changes += booking
            since_yield += len(stream)
            if since_yield >= YIELD_EVERY:
                since_yield = 0
                await asyncio.sleep(0)
        score_changes.sort(key=lambda step: step.record.position)
        return Batch(start, place_of(records[-1]), tuple(score_changes), folded, changes)

    def keep(self, batch: Batch) -> None:
        """The batch is written: the next one follows on it."""
        for table, folded in batch.folded.items():
            if folded.house.over:
                self._known.pop(table, None)
            else:
                self._known[table] = folded
                self._known.move_to_end(table)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)

    async def _before(self, streams: Mapping[str, Sequence[Recorded]]) -> dict[str, Folded | None]:
        """The tables of these events as they were before them; None for new ones."""
        before = {table: self._known.get(table) for table in streams}
        missing = [
            (table, stream[0].version)
            for table, stream in streams.items()
            if stream[0].version > 1
            and ((known := before[table]) is None or known.house.version != stream[0].version - 1)
        ]
        for begin in range(0, len(missing), _STREAMS_AT_ONCE):
            some = missing[begin : begin + _STREAMS_AT_ONCE]
            found = await asyncio.gather(*(self._source.stream(table, 0, version - 1) for table, version in some))
            for (table, _), stream in zip(some, found, strict=True):
                before[table], _ = fold(self._reader, stream) if stream else (None, ())
                await asyncio.sleep(0)
        return before
