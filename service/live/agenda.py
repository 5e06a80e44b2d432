"""Which tables something runs out at, and when each is to be looked at next."""

import asyncio
from heapq import heapify, heappop, heappush

from msgspec import Struct

SLACK = 1_000
"""So many entries may be out of date before they are thrown away."""


class Watched(Struct):
    """A table at which something runs out, or may yet."""

    timed: bool
    """Whether its events change when: it has a clock, or its game has time limits."""
    version: int
    """The version of the table that the time below was computed from."""
    at: int | None
    """When to look at it, in microseconds since 1970; None while nothing runs out, or while it is looked at."""


class Agenda:
    """The tables watched, a few hundred bytes each. Used from one event loop."""

    def __init__(self) -> None:
        self._tables: dict[str, Watched] = {}
        self._entries: list[tuple[int, str]] = []
        """A heap. An entry counts if its time is still that of its table."""
        self._sooner = asyncio.Event()

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, table: str) -> Watched | None:
        """The table, if it is watched."""
        return self._tables.get(table)

    def plan(self, table: str, at: int | None, *, timed: bool, version: int) -> None:
        """Has the table be looked at then, as follows from this version, unless a newer one was planned for."""
        known = self._tables.get(table)
        if known is not None and known.version > version:
            return
        if known is not None and known.at == at:
            known.timed, known.version = timed, version
            return
        self._tables[table] = Watched(timed, version, None)
        self.again(table, at)

    def again(self, table: str, at: int | None) -> None:
        """Has the table, if it is watched, be looked at then."""
        watched = self._tables.get(table)
        if watched is None:
            return
        watched.at = at
        if at is None:
            return
        heappush(self._entries, (at, table))
        if self._entries[0] == (at, table):
            self._sooner.set()
        if len(self._entries) > 2 * len(self._tables) + SLACK:
            self._entries = [(one.at, name) for name, one in self._tables.items() if one.at is not None]
            heapify(self._entries)

    def forget(self, table: str) -> None:
        """Watches the table no longer."""
        self._tables.pop(table, None)

    def due(self, now: int, most: int) -> list[str]:
        """The tables whose time has come, in the order of their times, at most so many; each is answered once."""
        due: list[str] = []
        while len(due) < most:
            first = self.first()
            if first is None or first > now:
                break
            _, table = heappop(self._entries)
            self._tables[table].at = None
            due.append(table)
        return due

    def first(self) -> int | None:
        """When to look at a table next, in microseconds since 1970; None if there is none to look at."""
        while self._entries:
            at, table = self._entries[0]
            watched = self._tables.get(table)
            if watched is not None and watched.at == at:
                return at
            heappop(self._entries)
        return None

    async def wait(self, seconds: float) -> None:
        """Returns after so many seconds, or when something is planned before all else."""
        self._sooner.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._sooner.wait()
        except TimeoutError:
            return
