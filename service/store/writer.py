"""The writer: commands that arrive while one batch is being written form the next batch.

So an idle service answers after one round trip, and a busy one writes many commands in each. A second batch is sent
concurrently only if it is full: commands that fit into one batch share its sync to disk.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias

from domain.record.recorded import Recorded
from service.store.database import StoreUnavailable
from service.store.store import Append, Appended, Outcome, Store

LANES = 2

Told: TypeAlias = Callable[[Sequence[Recorded]], None]
"""What is told of appended records. It must neither block nor raise."""


class _Waiting:
    __slots__ = ("answer", "command")

    def __init__(self, command: Append) -> None:
        self.command = command
        self.answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Writer:
    """Two lanes in front of `Store.append`, used from one event loop.

    A batch has at most `bound` commands, at most one a table. At most `limit` commands wait. A table's commands are
    written in order of arrival. After an outage the same batch is sent again, after each of `pauses_s`. `measured` is
    called for each batch with its size and the seconds that it took with all attempts. Then those in `told` are called,
    in their order, with the records that it appended, in the log's order.
    """

    def __init__(
        self,
        store: Store,
        *,
        bound: int = 128,
        limit: int = 10_000,
        pauses_s: Sequence[float] = (0.0, 0.1, 0.5),
        measured: Callable[[int, float], None] = lambda _size, _seconds: None,
        told: Sequence[Told] = (),
    ) -> None:
        self._store = store
        self._bound = bound
        self._limit = limit
        self._pauses_s = pauses_s
        self._measured = measured
        self._told = told
        self._queue: deque[_Waiting] = deque()
        self._lanes: set[asyncio.Task[None]] = set()
        self._under_way: set[str] = set()
        self._closing = False

    async def submit(self, command: Append) -> Outcome:
        """Appends one command. Raises StoreUnavailable; the command may have been appended nevertheless.

        A cancelled caller's command may still be appended.
        """
        if self._closing:
            raise StoreUnavailable("the writer is closing")
        if len(self._queue) >= self._limit:
            raise StoreUnavailable("too many commands are waiting to be written")
        waiting = _Waiting(command)
        self._queue.append(waiting)
        if not self._lanes or (self._full and len(self._lanes) < LANES):
            self._lanes.add(asyncio.create_task(self._run(), name="writer"))
        return await waiting.answer

    async def close(self) -> None:
        """Accepts no more commands, and returns when the waiting ones have their outcomes."""
        self._closing = True
        while self._lanes:
            await asyncio.wait(self._lanes)

    @property
    def waiting(self) -> int:
        """The number of commands waiting to be written, without those of batches in progress."""
        return len(self._queue)

    @property
    def _full(self) -> bool:
        return len(self._queue) >= self._bound

    async def _run(self) -> None:
        """Runs a lane while there are commands for it."""
        batch: dict[str, _Waiting] = {}
        try:
            while batch := self._drain():
                self._under_way |= batch.keys()
                await self._send(list(batch.values()))
                self._under_way -= batch.keys()
        finally:
            self._lanes -= {asyncio.current_task()}
            if batch:
                # The lane was cancelled; without this, callers would wait for ever.
                self._under_way -= batch.keys()
                for waiting in (*batch.values(), *self._queue):
                    waiting.fail(StoreUnavailable("the writer was stopped"))
                self._queue.clear()

    def _drain(self) -> dict[str, _Waiting]:
        """The next batch by table, in order of arrival. Further commands of a table stay for later batches."""
        batch: dict[str, _Waiting] = {}
        if self._under_way and not self._full:
            return batch
        left: list[_Waiting] = []
        while self._queue and len(batch) < self._bound:
            waiting = self._queue.popleft()
            if waiting.answer.done():
                continue
            if waiting.command.table in batch or waiting.command.table in self._under_way:
                left.append(waiting)
            else:
                batch[waiting.command.table] = waiting
        self._queue.extendleft(reversed(left))
        return batch

    async def _send(self, batch: list[_Waiting]) -> None:
        started = time.monotonic()
        try:
            outcomes = await self._append([waiting.command for waiting in batch])
        except StoreUnavailable as error:
            for waiting in batch:
                waiting.fail(StoreUnavailable(str(error), error.cause))
        except Exception as error:  # raised to the caller of the command that causes it
            if len(batch) == 1:
                batch[0].fail(error)
            else:
                for waiting in batch:
                    await self._send([waiting])
        else:
            for waiting, outcome in zip(batch, outcomes, strict=True):
                if not waiting.answer.done():
                    waiting.answer.set_result(outcome)
            self._measured(len(batch), time.monotonic() - started)
            self._tell([outcome.records for outcome in outcomes if isinstance(outcome, Appended)])

    def _tell(self, appended: list[tuple[Recorded, ...]]) -> None:
        """The fan-out after an append: whoever works with new records gets them here, and nowhere else."""
        appended.sort(key=lambda records: records[0].position)
        if together := list(chain.from_iterable(appended)):
            for tell in self._told:
                tell(together)

    async def _append(self, commands: list[Append]) -> list[Outcome]:
        """Sends the same commands again after an outage; `append` recognises those whose answer was lost."""
        for pause_s in self._pauses_s:
            try:
                return await self._store.append(commands)
            except StoreUnavailable:
                await asyncio.sleep(pause_s)
        return await self._store.append(commands)
