"""Ledgers: every booked line of a table, and the balances they sum to."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from domain.kernel.ledger import Line
from domain.kernel.record import Recorded
from domain.kernel.seats import Seat

PLAYER = "player:"
"""What the account of a player begins with."""

_encoder = msgspec.json.Encoder()


class Ledger(Struct, frozen=True):
    """The lines as they are served, in the order of booking, and the balance of each account that has any."""

    lines: tuple[bytes, ...] = ()
    balances: Mapping[str, int] = {}


class Balance(Struct, frozen=True):
    """What an account of a table has come to."""

    account: str
    seat: Seat | None
    balance: int


class BookedLine(Line, frozen=True):
    """A line as served, with the version of the event that booked it and the deal it belongs to."""

    version: int
    deal: int | None


def booked(ledger: Ledger, record: Recorded, lines: tuple[Line, ...]) -> Ledger:
    """The ledger with the lines of this event; the same ledger if there are none."""
    if not lines:
        return ledger
    balances = dict(ledger.balances)
    for line in lines:
        balances[line.account] = balances.get(line.account, 0) + line.amount
    return Ledger(ledger.lines + tuple(_served(line, record) for line in lines), balances)


def _served(line: Line, record: Recorded) -> bytes:
    return _encoder.encode(BookedLine(**msgspec.structs.asdict(line), version=record.version, deal=record.deal))


def stored(ledger: Ledger, players: tuple[str | None, ...], unit: str) -> bytes:
    """The ledger, in the game's unit, as it is stored: without the version, which every event of the table changes.

    Seated players have a balance from the beginning, the table's own accounts once something was booked there.
    """
    balances = [
        Balance(account, seat, ledger.balances.get(account, 0))
        for seat, player in enumerate(players)
        if player is not None
        for account in (PLAYER + player,)
    ]
    seated = {balance.account for balance in balances}
    others = (Balance(account, None, ledger.balances[account]) for account in sorted(ledger.balances.keys() - seated))
    encoded = _encoder.encode([*balances, *others])
    return b'"unit":"%b","balances":%b,"lines":[%b]}' % (unit.encode(), encoded, b",".join(ledger.lines))


def served(version: int, stored: bytes) -> bytes:
    """The ledger's JSON at a version of its table."""
    return b'{"version":%d,%b' % (version, stored)
