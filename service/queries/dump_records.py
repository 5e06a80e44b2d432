"""Makes dumps: the records of all games that were finished in a month at tables that lists show, as the public sees
them.

The lines follow from the log up to one checkpoint, the signing key, and which words are erased. The checkpoint is the
first one that covers the last event which changed any of the tables. So as long as none is changed, a dump is made with
the same lines, however long the log has become.
"""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from domain.seats import PUBLIC
from projections.rebuild import Progress
from service.compute.heavy_reads import HeavyReads, Spending
from service.queries.dump_files import DumpManifest, DumpWriter
from service.queries.exports import ErasedFromExport, export_at, export_pieces
from service.queries.finished_games import FinishedGames
from service.store.store import Store
from service.transparency import Checkpoint, Transparency

STALL_S, POLL_S = 60.0, 0.2
"""Seconds for which an archive that does not come closer to the log is waited for, and between two looks at it."""


class ArchiveBehind(Exception):
    """The archive does not come closer to the log."""


class ErasedSince(Exception):
    """Words were erased at a table after the dump's checkpoint, up to a position of the log, which is the argument."""


class DumpPlan(Struct, frozen=True):
    """The tables of a dump, in its order, and the checkpoint up to which their records go."""

    tables: Sequence[str]
    checkpoint: Checkpoint


class Dumps:
    """Makes dumps. Its methods raise StoreUnavailable, NoKey and LogAltered."""

    def __init__(
        self, games: FinishedGames, store: Store, transparency: Transparency, reader: Reader, heavy: HeavyReads
    ) -> None:
        self._games = games
        self._store = store
        self._transparency = transparency
        self._reader = reader
        self._heavy = heavy
        self._spending = Spending(())

    async def plan(self, month: str, least: int = 0) -> DumpPlan:
        """The dump of a month, once the archive has come to its checkpoint and to the position `least` of the log.
        Raises ArchiveBehind.
        """
        reached, since = -1, time.monotonic()
        while True:
            found = await self._games.of_month(month, self._spending)
            checkpoint = await self._transparency.covering(found.changed) if found.changed else None
            checkpoint = checkpoint or await self._transparency.sign_checkpoint(found.changed)
            wanted = max(checkpoint.size, least)
            if found.position >= wanted:
                return DumpPlan(found.tables, checkpoint)
            if found.position > reached:
                reached, since = found.position, time.monotonic()
            elif time.monotonic() - since > STALL_S:
                raise ArchiveBehind(f"the archive is at {found.position} of {wanted} events of the log")
            await asyncio.sleep(POLL_S)

    async def write(
        self, month: str, folder: Path, licence: str | None, progress: Progress
    ) -> tuple[DumpManifest, int]:
        """Writes the dump of a month, as YYYY-MM, into the folder.

        Returns the manifest, and how many tables were left out since this version cannot read their records. Raises
        ArchiveBehind, and OSError.
        """
        least = 0
        while True:
            plan = await self.plan(month, least)
            try:
                return await self._written(plan, month, folder, licence, progress)
            except ErasedSince as error:
                # A record without words needs the event that says so, which a later checkpoint covers.
                (least,) = error.args

    async def _written(
        self, plan: DumpPlan, month: str, folder: Path, licence: str | None, progress: Progress
    ) -> tuple[DumpManifest, int]:
        left_out = 0
        with DumpWriter(folder, month) as writer:
            for done, table in enumerate(plan.tables, 1):
                record = await self._record(table, plan.checkpoint)
                if record is None:
                    left_out += 1
                else:
                    await asyncio.to_thread(writer.add, record)
                progress(done, len(plan.tables))
            keys = tuple([str(key.verifier) for key in await self._transparency.keys()])
            return writer.put(plan.checkpoint.size, plan.checkpoint.note, keys, licence), left_out

    async def _record(self, table: str, checkpoint: Checkpoint) -> bytes | None:
        while True:
            records = await self._store.stream(table)
            try:
                now = self._reader.history(records)
                then = self._reader.history([record for record in records if record.position <= checkpoint.size])
            except Unreadable:
                return None
            if now is None or then is None:
                return None
            if not {*then.table.texts} <= {*now.table.texts}:
                raise ErasedSince(records[-1].position)
            export = await export_at(self._transparency, table, PUBLIC, then, checkpoint)
            pieces = export_pieces(self._heavy, self._transparency, export, self._spending)
            try:
                return b"".join([piece async for piece in pieces])
            except ErasedFromExport:
                # Erased since the events were read.
                continue
