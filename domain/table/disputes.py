"""Disputed lines, rulings and corrections. A correction reverses lines and books others: nothing is edited."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line, LineAt, Party, Transfer
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat

Ruling: TypeAlias = Literal["upheld", "rejected"]

REVERSAL = "reversal"
"""The kind of a line that takes another line back."""


class Booked(Struct, frozen=True, gc=False):
    """The lines that one event booked."""

    version: int
    deal: int | None
    packed: bytes
    """The lines in MessagePack, since every table in memory keeps them all and hardly ever reads them."""
    reverses: tuple[LineAt, ...] = ()
    """The lines that its first pairs take back: of each reversed pair, the line that was booked for the same deal."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines, in their order."""
        return _lines.decode(self.packed)


_packer = msgspec.msgpack.Encoder()
_lines = msgspec.msgpack.Decoder(tuple[Line, ...])


def booked_by(version: int, deal: int | None, lines: tuple[Line, ...], reverses: tuple[LineAt, ...] = ()) -> Booked:
    """The lines of the event of this version and deal, packed; `reverses` are the lines that they take back."""
    return Booked(version, deal, _packer.encode(lines), reverses)


def pairs(lines: Iterable[LineAt]) -> tuple[LineAt, ...]:
    """The first line of each pair of a line and its counter-line; each pair once."""
    return tuple(dict.fromkeys(map(_pair, lines)))


class Dispute(Struct, frozen=True, gc=False):
    """A dispute at a table, numbered from 1."""

    dispute: int
    seat: Seat
    lines: tuple[LineAt, ...]
    status: Literal["open", "upheld", "rejected"] = "open"
    corrected: bool = False
    """Whether the ledger was corrected for the dispute."""


def line_at(booked: Iterable[Booked], at: LineAt) -> Line:
    """The line that was booked there. Raises Rejected if there is none."""
    lines = _lines_of(booked, at.version)
    if 0 <= at.line < len(lines):
        return lines[at.line]
    raise Rejected(Code.NO_SUCH_LINE, f"event {at.version} has not booked a line {at.line}")


def lines_of_deal(booked: Iterable[Booked], deal: int) -> tuple[LineAt, ...]:
    """All lines that were booked for a deal. Raises Rejected if there are none."""
    bookings = [booking for booking in booked if booking.deal == deal]
    if not bookings:
        raise Rejected(Code.NO_SUCH_LINE, f"nothing was booked for deal {deal}")
    return tuple(LineAt(booking.version, line) for booking in bookings for line in range(len(booking.lines)))


def with_twins(
    booked: Sequence[Booked], lines: Sequence[LineAt], side_of: Callable[[Seat], Sequence[Seat]]
) -> tuple[LineAt, ...]:
    """These booked lines, followed by their twins, so that a side's players get the same lines corrected.

    `side_of` gives the seats of a seat's side. A line's twin is the line on a partner's account from the same event, of
    the same kind, rule and amount; among several such lines, the first belongs to the first, and so on. A line and its
    counter-line are disputed together, so the counter-line's twins are included too.
    """
    taken = list(pairs(lines))
    named = len(taken)
    for pair in taken:  # grows by the twins, whose counter-lines may have other twins
        together = _lines_of(booked, pair.version)
        for index in (pair.line, pair.line + 1):
            twins = [_pair(LineAt(pair.version, twin)) for twin in _twins(together, index, side_of)]
            taken += [twin for twin in twins if twin not in taken]
    return (*lines, *taken[named:])


def _twins(lines: Sequence[Line], index: int, side_of: Callable[[Seat], Sequence[Seat]]) -> Iterator[int]:
    """The indexes, among the lines of one event, of the twins of the line with this index."""
    line = lines[index]
    if line.seat is None:
        return

    def alike(seat: Seat) -> list[int]:
        wanted = seat, line.kind, line.rule, line.amount
        return [n for n, other in enumerate(lines) if (other.seat, other.kind, other.rule, other.amount) == wanted]

    number = alike(line.seat).index(index)
    for seat in side_of(line.seat):
        if seat != line.seat:
            yield from alike(seat)[number : number + 1]


def require_disputable(disputes: Iterable[Dispute], lines: Sequence[LineAt]) -> None:
    """Checks that the lines may be disputed. Raises Rejected if one of them is in dispute or was ruled on."""
    named = set(pairs(lines))
    for dispute in disputes:
        if named.isdisjoint(map(_pair, dispute.lines)):
            continue
        if dispute.status == "open":
            raise Rejected(Code.ALREADY_DISPUTED, f"dispute {dispute.dispute} about it is open")
        raise Rejected(Code.ALREADY_RULED, f"dispute {dispute.dispute} about it was {dispute.status}")


def reversals(booked: Sequence[Booked], lines: Sequence[LineAt], ruling: int) -> tuple[Transfer, ...]:
    """The transfers that take these lines back, each with its counter-line, each pair once.

    They cite the events that booked the lines, and the ruling, the event of that version. Raises Rejected if a line was
    never booked.
    """
    transfers = []
    for at in pairs(lines):
        line = line_at(booked, at)
        transfers.append(
            Transfer(
                party(line),
                party(line_at(booked, LineAt(at.version, at.line + 1))),
                -line.amount,
                REVERSAL,
                line.rule,
                f"Lines {at.line} and {at.line + 1} of event {at.version} taken back: {line.text}",
                (at.version, ruling),
            )
        )
    return tuple(transfers)


def transfers_of(lines: Sequence[Line]) -> tuple[Transfer, ...]:
    """The transfers from which these lines were booked, pair by pair. Raises ValueError if a line has no
    counter-line.
    """
    if len(lines) % 2:
        raise ValueError("a line without its counter-line")
    return tuple(
        Transfer(party(line), party(counter), line.amount, line.kind, line.rule, line.text, line.events)
        for line, counter in zip(lines[::2], lines[1::2], strict=True)
    )


def party(line: Line) -> Party:
    """The account of the line: a seat, or the name of the table's account."""
    return line.account if line.seat is None else line.seat


def _lines_of(booked: Iterable[Booked], version: int) -> tuple[Line, ...]:
    """The lines that the event of this version booked."""
    return next((booking.lines for booking in booked if booking.version == version), ())


def _pair(line: LineAt) -> LineAt:
    """The first line of the pair: a line and its counter-line are booked one after the other."""
    return LineAt(line.version, line.line - line.line % 2)
