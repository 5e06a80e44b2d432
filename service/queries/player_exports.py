"""All finished games of a player, as one stream of exports."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from domain.record.catalogue import Unreadable
from domain.seats import PUBLIC
from service.commands.cache import NoSuchTable, Seating
from service.commands.spectators import Spectators
from service.compute.fair_slots import Busy
from service.compute.heavy_reads import HeavyReads, Spending
from service.queries.exports import Export, export_pieces, prepare_export
from service.store.store import Store
from service.transparency import Transparency

PATIENCE_S = 2.0
"""Seconds until a stream that has begun tries again where too much is waiting."""


class PlayerExports:
    """Makes the exports of tables, one after the other, as one caller may see each."""

    def __init__(
        self,
        store: Store,
        transparency: Transparency,
        heavy: HeavyReads,
        spectators: Spectators,
        seating: Seating,
    ) -> None:
        self._store = store
        self._transparency = transparency
        self._heavy = heavy
        self._spectators = spectators
        self._seating = seating

    async def pieces(
        self, tables: AsyncGenerator[str, None], caller: str, spending: Spending
    ) -> AsyncGenerator[bytes, None]:
        """The exports in pieces. Tables that this version cannot read are left out.

        The first piece raises Busy; later ones wait. All raise what `export_pieces` and the source of the tables
        raise; then the last export is incomplete, and the stream may be resumed after the one before.
        """
        begun = False
        async with aclosing(tables):
            async for table in tables:
                export = await self._prepared(table, caller)
                if export is None:
                    continue
                async for piece in self._whole(export, spending, patient=begun):
                    begun = True
                    yield piece

    async def _prepared(self, table: str, caller: str) -> Export | None:
        """The export of a table, if the caller may see that its game is over."""
        try:
            history = await self._spectators.seen(table, caller)
        except (NoSuchTable, Unreadable):
            return None
        if history.table.status != "finished":
            return None
        audience = await self._seating.audience(table, caller) if caller else PUBLIC
        return await prepare_export(self._store, self._transparency, table, audience, history)

    async def _whole(self, export: Export, spending: Spending, *, patient: bool) -> AsyncIterator[bytes]:
        while True:
            pieces = export_pieces(self._heavy, self._transparency, export, spending)
            try:
                first = await anext(pieces)
            except Busy:
                if not patient:
                    raise
                await asyncio.sleep(PATIENCE_S)
                continue
            break
        yield first
        async for piece in pieces:
            yield piece


async def packed(pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The pieces, packed by gzip, each of which can be unpacked when it has come."""
    packer = zlib.compressobj(1, wbits=31)

    def pack(piece: bytes) -> bytes:
        return packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)

    async with aclosing(pieces):
        async for piece in pieces:
            yield await asyncio.to_thread(pack, piece)
    yield packer.flush()
