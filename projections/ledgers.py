"""The ledger of a table as JSON: every booked line, and the balances that the lines sum to."""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.kernel.ledger import PLAYER, Line
from domain.seats import Seat
from domain.table.state import Table

_encoder = msgspec.json.Encoder()

Lines: TypeAlias = bytes
"""A table's lines as JSON, in the order of booking, with a comma between two."""


class AccountBalance(Struct, frozen=True):
    """The balance of one account of a table."""

    account: str
    seat: Seat | None
    balance: int


class BookedLine(Line, frozen=True):
    """A line as served, with the version of the event that booked it and the deal it belongs to."""

    version: int
    deal: int | None


def encoded(lines: Iterable[Line], *, version: int, deal: int | None) -> Lines:
    """The lines that the event of this version, of this deal, booked."""
    booked = (BookedLine(**msgspec.structs.asdict(line), version=version, deal=deal) for line in lines)
    return b",".join(map(_encoder.encode, booked))


def joined(parts: Iterable[Lines]) -> Lines:
    """The lines of all the parts, some of which may have none."""
    return b",".join(filter(None, parts))


def stored_ledger(lines: Lines, table: Table, unit: str) -> bytes:
    """The ledger as it is stored, in the game's unit: without its version, which every event of the table changes.

    Seated players have a balance from the beginning, the table's own accounts once a line is booked there.
    """
    players = [
        AccountBalance(PLAYER + player, seat, balance)
        for seat, (player, balance) in enumerate(zip(table.players, table.totals, strict=True))
        if player is not None
    ]
    others = [AccountBalance(str(account), None, balance) for account, balance in sorted(table.accounts.items())]
    return b'"unit":"%b","balances":%b,"lines":[%b]}' % (unit.encode(), _encoder.encode(players + others), lines)


def served_ledger(version: int, stored: bytes) -> bytes:
    """The ledger's JSON at a version of its table, from what is stored."""
    return b'{"version":%d,%b' % (version, stored)


def ledger_of(table: Table, unit: str) -> bytes:
    """The ledger's JSON of a table that is folded with all its lines."""
    lines = joined(encoded(booked.lines, version=booked.version, deal=booked.deal) for booked in table.booked)
    return served_ledger(table.version, stored_ledger(lines, table, unit))
