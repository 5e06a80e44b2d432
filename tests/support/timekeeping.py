"""Processes that keep the time of tables, while the time itself goes on when a test says so."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import msgspec
import pytest
import structlog

from domain.kernel.game import Game
from domain.record.history import Moment, Reader
from domain.record.recorded import Recorded
from domain.seats import Seat
from domain.table.actions import Act, TakeSeat
from domain.table.deadlines import deadline_of
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table
from service.commands import handler
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
from service.live.timekeeper import Timekeeper
from service.observability.metrics import Metrics
from service.store.database import Database, StoreUnavailable
from service.store.log_source import LogSource
from service.store.store import Store
from service.store.tail import Tail
from service.store.writer import Writer
from tests.support.games import EVERYBODY, chance, willing
from tests.support.log import new_id
from tests.support.picking import pick
from tests.support.registry import GAMES
from tests.support.waiting import PATIENCE_S

QUICK: dict[str, Any] = {"page": 2, "pace_s": 0.0, "beat_s": 0.005, "pause_s": 0.005}
"""What leaves no test waiting."""


class Time:
    """The time of all processes, as a test sets it. It begins after the real one, which is in new tables' ids."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)

    def now(self) -> str:
        """As it is recorded."""
        return f"{self.at:%Y-%m-%dT%H:%M:%S.%fZ}"

    def moment(self) -> Moment:
        """That of an action."""
        return Moment(self.now(), new_id(), secrets.token_bytes(32))

    def advance(self, seconds: float) -> None:
        """Lets so much time pass."""
        self.at += timedelta(seconds=seconds)

    def reach(self, at: str) -> None:
        """Goes on to this time."""
        self.at = max(self.at, datetime.fromisoformat(at))


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time that commands are recorded at."""
    time = Time()
    monkeypatch.setattr(handler, "moment", time.moment)
    return time


@pytest.fixture
async def tail(database: Database) -> AsyncIterator[Tail]:
    """What wakes those that follow the test's log."""
    async with Tail(database, beat_s=0.05) as tail:
        yield tail


class Process:
    """One process of the service, as far as tables' time needs it."""

    def __init__(self, database: Database, tail: Tail, time: Time, reader: Reader) -> None:
        self.time = time
        self.store = Store(database)
        self.reader = reader
        self.tables = TableCache(self.store, reader)
        self.log = structlog.get_logger("tests")
        writer = Writer(self.store)
        spectators = Spectators(self.tables, Seating(self.tables), self.store, reader)
        self.commands = CommandHandler(self.store, writer, reader, self.tables, spectators, self.log)
        self.metrics = Metrics()
        source = LogSource(self.store, tail)
        self.keeper = Timekeeper(
            self.store, source, reader, self.tables, self.commands, self.metrics, self.log, now=time.now, **QUICK
        )

    async def open(
        self,
        game: str = "crocodile",
        settings: TableOptions = DEFAULT,
        *,
        deals: int | None = None,
        options: Any = None,
        opener: str = EVERYBODY[0],
    ) -> str:
        """Opens a table at which nobody sits."""
        played: Game = GAMES[game]
        options = options or played.options()
        number = deals or played.course.deals(options).default
        return (await self.commands.open(opener, played, number, options, None, settings)).table

    async def start(self, game: str = "crocodile", settings: TableOptions = DEFAULT, **opened: Any) -> str:
        """Opens a table, and has players sit down until the first deal is dealt."""
        table = await self.open(game, settings, **opened)
        for seat, _ in enumerate((await self.state(table)).players):
            await self.commands.handle(table, TakeSeat(EVERYBODY[seat], seat))
        return table

    async def state(self, table: str) -> Table:
        """The table as the house knows it now."""
        return (await self.tables.current(table)).table

    async def act(self, table: str) -> Seat:
        """Has a player do what is offered; answers who did."""
        state = await self.state(table)
        game = self.reader.of(state)
        seat = willing(game, state)[0]
        offered = [cast("dict[str, Any]", one.describe()) for one in offers(game, state, seat)]
        action = msgspec.convert(pick(offered, chance(state.version)), game.actions)
        await self.commands.handle(table, Act(EVERYBODY[seat], action))
        return seat

    async def deadline(self, table: str) -> str:
        """When something runs out at the table first."""
        state = await self.state(table)
        due = deadline_of(self.reader.of(state), state)
        assert due is not None
        return due.at

    async def by(self, actor: str, table: str) -> list[Recorded]:
        """What an actor has done at the table."""
        return [record for record in await self.store.stream(table) if record.actor == actor]

    def met(self, kind: str) -> float:
        """How many deadlines of this kind were met here."""
        return self.metrics.registry.get_sample_value("codille_deadlines_met_total", {"kind": kind}) or 0.0

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[Timekeeper]:
        """Meanwhile this process keeps time. Ends with what it failed with."""
        stop = asyncio.Event()
        running = asyncio.create_task(self.keeper.run(stop))
        try:
            yield self.keeper
        finally:
            stop.set()
            await running


async def until_it(holds: Callable[[], Awaitable[object]]) -> None:
    """Returns once it holds, which is asked of Postgres, and not known while that is away."""

    async def known() -> object:
        try:
            return await holds()
        except StoreUnavailable:
            return False

    async with asyncio.timeout(PATIENCE_S):
        while not await known():  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.005)
