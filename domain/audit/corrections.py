"""The entries that replace disputed lines, from applying the rules again to the recorded play."""

from collections import Counter
from collections.abc import Iterator, Sequence

from domain.kernel.ledger import Line, Transfer
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.actions import Entry
from domain.table.automatic import next_automatic
from domain.table.disputes import Dispute, transfers_of
from domain.table.events import lines_of


def recomputed_entries(reader: Reader, records: Sequence[Recorded], dispute: Dispute) -> tuple[Entry, ...]:
    """The entries to book once the disputed lines are reversed, so that the ledger agrees with the rules.

    An event whose lines already agree with the rules needs no entries. Neither does a correction, which no rules make.
    `records` begin with the table's first event. Raises UnknownEvent.
    """
    entries: list[Entry] = []
    for version in dict.fromkeys(line.version for line in dispute.lines):
        recorded = transfers_of(lines_of(reader.read(records[version - 1]).public))
        computed = transfers_of(_recomputed_lines(reader, records, version))
        if list(map(_amounts, computed)) == list(map(_amounts, recorded)):
            continue
        disputed = {line.line // 2 for line in dispute.lines if line.version == version}
        booked = Counter(_amounts(pair) for number, pair in enumerate(recorded) if number not in disputed)
        entries += _missing(booked, computed)
    return tuple(entries)


def _recomputed_lines(reader: Reader, records: Sequence[Recorded], version: int) -> tuple[Line, ...]:
    """The lines of the automatic event that the rules make at this version; none if the record has another
    event there.
    """
    table = reader.fold(None, records[: version - 1])
    event = None if table is None else next_automatic(reader.of(table), table)
    if event is None or records[version - 1].type != event.public.TYPE:
        return ()
    return lines_of(event.public)


def _amounts(pair: Transfer) -> tuple[object, ...]:
    """The fields of a transfer without its text, equal if two transfers move the same amount for the same reason."""
    return pair.account, pair.counter, pair.amount, pair.kind, pair.rule


def _missing(booked: "Counter[tuple[object, ...]]", computed: Sequence[Transfer]) -> Iterator[Entry]:
    """The computed transfers that are not in the ledger yet."""
    for pair in computed:
        if booked[_amounts(pair)]:
            booked[_amounts(pair)] -= 1
        else:
            yield entry_of(pair)


def entry_of(pair: Transfer) -> Entry:
    """The entry with which an arbiter books this transfer."""
    return Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
