"""Folds the events of a table to rows of the archive. Pure: the follower reads the log, and stores the rows."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.record.catalogue import Unreadable
from domain.record.history import Reader, unreadable
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.events import (
    CardsDealt,
    DealScored,
    DisputeOpened,
    DisputeRuled,
    GameFinished,
    LedgerCorrected,
    TextErased,
)
from domain.table.spectators import follow_late
from domain.table.state import Table
from projections.archive.rows import ArchivedDeal, ArchivedTable, Booking, archived_deal, bookings

OF_DISPUTES = frozenset({DisputeOpened.TYPE, DisputeRuled.TYPE, LedgerCorrected.TYPE})

ARCHIVED = frozenset({DealScored.TYPE, GameFinished.TYPE, TextErased.TYPE, *OF_DISPUTES})
"""The types of events after which the archive has something else of their table."""


class FollowedTable(Struct, frozen=True):
    """A table as the archive has followed it."""

    table: Table
    """The house's fold, with all its booked lines."""
    begun: int = 0
    """The version of the event that dealt the cards of the current or last deal."""
    finished: tuple[str, int] | None = None
    """When its game was finished, and the position of that event."""
    erased: int | None = None
    """The position of the last event that erased words."""

    @property
    def version(self) -> int:
        """The version of the table's last event."""
        return self.table.version


class TableRows(Struct, frozen=True):
    """The rows that follow from some of a table's events."""

    table: ArchivedTable
    deals: Sequence[ArchivedDeal] = ()
    changed: Sequence[Booking] = ()
    """What is booked by now for deals that were scored earlier."""


def fold_table(
    reader: Reader, records: Sequence[Recorded], followed: FollowedTable | None, since: int = 0
) -> tuple[FollowedTable, TableRows]:
    """The table after these events, which continue `followed` (None: they are its first), and its rows.

    No rows come of events up to the position `since`. At a table that spectators follow late, a ruling during a deal
    shows when that deal ends (TL-6.1). Raises Unreadable.
    """
    try:
        return _fold(reader, records, followed, since)
    except Unreadable:
        raise
    except Exception as error:  # a bad record must affect its own table alone
        raise unreadable(records[0].table, error) from error


def _fold(
    reader: Reader, records: Sequence[Recorded], followed: FollowedTable | None, since: int
) -> tuple[FollowedTable, TableRows]:
    table, begun, finished, erased = (None, 0, None, None) if followed is None else msgspec.structs.astuple(followed)
    deals: list[ArchivedDeal] = []
    pending: list[Recorded] = []
    for record in records:
        pending.append(record)
        match record.type:
            case CardsDealt.TYPE:
                begun = record.version
            case GameFinished.TYPE:
                finished = record.at, record.position
            case TextErased.TYPE:
                erased = record.position
            case DealScored.TYPE if record.position > since:
                before = reader.fold(table, pending[:-1])
                table, pending = reader.fold(before, pending[-1:]), []
                deals.append(_deal(reader, before, table, record, begun))
    table = reader.fold(table, pending)
    if table is None:
        raise ValueError("without records there is no table")
    after = FollowedTable(table, begun, finished, erased)
    new = [record for record in records if record.position > since]
    return after, TableRows(_table(after, new[-1].position), deals, _changed(reader, after, new))


def _deal(reader: Reader, before: Table | None, after: Table | None, record: Recorded, begun: int) -> ArchivedDeal:
    scored = reader.read(record, PUBLIC).public
    if before is None or after is None or not isinstance(scored, DealScored):
        raise TypeError(f"{record.type} scores no deal")
    return archived_deal(reader.of(after), before, after, record, scored.outcome, begun)


def _changed(reader: Reader, followed: FollowedTable, records: Sequence[Recorded]) -> Sequence[Booking]:
    """What is booked by now for all scored deals, if disputes may have changed it, and this may be shown."""
    table = followed.table
    late = follow_late(table.table_options)
    if not table.disputes or (late and table.running_deal is not None):
        return ()
    if not late and not any(record.type in OF_DISPUTES for record in records):
        return ()
    return bookings(reader.of(table), table, range(1, table.scored + 1))


def _table(followed: FollowedTable, changed: int) -> ArchivedTable:
    table = followed.table
    at, finished = followed.finished or (None, None)
    return ArchivedTable(
        table_id=table.table,
        game=table.game,
        rules_version=table.rules_version,
        listed=table.table_options.visibility == "public",
        bots=bool(table.opponents),
        players=table.players,
        status=table.status,
        opened_at=table.opened_at,
        finished_at=at,
        finished=finished,
        changed=changed,
        erased=followed.erased,
    )
