"""Ledgers: every booked line of a table, and the balances they sum to."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line
from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.state import Table

PLAYER = "player:"
"""What the account of a player begins with."""

_encoder = msgspec.json.Encoder()


Lines: TypeAlias = bytes
"""A table's lines as they are served, in the order of booking, a comma between two."""


class Balance(Struct, frozen=True):
    """What an account of a table has come to."""

    account: str
    seat: Seat | None
    balance: int


class BookedLine(Line, frozen=True):
    """A line as served, with the version of the event that booked it and the deal it belongs to."""

    version: int
    deal: int | None


def booked(before: Lines, record: Recorded, lines: tuple[Line, ...]) -> Lines:
    """The lines with those of this event."""
    served = b",".join(_served(line, record) for line in lines)
    return b",".join(filter(None, (before, served)))


def _served(line: Line, record: Recorded) -> bytes:
    return _encoder.encode(BookedLine(**msgspec.structs.asdict(line), version=record.version, deal=record.deal))


def stored(lines: Lines, table: Table, unit: str) -> bytes:
    """The ledger, in the game's unit, as it is stored: without the version, which every event of the table changes.

    Seated players have a balance from the beginning, the table's own accounts once something was booked there.
    """
    players = [
        Balance(PLAYER + player, seat, balance)
        for seat, (player, balance) in enumerate(zip(table.players, table.totals, strict=True))
        if player is not None
    ]
    others = [Balance(str(account), None, balance) for account, balance in sorted(table.accounts.items())]
    return b'"unit":"%b","balances":%b,"lines":[%b]}' % (unit.encode(), _encoder.encode(players + others), lines)


def served(version: int, stored: bytes) -> bytes:
    """The ledger's JSON at a version of its table."""
    return b'{"version":%d,%b' % (version, stored)
