"""Rows of the log and `Recorded` events, in both directions; and the times of both.

Postgres keeps microseconds, so a time comes back as the text that went in.
"""

from typing import TYPE_CHECKING

from domain.record.recorded import Recorded

if TYPE_CHECKING:
    from asyncpg import Record

COLUMNS = """
    table_id::text, game, version, deal, type, schema,
    to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    actor, action::text, public, seals, sealed, hash, position
"""
"""What `recorded` reads, for a SELECT from `codille.event`: the fields of `Recorded` in their order."""


def recorded(row: "Record") -> Recorded:
    """One row of `COLUMNS` as an event."""
    return Recorded(*row)
