"""Processes that play for bots, while the time goes on when a test says so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, cast

import msgspec
from redis.asyncio import Redis

from domain.record.history import Moment, Reader
from domain.seats import Bot, Seat
from domain.table.actions import Act, SeatBot, TakeSeat
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.talk import actions_of
from service.bots.members import Members
from service.bots.player import BotPlayer
from service.bots.tables import BotTables
from service.bots.thinking import Thinking
from service.moments import moment, now
from service.store.database import Database
from service.store.log_source import LogSource
from service.store.tail import Tail
from tests.support.games import EVERYBODY, chance
from tests.support.log import new_id
from tests.support.picking import pick
from tests.support.timekeeping import Process, Time

SECRET = b"a secret for tests, 32 bytes long"


class Now(Time):
    """The time as it is."""

    def now(self) -> str:
        return now()

    def moment(self) -> Moment:
        return moment()


class BotProcess(Process):
    """One process of the service that plays for bots."""

    def __init__(
        self,
        database: Database,
        tail: Tail,
        time: Time,
        reader: Reader,
        redis: Redis | None = None,
        *,
        pause_ms: int = 0,
        budget_s: float = 0.02,
        clock: Callable[[], float] = perf_counter,
        beat_s: float = 0.02,
        ttl_s: float = 0.2,
        kept: int = 100,
    ) -> None:
        super().__init__(database, tail, time, reader)
        self.members = Members(redis or Redis(host="127.0.0.1", port=1), self.log, beat_s=beat_s, ttl_s=ttl_s)
        self.thinking = Thinking(SECRET, budget_s=budget_s, clock=clock)
        self.player = BotPlayer(
            self.store,
            LogSource(self.store, tail),
            reader,
            self.commands,
            BotTables(self.store, tail, page=2, look_s=0.01),
            self.members,
            self.thinking,
            self.metrics,
            self.log,
            pause_ms=pause_ms,
            now=time.now,
            tables_kept=kept,
            seats_kept=kept,
            pace_s=0.0,
            beat_s=0.005,
            pause_s=0.005,
        )

    async def with_bots(
        self,
        game: str = "crocodile",
        bots: Mapping[Seat, str] | None = None,
        settings: TableOptions = DEFAULT,
        *,
        opener: str = EVERYBODY[0],
        **opened: Any,
    ) -> str:
        """Opens a table with bots of these levels, and has players sit down on the other seats. None: bots alone."""
        table = await self.open(game, settings, opener=opener, **opened)
        seats = range(len((await self.state(table)).players))
        levels = dict.fromkeys(seats, "random") if bots is None else bots
        for seat in seats:
            if seat in levels:
                await self.seat_bots(table, {seat: levels[seat]}, by=opener)
            else:
                await self.sit(table, seat, seat)
        return table

    async def sit(self, table: str, player: int, seat: Seat) -> None:
        """Has the player of this number sit down."""
        await self.commands.handle(table, TakeSeat(EVERYBODY[player], seat))

    async def seat_bots(self, table: str, bots: Mapping[Seat, str], *, by: str) -> None:
        """Has the player seat bots of these levels."""
        for seat, level in bots.items():
            await self.commands.handle(table, SeatBot(by, new_id(), Bot(level, 1), seat))

    async def act_at(self, table: str, seat: Seat) -> Seat:
        """Has the player of the seat do what is offered; answers the seat."""
        state = await self.state(table)
        game = self.reader.of(state)
        offered = [cast("dict[str, Any]", one.describe()) for one in offers(game, state, seat)]
        action = msgspec.convert(pick(offered, chance(state.version)), actions_of(game))
        await self.commands.handle(table, Act(state.players[seat] or "", action))
        return seat

    async def scored(self, table: str, deals: int) -> bool:
        """Whether so many deals are over at the table."""
        return (await self.state(table)).scored >= deals

    async def over(self, table: str) -> bool:
        """Whether nobody acts at the table any more."""
        return (await self.state(table)).over

    def counted(self, name: str, **labels: str) -> float:
        """A measurement of this process."""
        return self.metrics.registry.get_sample_value(name, labels) or 0.0

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[BotPlayer]:
        """Meanwhile this process plays for bots. Ends with what it failed with."""
        stop = asyncio.Event()
        running = asyncio.create_task(self.player.run(stop))
        try:
            yield self.player
        finally:
            stop.set()
            await running
