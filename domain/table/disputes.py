"""Disputed lines, rulings, and corrections, which reverse what was booked and book anew: nothing is edited."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line, LineAt, Party, Transfer
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat

Ruling: TypeAlias = Literal["upheld", "rejected"]

REVERSAL = "reversal"
"""The kind of line that takes another one back."""


class Booked(Struct, frozen=True, gc=False):
    """The lines that one event booked."""

    version: int
    deal: int | None
    packed: bytes
    """The lines, packed: every table that is played keeps all of them, and hardly ever are they looked at."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines, in their order."""
        return _lines.decode(self.packed)


_packer = msgspec.msgpack.Encoder()
_lines = msgspec.msgpack.Decoder(tuple[Line, ...])


def booked_by(version: int, deal: int | None, lines: tuple[Line, ...]) -> Booked:
    """What the event of this version, of this deal, booked."""
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
    for one in booked:
        if one.version == place.version and 0 <= place.line < len(one.lines):
            return one.lines[place.line]
    raise Rejected(Code.NO_SUCH_LINE, f"event {place.version} has not booked a line {place.line}")


def lines_of_deal(booked: Iterable[Booked], deal: int) -> tuple[LineAt, ...]:
    """All lines that were booked for a deal. Raises Rejected if there are none."""
    found = tuple(LineAt(one.version, line) for one in booked if one.deal == deal for line in range(len(one.lines)))
    if not found:
        raise Rejected(Code.NO_SUCH_LINE, f"nothing was booked for deal {deal}")
    return found


def disputable(disputes: Iterable[Dispute], lines: Sequence[LineAt]) -> None:
    """Returns if the lines may be disputed: none of them is, and none was ruled on. Raises Rejected."""
    pairs = {_pair(place) for place in lines}
    for dispute in disputes:
        if pairs.isdisjoint(map(_pair, dispute.lines)):
            continue
        if dispute.status == "open":
            raise Rejected(Code.ALREADY_DISPUTED, f"dispute {dispute.dispute} about it is open")
        raise Rejected(Code.ALREADY_RULED, f"dispute {dispute.dispute} about it was {dispute.status}")


def reversals(booked: Sequence[Booked], lines: Sequence[LineAt]) -> tuple[Transfer, ...]:
    """What takes these lines back, each with its counter-line, each pair once."""
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


def anew(lines: Sequence[Line]) -> tuple[Transfer, ...]:
    """The transfers that these lines are booked from, pair by pair. Raises ValueError where they are no pairs."""
    if len(lines) % 2:
        raise ValueError("a line without its counter-line")
    return tuple(
        Transfer(party(own), party(other), own.amount, own.kind, own.rule, own.text, own.events)
        for own, other in zip(lines[::2], lines[1::2], strict=True)
    )


def party(line: Line) -> Party:
    """Whose account the line is on."""
    return line.account if line.seat is None else line.seat


def _pair(place: LineAt) -> LineAt:
    """The first of a line and its counter-line, which are booked one after the other."""
    return LineAt(place.version, place.line - place.line % 2)
