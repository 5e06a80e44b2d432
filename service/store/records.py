"""Rows of the log as `Recorded` events, and the log's end.

Times are read as text in microseconds, so that they equal the text that was written.
"""

from asyncpg import Record

from domain.record.recorded import Recorded

COLUMNS = """
    table_id::text, game, version, deal, type, schema,
    to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor, action::text, public, seals, sealed, hash, position
"""
"""The columns of `codille.event` for `recorded`: the fields of `Recorded`, in order."""


END = "SELECT position FROM codille.log WHERE shard = 0"
"""The query for the log's last position."""


def recorded(row: Record) -> Recorded:
    """The event in a row of `COLUMNS`."""
    return Recorded(*row)
