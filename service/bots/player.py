"""Plays for all bots: follows the log, and takes each bot's act when it is due.

Nothing is stored. Which bots are due follows from the log. An act has an idempotency key of its table, seat and the
seat's last own event, so it happens once, however many processes run this and whichever of them is killed; what comes
too late is refused, and the table is looked at again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import TypeVar, TypeVarTuple

from msgspec.structs import replace
from structlog.typing import FilteringBoundLogger

from domain.record.catalogue import Unreadable
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.record.remembered import RememberedTables
from domain.seats import HOUSE, PUBLIC, Seat
from domain.table.actions import ActAsBot
from domain.table.clock import micros
from domain.table.events import ENDINGS
from domain.table.state import opponent_at
from projections import Source
from service.bots.members import Members
from service.bots.seats import FollowedSeat, FollowedSeats
from service.bots.tables import BotTables, seats_bot
from service.bots.thinking import Thinking, Thought, mildest_act, offered, place
from service.bots.turns import Holding, Turns
from service.commands.cache import NoSuchTable
from service.commands.handler import CommandHandler, CommandResult, Refused
from service.compute.fair_slots import FairSlots
from service.compute.folds import KeptFolds
from service.live.agenda import Agenda
from service.live.following import BEAT_S, PAUSE_S, Following
from service.live.working import until
from service.moments import now as this_moment
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.store import Receipt, Store

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

ALONE = 8
"""How many times as long bots pause at a table where nobody else plays, so that nobody waits for them."""

PACE_S = 0.02
"""Seconds between two reads of the log, so that events of this time are read together."""

FAILED_S = 60
"""Seconds until a table is retried after an error."""

DUE = 500
"""Tables that are taken from the agenda at once."""

SLOTS = 4
"""Tables that are worked on concurrently. One bot thinks at a time; the others wait for Postgres."""

TABLES, SEATS = 4096, 2048
"""The numbers of tables, and of bots' seats, that are remembered. A seat includes what its bot believes of a deal."""

ANY_BODY = bytes(32)
"""The digest of every act's receipt: the key alone says which act it is."""


