"""The tables with a deadline ahead, and the time of the next look at each."""

import asyncio
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

from msgspec import Struct

from domain.table.clock import micros
from projections.tasks import pause

SLACK = 1_000
"""Outdated heap entries allowed before the heap is rebuilt."""


class Watched(Struct):
    """A table that has a deadline, or may get one."""

    timed: bool
    """Whether later events move the deadline: the table has a clock, or its game has time limits."""
    version: int
    """The version of the table that `at` was computed from."""
    at: int | None
    """When to look at it, in microseconds since 1970; None without a deadline, or during a look."""


class Agenda:
    """The watched tables, at a few hundred bytes each. Used from one event loop."""

    def __init__(self) -> None:
        self._tables: dict[str, Watched] = {}
        self._entries: list[tuple[int, str]] = []
        """A heap. An entry counts only while its time equals its table's."""
        self._sooner = asyncio.Event()
        self.awaited: int | None = None
        """The time that was last waited for, in microseconds since 1970; any thread may read it."""

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[str]:
        """The watched tables."""
        return iter(self._tables)

    def get(self, table: str) -> Watched | None:
        """The table, if it is watched."""
        return self._tables.get(table)

    def plan(self, table: str, at: int | None, *, timed: bool, version: int) -> None:
        """Plans the next look at the table, as computed from this version. A plan from a newer version stays."""
        known = self._tables.get(table)
        if known is not None and known.version > version:
            return
        if known is not None and known.at == at:
            known.timed, known.version = timed, version
            return
        self._tables[table] = Watched(timed, version, None)
        self.again(table, at)

    def again(self, table: str, at: int | None) -> None:
        """Plans the next look at a watched table; ignores other tables."""
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
        """Stops watching the table."""
        self._tables.pop(table, None)

    async def due(self, now: Callable[[], str], most: int, beat_s: float) -> list[str]:
        """The tables that are due, earliest first, at most `most`. Each is returned once per plan.

        If there are none it returns after `beat_s` seconds, or when a table is due or is planned before all others.
        """
        due: list[str] = []
        moment = micros(now())
        while (first := self.first()) is not None and first <= moment and len(due) < most:
            _, table = heappop(self._entries)
            self._tables[table].at = None
            due.append(table)
        if not due:
            self.awaited = first
            self._sooner.clear()
            await pause(self._sooner, beat_s if first is None else min(beat_s, (first - moment) / 1_000_000))
        return due

    def first(self) -> int | None:
        """The earliest planned time, in microseconds since 1970; None if nothing is planned."""
        while self._entries:
            at, table = self._entries[0]
            watched = self._tables.get(table)
            if watched is not None and watched.at == at:
                return at
            heappop(self._entries)
        return None
