"""The archive in Postgres as what keeps it writes it: a batch of rows with its checkpoint, in one transaction."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.recorded import Recorded
from projections.archive.rows import ArchivedDeal, ArchivedTable, Booking
from projections.checkpoint import LogPoint
from service.store.database import Database
from service.store.records import COLUMNS, recorded


class ArchiveCheckpoint(Struct, frozen=True):
    """How far the log is folded into the archive."""

    point: LogPoint
    fold: int
    """The version of the fold by which the rows were made; 0 before any."""


class ArchiveBatch(Struct, frozen=True):
    """The rows that follow from some events of the log."""

    tables: Sequence[ArchivedTable]
    deals: Sequence[ArchivedDeal]
    bookings: Sequence[Booking]
    aside: Mapping[str, str]
    """The tables that are set aside from now on, since their records cannot be read, with the reasons."""


_CHECKPOINT = "SELECT position, hash, fold FROM archive.checkpoint"
_ASIDE = "SELECT table_id::text FROM archive.aside"
_TYPES_BETWEEN = """
    SELECT table_id::text, max(version) FROM codille.event
    WHERE position > $1 AND position <= $2 AND type = ANY ($3::text[]) GROUP BY 1
"""
_STREAMS = f"""
    SELECT {COLUMNS} FROM codille.event
    JOIN unnest($1::uuid[], $2::int[], $3::int[]) AS wanted (id, after, upto)
        ON table_id = id AND version > after AND version <= upto
    ORDER BY table_id, version
"""  # noqa: S608 (no input in it)


class ArchiveStore:
    """Reads and writes the archive's rows. Every method raises StoreUnavailable on an outage or a timeout."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def checkpoint(self) -> ArchiveCheckpoint:
        """How far the archive is."""
        ((position, digest, fold),) = await self._database.fetch(_CHECKPOINT)
        return ArchiveCheckpoint(LogPoint(position, digest), fold)

    async def aside(self) -> set[str]:
        """The tables that were set aside."""
        return {table for (table,) in await self._database.fetch(_ASIDE)}

    async def advance(self, after: LogPoint, fold: int, upto: LogPoint, batch: ArchiveBatch) -> bool:
        """Writes a batch, and moves the checkpoint from one point to another; False if it is not there any more."""
        aside = [{"table_id": table, "reason": reason} for table, reason in batch.aside.items()]
        rows = map(_json, (batch.tables, batch.deals, batch.bookings, aside))
        points = after.position, after.hash, fold, upto.position, upto.hash
        ((advanced,),) = await self._database.call("archive.advance_archive", *points, *rows)
        return bool(advanced)

    async def restart(self, at: LogPoint, fold: int, complete: int) -> bool:
        """Empties the archive, to be built by this version of the fold; it lacks deals until it is at `complete`.

        False if its checkpoint is not `at` any more, or if a later version of the fold made it.
        """
        ((restarted,),) = await self._database.call("archive.restart_archive", at.position, at.hash, fold, complete)
        return bool(restarted)

    async def last_versions(self, after: int, upto: int, types: Collection[str]) -> dict[str, int]:
        """By table, the last version of its events of these types after a position of the log up to another."""
        return dict(map(tuple, await self._database.fetch(_TYPES_BETWEEN, after, upto, list(types))))

    async def streams(self, wanted: Sequence[tuple[str, int, int]]) -> dict[str, list[Recorded]]:
        """The events of tables, each with the version after which they are read, and the last one."""
        tables, after, upto = map(list, zip(*wanted, strict=True))
        streams: dict[str, list[Recorded]] = {table: [] for table, *_ in wanted}
        for row in await self._database.fetch(_STREAMS, tables, after, upto):
            record = recorded(row)
            streams[record.table].append(record)
        return streams


def _json(rows: Any) -> str:
    return msgspec.json.encode(rows).decode()
