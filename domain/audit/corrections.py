"""What the rules book instead of disputed lines, from applying them again to the recorded play."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from domain.kernel.ledger import Line, LineAt, Transfer
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.actions import Entry
from domain.table.automatic import next_automatic
from domain.table.disputes import Dispute, transfers_of
from domain.table.events import lines_of


def recomputed_entries(reader: Reader, records: Sequence[Recorded], dispute: Dispute) -> tuple[Entry, ...]:
    """The entries to book once the disputed lines are reversed, so that the ledger agrees with the rules.

    An event whose lines already agree with the rules needs no entries. Neither does a correction,
    which an arbiter makes.
    `records` begin with the table's first event. Raises UnknownEvent.
    """
    entries: list[Entry] = []
    for booking in disputed_bookings(reader, records, dispute):
        if list(map(_amounts, booking.computed)) != list(map(_amounts, booking.recorded)):
            entries += map(entry_of, booking.due)
    return tuple(entries)


def confirmed_lines(
    reader: Reader, records: Sequence[Recorded], dispute: Dispute, entries: Sequence[Entry]
) -> tuple[LineAt, ...]:
    """The disputed lines that the rules book too, without those that the entries book again; of each pair, the first.

    `records` begin with the table's first event. Raises UnknownEvent.
    """
    again = Counter(map(_amounts, entries))
    confirmed = []
    for booking in disputed_bookings(reader, records, dispute):
        for number in booking.confirmed:
            amounts = _amounts(booking.recorded[number])
            if again[amounts]:
                again[amounts] -= 1
            else:
                confirmed.append(LineAt(booking.version, 2 * number))
    return tuple(confirmed)


class DisputedBooking(Struct, frozen=True):
    """The transfers that one event booked, those that the rules book there, and the numbers of the disputed ones."""

    version: int
    recorded: Sequence[Transfer]
    computed: Sequence[Transfer]
    disputed: frozenset[int]

    @property
    def due(self) -> tuple[Transfer, ...]:
        """The computed transfers that are not in the ledger once the disputed ones are taken back."""
        kept = [pair for number, pair in enumerate(self.recorded) if number not in self.disputed]
        return tuple(_without(self.computed, kept))

    @property
    def confirmed(self) -> tuple[int, ...]:
        """The numbers of the disputed transfers that the rules book too."""
        due = Counter(map(_amounts, self.due))
        confirmed = []
        for number in sorted(self.disputed):
            amounts = _amounts(self.recorded[number])
            if due[amounts]:
                due[amounts] -= 1
                confirmed.append(number)
        return tuple(confirmed)

    @property
    def instead(self) -> tuple[Transfer, ...]:
        """The transfers that the rules book instead of the disputed ones that they do not book."""
        return tuple(_without(self.due, [self.recorded[number] for number in self.confirmed]))


def _without(pairs: Iterable[Transfer], others: Iterable[Transfer]) -> Iterator[Transfer]:
    """The transfers without one for each of the others."""
    left = Counter(map(_amounts, others))
    for pair in pairs:
        if left[_amounts(pair)]:
            left[_amounts(pair)] -= 1
        else:
            yield pair


def disputed_bookings(reader: Reader, records: Sequence[Recorded], dispute: Dispute) -> Iterator[DisputedBooking]:
    """What is disputed, by the event that booked it. `records` begin with the table's first event.

    Raises UnknownEvent.
    """
    for version in dict.fromkeys(line.version for line in dispute.lines):
        yield DisputedBooking(
            version,
            transfers_of(lines_of(reader.read(records[version - 1]).public)),
            transfers_of(_recomputed_lines(reader, records, version)),
            frozenset(line.line // 2 for line in dispute.lines if line.version == version),
        )


def _recomputed_lines(reader: Reader, records: Sequence[Recorded], version: int) -> tuple[Line, ...]:
    """The lines of the automatic event that the rules make at this version; none if the record has another
    event there.
    """
    table = reader.fold(None, records[: version - 1])
    event = next_automatic(reader.of(table), table)
    if event is None or records[version - 1].type != event.public.TYPE:
        return ()
    return lines_of(event.public)


def _amounts(pair: Transfer | Entry) -> tuple[object, ...]:
    """The fields of a transfer without its text, equal if two transfers move the same amount for the same reason."""
    return pair.account, pair.counter, pair.amount, pair.kind, pair.rule


def entry_of(pair: Transfer) -> Entry:
    """The entry with which an arbiter books this transfer."""
    return Entry(pair.account, pair.counter, pair.amount, pair.kind, pair.rule, pair.text)
