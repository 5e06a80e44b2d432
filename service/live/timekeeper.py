"""Carries out deadlines at tables: sends each deadline's command when it is due.

Nothing is stored. Deadlines follow from the log: at the start from the tables that are not over, then from each event.
A command before its time, or whose deadline is gone, is refused, so several processes may run this: one of their
commands counts. Deadlines that passed while none ran are met at once.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from structlog.typing import FilteringBoundLogger

from domain.record.catalogue import Unreadable
from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC
from domain.table.actions import ActFor, ExpireTable, RunOut
from domain.table.clock import micros
from domain.table.deadlines import Deadline, deadline_of
from domain.table.events import ENDINGS, GameStarted, SeatLeft, SeatTaken, TableOpened
from domain.table.state import Table
from projections.source import Source
from service.commands.cache import NoSuchTable, TableCache
from service.commands.handler import CommandHandler, Refused
from service.live.agenda import Agenda
from service.moments import now as this_moment
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.log_follower import BEAT_S, PAUSE_S, LogFollower
from service.store.store import Store, StreamEnd

PAGE = 500
"""Tables per read at the start."""

AT_ONCE = 8
"""Tables that are worked on concurrently: requests need connections to Postgres too."""

PACE_S = 0.1
"""Seconds between two reads of the log, so that events of this time are read together."""

REFUSED_S = 1
"""Seconds until a refused deadline is retried, if nothing has happened at the table."""

FAILED_S = 60
"""Seconds until a table is retried after an error."""

LOG_EVERY = 50_000
"""The number of tables after which the progress of the start is logged."""

BEFORE_START = frozenset({TableOpened.TYPE, SeatTaken.TYPE, SeatLeft.TYPE})
"""Types of a table's last event while it still waits for players."""

Kind = Literal["limit", "clock", "expiry"]


