"""A log in memory that is followed, and events for it."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import cast

import structlog
from msgspec import structs

from domain.record.recorded import Recorded
from projections.source import End
from service.live.merged_log import MergedLog, Relayed
from service.store.database import Database, StoreUnavailable
from service.store.tail import Tail
from tests.support.log import command, new_id


def events(*positions: int, table: str = "") -> list[Recorded]:
    """Events at these positions of the log, each of a table of its own unless one is named."""
    return [
        structs.replace(command(table or new_id()).records[0], position=position, version=position)
        for position in positions
    ]


class MemoryLog:
    """A `projections.Source` over a list. `away` is an outage; `reads` counts those of the log."""

    def __init__(self, length: int = 0) -> None:
        self.records = events(*range(1, length + 1))
        self.away = False
        self.reads = 0

    async def log(self, after: int, limit: int) -> list[Recorded]:
        self.reads += 1
        self._answer()
        return self.records[after : after + limit]

    async def end(self) -> int:
        self._answer()
        return len(self.records)

    async def stream(self, table: str, after: int, upto: int) -> list[Recorded]:
        raise NotImplementedError

    async def ends(self, tables: Collection[str], position: int) -> Mapping[str, End]:
        raise NotImplementedError

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (as the port has it)
        raise NotImplementedError

    def _answer(self) -> None:
        if self.away:
            raise StoreUnavailable("away")


class Relay:
    """What other processes pass on: `receive` is there while it runs."""

    def __init__(self, *, connected: bool = True) -> None:
        self.connected = connected
        self.receive: Callable[[Sequence[Recorded]], None] | None = None

    async def run(self, receive: Callable[[Sequence[Recorded]], None]) -> None:
        self.receive = receive
        try:
            await asyncio.Event().wait()
        finally:
            self.receive = None


class Followed:
    """A log with a follower, and what that has handed on."""

    def __init__(self, length: int = 0, relay: Relayed | None = None, grace_s: float = 600.0) -> None:
        self.log = MemoryLog(length)
        self.tail = Tail(cast("Database", None))
        self.received: list[int] = []
        relayed = relay or Relay(connected=False)
        self.merged = MergedLog(
            self.log, self.tail, self._receive, structlog.get_logger(), relayed, grace_s=grace_s, pause_s=0.001
        )

    def following(self) -> AbstractAsyncContextManager[None]:
        """Meanwhile the log is followed."""
        return self.merged.followed()

    def append(self, count: int, *, told: bool = True) -> list[Recorded]:
        """Events that another process appends; `told` is whether Postgres notifies of them."""
        added = events(*range(len(self.log.records) + 1, len(self.log.records) + count + 1))
        self.log.records += added
        if told:
            self.tail.wake(len(self.log.records))
        return added

    def _receive(self, records: Sequence[Recorded]) -> None:
        self.received += [record.position for record in records]
