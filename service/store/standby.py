"""Reads of earlier events from a standby of Postgres, as far as it has them; everything else goes to the primary."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from domain.record.recorded import Recorded
from service.store.database import Database, StoreUnavailable
from service.store.store import Store

T = TypeVar("T")

AWAY_S = 5.0
"""Seconds for which a standby is left alone after a failure."""

CONNECTIONS = 4
"""The most connections of one process to a standby."""


@asynccontextmanager
async def open_reads(primary: Database, standby_url: str | None) -> AsyncIterator[Store]:
    """The log, with reads from a standby if there is one, within the context."""
    if standby_url is None:
        yield Store(primary)
        return
    async with Database(standby_url, connections=CONNECTIONS) as standby:
        yield StandbyStore(primary, standby)


class StandbyStore(Store):
    """The log, of which a table's events up to a version that the caller names are read from a standby that has them.

    The answers are those of the primary, since events never change. Only an erasure may reach the standby later.
    """

    def __init__(self, primary: Database, standby: Database, *, away_s: float = AWAY_S) -> None:
        super().__init__(primary)
        self._primary = Store(primary)
        self._standby = Store(standby)
        self._away_s = away_s
        self._away_until = 0.0

    async def stream(
        self, table: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Recorded]:
        return await self._read(table, upto, lambda store: store.stream(table, after, upto, limit))

    async def stream_of_types(
        self, table: str, types: Sequence[str], after: int, upto: int, limit: int
    ) -> list[Recorded]:
        return await self._read(table, upto, lambda store: store.stream_of_types(table, types, after, upto, limit))

    async def positions(self, table: str, after: int, upto: int) -> list[int]:
        return await self._read(table, upto, lambda store: store.positions(table, after, upto))

    async def outline(self, table: str, passing: Sequence[str], upto: int | None = None) -> list[Recorded]:
        return await self._read(table, upto, lambda store: store.outline(table, passing, upto))

    async def deal_start(self, table: str, version: int) -> int:
        return await self._read(table, version, lambda store: store.deal_start(table, version))

    async def last_deal(self, table: str, version: int) -> int:
        return await self._read(table, version, lambda store: store.last_deal(table, version))

    async def _read(self, table: str, upto: int | None, read: Callable[[Store], Awaitable[T]]) -> T:
        """What the standby answers if it has the table's events up to this version, otherwise the primary."""
        if upto is not None and time.monotonic() >= self._away_until:
            try:
                if await self._has(table, upto):
                    return await read(self._standby)
            except StoreUnavailable:
                self._away_until = time.monotonic() + self._away_s
        return await read(self._primary)

    async def _has(self, table: str, version: int) -> bool:
        """Whether the standby has the table's events up to this version, and no others. Raises StoreUnavailable.

        A former primary may have events that the present one never had. The hash of an event covers all before it.
        Nothing is remembered: another server, or an earlier copy of this one, may be behind the same address later.
        """
        head = (await self._standby.heads([table])).get(table)
        if head is None or head.version < version:
            return False
        same = await self._primary.at_versions([(table, head.version)])
        return [record.hash for record in same] == [head.hash]