class Timekeeper:
    """Keeps the time of all tables. Used from one event loop.

    `now` gives the time as it is recorded. It is read every `beat_s`, since the clock may be set forward or back.
    """

    def __init__(
        self,
        store: Store,
        source: Source,
        reader: Reader,
        tables: TableCache,
        commands: CommandHandler,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        now: Callable[[], str] = this_moment,
        page: int = PAGE,
        pace_s: float = PACE_S,
        beat_s: float = BEAT_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._store = store
        work = metrics.work["timekeeper"]
        self.follower = LogFollower(source, log, "keeping time", work, pace_s, beat_s, pause_s)
        self._reader = reader
        self._tables = tables
        self._commands = commands
        self._metrics = metrics
        self._log = log
        self._now = now
        self._page = page
        self._beat_s = beat_s
        self._agenda = Agenda()
        self._slots = asyncio.Semaphore(AT_ONCE)

    @property
    def watched(self) -> int:
        """The number of tables with a deadline, or that may get one."""
        return len(self._agenda)

    async def run(self, stop: asyncio.Event) -> None:
        """Keeps time until `stop`. Waits out outages."""
        self._agenda = Agenda()
        await self.follower.run(stop, self._learn, self._take, self._meet())

    async def _learn(self) -> None:
        """Plans for all tables that are not over, newest first."""
        before: str | None = None
        seen = 0
        while True:
            page = await self.follower.outlast(partial(self._store.newest, before, self._page))
            ends = {end.table: end for end in page if end.type not in ENDINGS}
            for record in await self.follower.outlast(partial(self._store.firsts, list(ends))):
                self._learnt(record, ends[record.table])
            seen += len(page)
            self._metrics.deadlines.tables.set(self.watched)
            if len(page) < self._page:
                break
            if seen // LOG_EVERY > (seen - len(page)) // LOG_EVERY:
                self._log.info("learning deadlines", tables=seen, watched=self.watched)
            before = page[-1].table
        self._log.info("deadlines learnt", tables=seen, watched=self.watched)

    def _learnt(self, first: Recorded, end: StreamEnd) -> None:
        """Plans for a table by its first event and a summary of its last."""
        opened = self._opened(first)
        if opened is None:
            return
        if end.type in BEFORE_START:
            self._plan(opened)
        elif opened.timing is not None or end.deal is None:
            timed = opened.timing is not None
            self._agenda.plan(first.table, micros(self._now()), timed=timed, version=opened.version)

    def _opened(self, first: Recorded) -> Table | None:
        """The table after its first event; None if this program does not know its game or rules."""
        try:
            return self._reader.opened(first, PUBLIC)
        except Unreadable as error:
            self._log.warning("a table's time is not kept", table=first.table, error=str(error))
            return None

    async def _take(self, records: Sequence[Recorded]) -> None:
        """Takes in the log's next events."""
        changed: dict[str, list[Recorded]] = {}
        for record in records:
            table, watched = record.table, self._agenda.get(record.table)
            if record.version == 1:
                opened = None if watched is not None else self._opened(record)
                if opened is not None:
                    self._plan(opened)
            elif watched is None:
                continue
            elif record.type in ENDINGS:
                self._agenda.forget(table)
                changed.pop(table, None)
            elif watched.timed:
                changed.setdefault(table, []).append(record)
            elif record.deal is not None or record.type == GameStarted.TYPE:
                self._agenda.forget(table)
        await asyncio.gather(*(self._changed(table, after) for table, after in changed.items()))
        self._metrics.deadlines.tables.set(self.watched)

    async def _changed(self, table: str, records: Sequence[Recorded]) -> None:
        """Updates the plan of a table with these events."""
        async with self._slots:
            try:
                history = await self._tables.follow(table, records)
            except Exception:  # the retry will hit the same error and log it
                self._agenda.again(table, micros(self._now()))
            else:
                self._plan(history.table)

    def _plan(self, table: Table) -> Deadline | None:
        """Plans for the table's current state, and returns its first deadline."""
        deadline = None if table.over else deadline_of(self._reader.of(table), table)
        timed = table.timing is not None
        if table.over or (deadline is None and not timed):
            self._agenda.forget(table.table)
            return None
        at = None if deadline is None else micros(deadline.at)
        self._agenda.plan(table.table, at, timed=timed, version=table.version)
        return deadline

    async def _meet(self) -> None:
        """Looks at each table when it is due, and sends the commands whose time has come."""
        while True:
            due = await self._agenda.due(self._now, AT_ONCE, self._beat_s)
            errors = await asyncio.gather(*map(self._look, due))
            away = next((error for error in errors if error is not None), None)
            if away is not None:
                await self.follower.wait_out(away)
            elif due:
                self.follower.answered()

    async def _look(self, table: str) -> StoreUnavailable | None:
        """Carries out a table's deadline if it is due, and plans the next look. Returns an outage if it met one."""
        try:
            async with self._slots:
                await self._do(table)
        except StoreUnavailable as error:
            self._agenda.again(table, micros(self._now()))
            return error
        except NoSuchTable:
            self._agenda.forget(table)
        except Unreadable as error:
            # A later version of the program loads the table when it starts.
            self._log.warning("a table's time is not kept", table=table, error=str(error))
            self._agenda.forget(table)
        except Exception:  # the other tables' deadlines go on
            self._log.exception("a deadline was not met", table=table, again_in_s=FAILED_S)
            self._metrics.deadlines.failed.inc()
            self._agenda.again(table, micros(self._now()) + FAILED_S * 1_000_000)
        return None

    async def _do(self, table: str) -> None:
        history = await self._tables.current(table)
        deadline = self._plan(history.table)
        if deadline is None or deadline.at > self._now():
            return
        try:
            result = await self._commands.handle(table, deadline.command)
        except Refused:
            await self._refused(table, history)
            return
        late_s = (micros(result.records[0].at) - micros(deadline.at)) / 1_000_000
        self._metrics.deadlines.met(_kind(deadline), late_s)
        if result.history is not None:
            self._plan(result.history.table)

    async def _refused(self, table: str, before: History) -> None:
        """Updates the plan: another event came first, or the command was early."""
        history = await self._tables.current(table)
        self._plan(history.table)
        if history.version == before.version:
            self._agenda.again(table, micros(self._now()) + REFUSED_S * 1_000_000)


def _kind(deadline: Deadline) -> Kind:
    match deadline.command:
        case RunOut():
            return "limit"
        case ActFor():
            return "clock"
        case ExpireTable():
            return "expiry"
