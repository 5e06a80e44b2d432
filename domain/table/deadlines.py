"""The deadlines of a table: the seats' clocks, the game's own time limit, and the time for the table to fill.

Each deadline is an absolute time, with the command by which the clock records its consequence. A command is refused
before its time, and once its deadline no longer applies. So a process that handles deadlines needs no memory: when a
table's first deadline comes, it sends the command, and reads the table again whether or not the command succeeded.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.kernel.game import Game, Timer
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat
from domain.table.actions import ActFor, ExpireTable, RunOut
from domain.table.clock import micros, written
from domain.table.options import DAY
from domain.table.rules import EXPIRY, RUNNING_OUT
from domain.table.state import Table, seats_due

EXPIRES_AFTER_S = 7 * DAY
"""The seconds after which a table whose game has not started expires (TL-1.3)."""


class Deadline(Struct, frozen=True, gc=False):
    """A time at which something happens unless another event comes before."""

    at: str
    """The first moment at which it may happen: RFC 3339, UTC, with microseconds."""
    command: RunOut | ActFor | ExpireTable
    """The command by which the clock records the consequence."""
    seat: Seat | None
    """The seat whose time expires; None for a limit of no seat."""
    rule: str


def timer_of(game: Game, table: Table) -> Timer | None:
    """The time limit of the game's rules that runs at the table; None if none runs."""
    return None if table.running_deal is None else game.decider.timer(table.deal_state)


def deadlines(game: Game, table: Table) -> tuple[Deadline, ...]:
    """All deadlines of the table, in no order, from the fold of any audience."""
    return tuple(_deadlines(game, table))


def deadline_of(game: Game, table: Table) -> Deadline | None:
    """The table's first deadline; None if it has none. At the same moment, the game's own limit comes first."""
    return min(_deadlines(game, table), key=lambda deadline: deadline.at, default=None)


def require_due(game: Game, table: Table, command: RunOut | ActFor | ExpireTable, at: str) -> Deadline:
    """The deadline of the command. Raises Rejected if there is none, or if it is later than the time `at`.

    Without `at`, the time is not checked.
    """
    due = next((deadline for deadline in _deadlines(game, table) if deadline.command == command), None)
    if due is None:
        raise Rejected(Code.WRONG_PHASE, _missing(command))
    if at and at < due.at:
        raise Rejected(Code.WRONG_PHASE, f"the time runs out at {due.at}", due.rule)
    return due


def _deadlines(game: Game, table: Table) -> Iterator[Deadline]:
    timing = table.timing
    if table.status == "open":
        if table.opened_at:
            expiry = written(micros(table.opened_at) + EXPIRES_AFTER_S * 1_000_000)
            yield Deadline(expiry, ExpireTable(), None, EXPIRY)
    elif table.status == "playing" and timing is not None:
        timer = timer_of(game, table)
        if timer is not None:
            at = written(timing.time_of(timer.since) + timer.seconds * 1_000_000)
            yield Deadline(at, RunOut(timer.since), None, timer.rule)
        if timing.clock is not None:
            for seat in seats_due(game, table):
                ends = timing.ends(seat)
                if ends is not None:
                    yield Deadline(written(ends), ActFor(seat), seat, RUNNING_OUT)


def _missing(command: RunOut | ActFor | ExpireTable) -> str:
    match command:
        case RunOut():
            return f"no time limit counts from event {command.since}"
        case ActFor():
            return f"no time runs for seat {command.seat}"
        case ExpireTable():
            return "the table does not wait for players"
