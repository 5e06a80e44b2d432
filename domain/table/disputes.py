"""Disputed lines, rulings and corrections. A correction reverses what was booked and books again: nothing is edited."""

from collections.abc import Iterable, Sequence
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
    """The lines in MessagePack: every table in memory keeps all of them and hardly ever reads them."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines, in their order."""
        return _lines.decode(self.packed)


_packer = msgspec.msgpack.Encoder()
_lines = msgspec.msgpack.Decoder(tuple[Line, ...])


def booked_by(version: int, deal: int | None, lines: tuple[Line, ...]) -> Booked:
    """The lines that the event of this version and deal booked, packed."""
    return Booked(version, deal, _packer.encode(lines))


class Dispute(Struct, frozen=True, gc=False):
    """A dispute at a table, numbered from 1."""

    dispute: int
    seat: Seat
    lines: tuple[LineAt, ...]
    status: Literal["open", "upheld", "rejected"] = "open"
    corrected: bool = False
    """Whether the ledger was corrected for it."""


def line_at(booked: Iterable[Booked], place: LineAt) -> Line:
    """The line at this place. Raises Rejected if nothing was booked there."""
    for booking in booked:
        if booking.version == place.version and 0 <= place.line < len(booking.lines):
            return booking.lines[place.line]
    raise Rejected(Code.NO_SUCH_LINE, f"event {place.version} has not booked a line {place.line}")


def lines_of_deal(booked: Iterable[Booked], deal: int) -> tuple[LineAt, ...]:
    """All lines that were booked for a deal. Raises Rejected if there are none."""
    bookings = [booking for booking in booked if booking.deal == deal]
    if not bookings:
        raise Rejected(Code.NO_SUCH_LINE, f"nothing was booked for deal {deal}")
    return tuple(LineAt(booking.version, line) for booking in bookings for line in range(len(booking.lines)))


def require_disputable(disputes: Iterable[Dispute], lines: Sequence[LineAt]) -> None:
    """Returns if the lines may be disputed. Raises Rejected if one of them is in dispute or was ruled on."""
    pairs = {_pair(place) for place in lines}
    for dispute in disputes:
        if pairs.isdisjoint(map(_pair, dispute.lines)):
            continue
        if dispute.status == "open":
            raise Rejected(Code.ALREADY_DISPUTED, f"dispute {dispute.dispute} about it is open")
        raise Rejected(Code.ALREADY_RULED, f"dispute {dispute.dispute} about it was {dispute.status}")


def reversals(booked: Sequence[Booked], lines: Sequence[LineAt]) -> tuple[Transfer, ...]:
    """The transfers that take these lines back, each with its counter-line, each pair once.

    Raises Rejected if a line was never booked.
    """
    transfers = []
    for place in dict.fromkeys(map(_pair, lines)):
        line = line_at(booked, place)
        transfers.append(
            Transfer(
                party(line),
                party(line_at(booked, LineAt(place.version, place.line + 1))),
                -line.amount,
                REVERSAL,
                line.rule,
                f"takes back line {place.line} of event {place.version}: {line.text}",
                (place.version,),
            )
        )
    return tuple(transfers)


def transfers_of(lines: Sequence[Line]) -> tuple[Transfer, ...]:
    """The transfers that these lines were booked from, pair by pair. Raises ValueError if one has no counter-line."""
    if len(lines) % 2:
        raise ValueError("a line without its counter-line")
    return tuple(
        Transfer(party(line), party(counter), line.amount, line.kind, line.rule, line.text, line.events)
        for line, counter in zip(lines[::2], lines[1::2], strict=True)
    )


def party(line: Line) -> Party:
    """The account that the line is on: a seat, or the name of the table's account."""
    return line.account if line.seat is None else line.seat


def _pair(place: LineAt) -> LineAt:
    """The first of a line and its counter-line, which are booked one after the other."""
    return LineAt(place.version, place.line - place.line % 2)
