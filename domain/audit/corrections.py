"""What should have been booked instead of disputed lines: the rules applied again to what was played."""

from collections import Counter
from collections.abc import Iterator, Sequence

from domain.kernel.ledger import Line, Transfer
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.actions import Entry
from domain.table.decide import next_automatic
from domain.table.disputes import Dispute, anew
from domain.table.events import lines_of


def recomputed_entries(reader: Reader, records: Sequence[Recorded], dispute: Dispute) -> tuple[Entry, ...]:
    """What is to be booked where the disputed lines are taken back, for the deal to be as the rules make it.

    Nothing where an event booked what the rules make it book, for then there is nothing to book but the same again;
    nor for what a correction booked, which no rules make. `records` are the table's from its first event on.
    """
    entries: list[Entry] = []
    for version in dict.fromkeys(place.version for place in dispute.lines):
        recorded = anew(lines_of(reader.read(records[version - 1]).public))
        computed = anew(_due(reader, records, version))
        if list(map(_amounts, computed)) == list(map(_amounts, recorded)):
            continue
        disputed = {place.line // 2 for place in dispute.lines if place.version == version}
        standing = Counter(_amounts(pair) for number, pair in enumerate(recorded) if number not in disputed)
        entries += _beside(standing, computed)
    return tuple(entries)


def _due(reader: Reader, records: Sequence[Recorded], version: int) -> tuple[Line, ...]:
    """What follows by itself at this version, by the rules in force: the lines that it books."""
    table = reader.fold(None, records[: version - 1])
    event = None if table is None else next_automatic(reader.of(table), table)
    if event is None or records[version - 1].type != event.public.TYPE:
        return ()
    return lines_of(event.public)


def _amounts(pair: Transfer) -> tuple[object, ...]:
    """What two bookings have in common where they move the same for the same reason, however that is put in words."""
    return pair.account, pair.counter, pair.amount, pair.kind, pair.rule


def _beside(standing: "Counter[tuple[object, ...]]", computed: Sequence[Transfer]) -> Iterator[Entry]:
    """Those that do not stand there already."""
    for pair in computed:
        if standing[_amounts(pair)]:
            standing[_amounts(pair)] -= 1
        else:
            yield Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
