"""The ledger of a table as JSON: every booked line, and the balances that the lines sum to."""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.kernel.ledger import PLAYER, Line, LineAt
from domain.seats import Seat
from domain.table.disputes import Booked
from domain.table.state import Table

_encoder = msgspec.json.Encoder()

Lines: TypeAlias = bytes
"""A table's lines as JSON, in the order of booking, with a comma between two."""


class Balance(Struct, frozen=True):
    """An account's balance at a table. `seat` is null for the table's own accounts."""

    account: str
    seat: Seat | None
    balance: Annotated[int, Meta(description="The sum of the account's lines.")]


class BookedLine(Line, frozen=True):
    """A line as served, with its place, as a dispute names it, and the deal it belongs to.

    In the record, a line that takes another back belongs to no deal. Here it belongs to the deal of that other line.
    """

    version: int
    line: int
    deal: int | None


class _Origin(Struct, frozen=True):
    """The event that booked a line, and the deal that the line belongs to."""

    version: int
    deal: int | None


class _Ledger(Struct, frozen=True):
    lines: tuple[BookedLine, ...]


_ledger = msgspec.json.Decoder(_Ledger)
_origins = msgspec.json.Decoder(list[_Origin])


def deals_of(booked: Booked, before: Sequence[Lines]) -> tuple[int | None, ...]:
    """The deal that each of the booked lines belongs to: the event's, or that of the line it takes back.

    `before` are the table's lines before them.
    """
    lines = len(booked.lines)
    if not booked.reverses:
        return (booked.deal,) * lines
    deals: dict[int, list[int | None]] = {}
    for origin in _origins.decode(b"[%b]" % joined(before)):
        deals.setdefault(origin.version, []).append(origin.deal)

    def deal_at(line: LineAt) -> int | None:
        of_event = deals.get(line.version, [])
        return of_event[line.line] if line.line < len(of_event) else booked.deal

    taken_back = [deal_at(line) for line in booked.reverses for _ in range(2)]
    return (*taken_back, *(booked.deal,) * (lines - len(taken_back)))[:lines]


def encoded(booked: Booked, deals: Sequence[int | None]) -> Lines:
    """The lines that an event booked, each with its deal."""
    lines = (
        BookedLine(**msgspec.structs.asdict(line), version=booked.version, line=number, deal=deal)
        for number, (line, deal) in enumerate(zip(booked.lines, deals, strict=True))
    )
    return b",".join(map(_encoder.encode, lines))


def joined(parts: Iterable[Lines]) -> Lines:
    """The lines of all the parts, some of which may be empty."""
    return b",".join(filter(None, parts))


def stored_ledger(lines: Lines, table: Table, unit: str) -> bytes:
    """The ledger as stored, in the game's unit: without its version, which every event of the table changes.

    Seated players have a balance from the beginning, the table's own accounts once a line is booked there.
    """
    players = [
        Balance(PLAYER + player, seat, balance)
        for seat, (player, balance) in enumerate(zip(table.players, table.totals, strict=True))
        if player is not None
    ]
    others = [Balance(str(account), None, balance) for account, balance in sorted(table.accounts.items())]
    return b'"unit":"%b","balances":%b,"lines":[%b]}' % (unit.encode(), _encoder.encode(players + others), lines)


def served_ledger(version: int, stored: bytes) -> bytes:
    """The ledger's JSON at a version of its table, from its stored form."""
    return b'{"version":%d,%b' % (version, stored)


def ledger_of(table: Table, unit: str) -> bytes:
    """The ledger's JSON of a table that is folded with all its lines."""
    parts: list[Lines] = []
    for booked in table.booked:
        parts.append(encoded(booked, deals_of(booked, parts)))
    return served_ledger(table.version, stored_ledger(joined(parts), table, unit))


def ledger_lines(table: Table, unit: str) -> tuple[BookedLine, ...]:
    """The lines, as served, of a table that is folded with all its lines."""
    return _ledger.decode(ledger_of(table, unit)).lines