class BotPlayer:
    """Plays for the bots of the tables that are this process's. Used from one event loop.

    `now` gives the time as it is recorded. A bot acts `pause_ms` after the event that made it due, and ALONE times as
    long after it where only bots play. The clock is read every `beat_s`, since it may be set forward or back.
    """

    def __init__(
        self,
        store: Store,
        source: Source,
        reader: Reader,
        commands: CommandHandler,
        tables: BotTables,
        members: Members,
        thinking: Thinking,
        metrics: Metrics,
        log: FilteringBoundLogger,
        *,
        pause_ms: int,
        now: Callable[[], str] = this_moment,
        tables_kept: int = TABLES,
        seats_kept: int = SEATS,
        pace_s: float = PACE_S,
        beat_s: float = BEAT_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._store = store
        paces = {"pace_s": pace_s, "beat_s": beat_s, "pause_s": pause_s}
        self._following = Following(source, log, "playing for bots", metrics.work["player of bots"], **paces)
        self._reader = reader
        self._commands = commands
        self._tables = tables
        self._members = members
        self._thinking = thinking
        self._metrics = metrics
        self._log = log
        self._pause = pause_ms * 1000
        self._now = now
        self._tables_kept = tables_kept
        self._seats_kept = seats_kept
        self._beat_s = beat_s
        self._kept = KeptFolds(store, reader)
        self._position: int | None = None
        self._begin()

    def _begin(self) -> None:
        """Knows of no table."""
        self._agenda = Agenda()
        self._slots = FairSlots(SLOTS)
        self._seats = FollowedSeats(self._store, self._reader, self._kept, capacity=self._seats_kept)
        self._turns: RememberedTables[str, Turns] = RememberedTables(self._tables_kept)
        self._openers: dict[str, str] = {}
        self._mine: set[str] = set()
        self._looking: set[str] = set()
        self._again: set[str] = set()

    @property
    def watched(self) -> int:
        """The number of tables with bots."""
        return len(self._agenda)

    @property
    def position(self) -> int | None:
        """The position up to which the log was taken in; None before the tables are loaded."""
        return self._position

    @property
    def idle(self) -> bool:
        """Whether no table is looked at now, and none is due."""
        first = self._agenda.first()
        return not self._looking and (first is None or first > micros(self._now()))

    async def run(self, stop: asyncio.Event) -> None:
        """Plays until `stop`. Waits out outages."""
        self._metrics.bots.playing(plays=True)
        try:
            await until(stop, self._work())
        finally:
            self._metrics.bots.playing(plays=False)

    async def _work(self) -> None:
        self._begin()
        self._position = None
        await self._members.beat()
        # Later events are followed; earlier ones are included in what is read below.
        position = await self._following.end()
        with ThreadPoolExecutor(1, "bots") as thread, self._thinking.until_left():
            async with asyncio.TaskGroup() as group:
                group.create_task(self._members.run(self._share))
                group.create_task(self._learn_and_follow(position))
                group.create_task(self._meet(group, thread))

    async def _learn_and_follow(self, position: int) -> None:
        """Loads the existing tables, then takes in the events after the position."""
        await self._learn()
        self._position = position
        async for records in self._following.after(position):
            for record in records:
                self._take(record)
            self._position = records[-1].position
            self._metrics.bots.watched(self.watched)

    async def _learn(self) -> None:
        """Looks at all tables with bots that are not over."""
        while True:
            try:
                async for tables in self._tables.unfinished():
                    for table in tables:
                        self._watch(table, 0, micros(self._now()))
                break
            except StoreUnavailable as error:
                await self._following.wait_out(error)
        self._metrics.bots.watched(self.watched)
        self._log.info("bots learnt", tables=self.watched)

    def _take(self, record: Recorded) -> None:
        """Takes in the log's next event."""
        table = record.table
        if record.type in ENDINGS:
            self._forget(table)
        elif self._agenda.get(table) is not None or seats_bot(record):
            self._watch(table, record.version, micros(record.at) + self._pause)

    def _watch(self, table: str, version: int, at: int) -> None:
        """Plans a look at the table, which is at least at this version, no later than at this time."""
        if self._members.mine(table):
            self._mine.add(table)
        watched = self._agenda.get(table)
        if watched is not None:
            version = max(version, watched.version)
            at = at if watched.at is None else min(at, watched.at)
        self._agenda.plan(table, at, timed=True, version=version)

    def _moved(self, table: str, version: int) -> None:
        """Notes that the table is at least at this version."""
        watched = self._agenda.get(table)
        if watched is not None:
            watched.version = max(watched.version, version)

    def _forget(self, table: str) -> None:
        self._agenda.forget(table)
        self._turns.forget(table)
        self._openers.pop(table, None)
        self._mine.discard(table)

    def _share(self) -> None:
        """Looks at the tables that have become this process's."""
        now = micros(self._now())
        before, self._mine = self._mine, {table for table in self._agenda if self._members.mine(table)}
        for table in self._mine - before:
            self._agenda.again(table, now)

    async def _meet(self, group: asyncio.TaskGroup, thread: ThreadPoolExecutor) -> None:
        """Looks at each table when it is due."""
        while True:
            now = micros(self._now())
            due = self._agenda.due(now, DUE)
            for table in due:
                if table in self._looking:
                    self._again.add(table)
                elif table in self._mine:
                    self._looking.add(table)
                    group.create_task(self._look(table, thread))
            self._metrics.bots.waiting(self._slots.waiting)
            if due:
                await asyncio.sleep(0)
                continue
            first = self._agenda.first()
            gap_s = self._beat_s if first is None else (first - now) / 1_000_000
            await self._agenda.wait(min(gap_s, self._beat_s))

    async def _look(self, table: str, thread: ThreadPoolExecutor) -> None:
        """Takes a bot's act at the table if one is due, and plans the next look."""
        next_: int | None = None
        try:
            async with self._slot(table):
                next_ = await self._play(table, thread)
        except StoreUnavailable as error:
            await self._following.wait_out(error)
            next_ = micros(self._now())
        except NoSuchTable:
            self._forget(table)
        except Unreadable as error:
            # Another version of the program may know its game and rules; one that starts later looks again.
            self._log.warning("bots do not play at a table", table=table, error=str(error))
            self._forget(table)
        except Exception:  # the other tables' bots play on
            self._log.exception("a bot could not act", table=table, again_in_s=FAILED_S)
            self._metrics.bots.failed()
            self._turns.forget(table)
            next_ = micros(self._now()) + FAILED_S * 1_000_000
        else:
            self._following.answered()
        self._looking.discard(table)
        if table in self._again:
            self._again.discard(table)
            next_ = micros(self._now())
        watched = self._agenda.get(table)
        if next_ is not None and watched is not None:
            self._agenda.again(table, next_ if watched.at is None else min(next_, watched.at))

    @asynccontextmanager
    async def _slot(self, table: str) -> AsyncIterator[None]:
        """One of the slots, within the context: openers take turns, and each one's tables in order."""
        await self._slots.acquire(await self._opener(table), refusable=False)
        try:
            yield
        finally:
            self._slots.release()

    async def _opener(self, table: str) -> str:
        """Who opened the table. Raises StoreUnavailable, NoSuchTable, Unreadable."""
        opener = self._openers.get(table)
        if opener is None:
            first = await self._store.opening(table)
            if first is None:
                raise NoSuchTable(table)
            opener = self._openers[table] = self._reader.opened(first, HOUSE).opener or table
        return opener

    async def _play(self, table: str, thread: ThreadPoolExecutor) -> int | None:
        """Takes the act of the bot that has been due for longest. Returns when to look again.

        Raises StoreUnavailable, NoSuchTable, Unreadable.
        """
        turns = await self._follow(table)
        if turns.history.table.over:
            self._forget(table)
            return None
        seat = turns.due(micros(self._now()) - self._pause_of(turns))
        if seat is not None:
            await self._act(table, seat, turns, thread)
        first = turns.first()
        return None if first is None else first + self._pause_of(turns)

    def _pause_of(self, turns: Turns) -> int:
        """How long a bot pauses there, in microseconds."""
        return self._pause * (ALONE if turns.alone else 1)

    async def _follow(self, table: str) -> Turns:
        """The table as of a moment after the call, unless nothing is known to have happened."""
        turns, watched = self._turns.get(table), self._agenda.get(table)
        if turns is None:
            head = (await self._store.heads([table])).get(table)
            history = None if head is None else await self._kept.at(table, head.version, PUBLIC)
            if history is None:
                raise NoSuchTable(table)
            turns = Turns(self._reader, history)
            self._turns.keep(table, turns)
        elif watched is None or watched.version > turns.version:
            turns.follow(await self._store.stream(table, turns.version))
        return turns

    async def _act(self, table: str, seat: Seat, turns: Turns, thread: ThreadPoolExecutor) -> None:
        """Has the bot choose, and takes its act."""
        since, pause, level = turns.since[seat], self._pause_of(turns), _level(turns, seat)
        followed = await self._seat(turns, seat, thread)
        holding = turns.holding.get(seat)
        choose = partial(self._thinking.choose, table, seat, level, followed, self._slots.waiting)
        thought = await _in(thread, _thought, seat, followed, holding, choose)
        if thought.error is not None:
            self._log.error("a bot could not choose", table=table, seat=seat, exc_info=thought.error)
            self._metrics.bots.failed()
        if thought.action is None:
            # Until something happens at the table.
            turns.wait(seat)
            return
        result = await self._taken(table, seat, thought, followed)
        if result is None:
            watched = self._agenda.get(table)
            if watched is not None and watched.version <= turns.version:
                # Nothing new explains it, so what is remembered may be wrong.
                self._turns.forget(table)
                self._seats.forget(table, seat)
            return
        turns.follow(result.records)
        late_s = (micros(result.records[0].at) - since - pause) / 1_000_000
        self._metrics.bots.acted(level, thought.worlds, late_s, hurried=thought.hurried)
        first = result.records[:1]
        if holding is not None and thought.mildest and first[0].version == followed.version + 1:
            # What follows by itself may be others' offers.
            await _in(thread, followed.see, first)
            holding.hold(offered(followed, seat))

    async def _seat(self, turns: Turns, seat: Seat, thread: ThreadPoolExecutor) -> FollowedSeat:
        """The bot's seat, which has seen all events up to the table's version."""
        table = turns.history.table
        followed, records = await self._seats.get(table, turns.game, seat, turns.recent)
        try:
            await _in(thread, followed.see, records)
        except Exception:  # the table must go on whatever is wrong with the bot
            self._log.exception("a bot could not follow its table", table=table.table, seat=seat)
            self._metrics.bots.failed()
            followed, records = await self._seats.anew(table, turns.game, seat, blind=True)
            await _in(thread, followed.see, records)
        return followed

    async def _taken(self, table: str, seat: Seat, thought: Thought, followed: FollowedSeat) -> CommandResult | None:
        """The result of the act; None if it came too late. Raises StoreUnavailable, NoSuchTable, Refused."""
        once = sha256("\n".join(("bot", table, str(seat), str(thought.own))).encode()).digest()
        for action in (thought.action, mildest_act(followed, seat)):
            if action is None:
                continue
            try:
                result = await self._commands.handle(table, ActAsBot(seat, action), receipt=Receipt(once, ANY_BODY))
            except Refused as refused:
                if refused.version == thought.version:
                    self._log.exception("a bot chose what is not offered", table=table, seat=seat)
                    self._metrics.bots.failed()
                    continue
                self._moved(table, refused.version)
            else:
                self._moved(table, result.records[-1].version)
                if not result.replayed:
                    return result
            self._metrics.bots.lost()
            return None
        raise ValueError(f"nothing that seat {seat} of table {table} is offered can be done")


def _thought(seat: Seat, followed: FollowedSeat, holding: Holding | None, choose: Callable[[], Thought]) -> Thought:
    """What the bot wants to do, which it chooses if need be; without turns, nothing while it waits for other offers."""
    if holding is None:
        thought = choose()
        return thought if thought.action is not None else replace(thought, action=mildest_act(followed, seat))
    offers = offered(followed, seat)
    if holding.waits(offers):
        return Thought(None, followed.version, followed.own)
    if holding.returned(place(followed, seat)):
        thought = Thought(mildest_act(followed, seat), followed.version, followed.own, mildest=True)
    else:
        thought = choose()
    if thought.action is None:
        holding.hold(offers)
    return thought


def _level(turns: Turns, seat: Seat) -> str:
    """The level of the seat's bot."""
    opponent = opponent_at(turns.history.table, seat)
    return "" if opponent is None else opponent.level


async def _in(thread: ThreadPoolExecutor, do: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """What the function returns, which is called in the thread."""
    return await asyncio.get_running_loop().run_in_executor(thread, do, *arguments)
