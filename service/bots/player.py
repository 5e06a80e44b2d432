"""Plays for all bots: follows the log, and takes each bot's act when it is due.

Nothing is stored. Which bots are due follows from the log. An act has an idempotency key of its table, seat and the
seat's last own event, so it happens once, however many processes run this and whichever of them is killed; what comes
too late is refused, and the table is looked at again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from math import inf
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
from projections.source import Source
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
from service.moments import now as this_moment
from service.observability.metrics import Metrics
from service.store.database import StoreUnavailable
from service.store.log_follower import BEAT_S, PAUSE_S, LogFollower
from service.store.store import Receipt, Store

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

QUIET_S = 0.1
"""So many seconds before an act no bot of its table thinks any more, or a quarter of a pause if that is less: the last
world may take longer than was expected, and an act beside a thought is milliseconds later.
"""

PACE_S = 0.02
"""Seconds between two reads of the log, so that events of this time are read together."""

FAILED_S = 60
"""Seconds until a table is retried after an error."""

DUE = 500
"""Tables that are taken from the agenda at once."""

SLOTS = 4
"""Tables that are read and acted at concurrently. One bot thinks at a time."""

TABLES, SEATS = 4096, 2048
"""The numbers of tables, and of bots' seats, that are remembered. A seat includes what its bot believes of a deal.
Tables at which a bot is to choose or to act are remembered in any case.
"""

ANY_BODY = bytes(32)
"""The digest of every act's receipt: the key alone says which act it is."""


class BotPlayer:
    """Plays for the bots of the tables that are this process's. Used from one event loop.

    `now` gives the time as it is recorded. A bot begins to think at the event that made it due, and acts a whole number
    of pauses of `pause_ms` after it, by `act_time`. The clock is read every `beat_s`, since it may be set forward or
    back.
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
        work, paces = metrics.work["player of bots"], (pace_s, beat_s, pause_s)
        self.follower = LogFollower(source, log, "playing for bots", work, *paces)
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
        self._begin()

    def _begin(self) -> None:
        """Knows of no table."""
        self._agenda = Agenda()
        self._slots, self._line = FairSlots(SLOTS), FairSlots(1)
        self._seats = FollowedSeats(self._store, self._reader, self._kept, capacity=self._seats_kept)
        self._turns: RememberedTables[str, Turns] = RememberedTables(self._tables_kept)
        self._busy: dict[str, Turns] = {}
        """The tables at which a bot is to choose or to act, which are not forgotten before."""
        self._openers: dict[str, str] = {}
        self._mine: set[str] = set()
        self._looking: set[str] = set()
        self._again: set[str] = set()
        self._choosing: set[tuple[str, Seat]] = set()

    @property
    def watched(self) -> int:
        """The number of tables with bots."""
        return len(self._agenda)

    @property
    def idle(self) -> bool:
        """Whether no table is looked at now, and none is due."""
        first = self._agenda.first()
        return not self._looking and (first is None or first > micros(self._now()))

    @property
    def thinking(self) -> int:
        """The number of bots that choose an act, or wait to."""
        return len(self._choosing)

    async def run(self, stop: asyncio.Event) -> None:
        """Plays until `stop`. Waits out outages."""
        self._metrics.bots.playing.set(True)
        try:
            self._begin()
            await self.follower.run(stop, self._learn, self._take, self._members.run(self._share), self._meet())
        finally:
            self._metrics.bots.playing.set(False)

    async def _learn(self) -> None:
        """Looks at all tables with bots that are not over."""
        await self._members.beat()
        await self.follower.outlast(self._look_at_all)
        self._metrics.bots.tables.set(self.watched)
        self._log.info("bots learnt", tables=self.watched)

    async def _look_at_all(self) -> None:
        async for tables in self._tables.unfinished():
            for table in tables:
                self._watch(table, 0, micros(self._now()))

    async def _take(self, records: Sequence[Recorded]) -> None:
        """Takes in the log's next events."""
        for record in records:
            table = record.table
            if record.type in ENDINGS:
                self._forget(table)
            elif self._agenda.get(table) is not None or seats_bot(record):
                self._watch(table, record.version, micros(record.at))
        self._metrics.bots.tables.set(self.watched)

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
        self._forget_turns(table)
        self._openers.pop(table, None)
        self._mine.discard(table)

    def _forget_turns(self, table: str) -> None:
        self._turns.forget(table)
        self._busy.pop(table, None)

    def _share(self) -> None:
        """Looks at the tables that have become this process's, and leaves what others choose to them."""
        now = micros(self._now())
        before, self._mine = self._mine, {table for table in self._agenda if self._members.mine(table)}
        for table in before - self._mine:
            self._forget_turns(table)
        for table in self._mine - before:
            self._agenda.again(table, now)

    async def _meet(self) -> None:
        """Looks at each table when it is due."""
        with ThreadPoolExecutor(1, "bots") as thread, self._thinking.until_left():
            async with asyncio.TaskGroup() as group:
                while True:
                    for table in await self._agenda.due(self._now, DUE, self._beat_s):
                        if table in self._looking:
                            self._again.add(table)
                        elif table in self._mine:
                            self._looking.add(table)
                            group.create_task(self._look(table, group, thread))
                    self._metrics.bots.waiting.set(self._slots.waiting + self._line.waiting)
                    await asyncio.sleep(0)

    async def _look(self, table: str, group: asyncio.TaskGroup, thread: ThreadPoolExecutor) -> None:
        """Takes a bot's act at the table if its time has come, has others choose, and plans the next look."""
        next_: int | None = None
        async with self._kept_on(table):
            async with self._slot(self._slots, table):
                next_ = await self._play(table)
            for seat in self._busy[table].undecided if table in self._busy else ():
                if (table, seat) not in self._choosing:
                    self._choosing.add((table, seat))
                    group.create_task(self._choose(table, seat, thread))
        self._looking.discard(table)
        if table in self._again:
            self._again.discard(table)
            next_ = micros(self._now())
        self._again_at(table, next_)

    async def _choose(self, table: str, seat: Seat, thread: ThreadPoolExecutor) -> None:
        """Has a bot choose, and plans a look at its table."""
        async with self._kept_on(table), self._slot(self._line, table):
            turns = self._busy.get(table)
            if turns is not None and seat in turns.undecided:
                await self._think(table, seat, turns, thread)
            self._again_at(table, micros(self._now()))
        self._choosing.discard((table, seat))

    def _again_at(self, table: str, at: int | None) -> None:
        """Plans a look at the table no later than at this time."""
        watched = self._agenda.get(table)
        if at is not None and watched is not None:
            self._agenda.again(table, at if watched.at is None else min(at, watched.at))

    @asynccontextmanager
    async def _kept_on(self, table: str) -> AsyncIterator[None]:
        """Whatever is met within the context, the other tables' bots play on, and this one's as soon as they can."""
        try:
            yield
        except StoreUnavailable as error:
            await self.follower.wait_out(error)
            self._again_at(table, micros(self._now()))
        except NoSuchTable:
            self._forget(table)
        except Unreadable as error:
            # Another version of the program may know its game and rules; one that starts later looks again.
            self._log.warning("bots do not play at a table", table=table, error=str(error))
            self._forget(table)
        except Exception:
            self._log.exception("a bot could not act", table=table, again_in_s=FAILED_S)
            self._metrics.bots.failed.inc()
            self._forget_turns(table)
            self._again_at(table, micros(self._now()) + FAILED_S * 1_000_000)
        else:
            self.follower.answered()

    @asynccontextmanager
    async def _slot(self, slots: FairSlots, table: str) -> AsyncIterator[None]:
        """One of the slots, within the context: openers take turns, and each one's tables in order."""
        await slots.acquire((await self._opener(table),), refusable=False)
        try:
            yield
        finally:
            slots.release()

    async def _opener(self, table: str) -> str:
        """Who opened the table. Raises StoreUnavailable, NoSuchTable, Unreadable."""
        opener = self._openers.get(table)
        if opener is None:
            first = await self._store.opening(table)
            if first is None:
                raise NoSuchTable(table)
            opener = self._openers[table] = self._reader.opened(first, HOUSE).opener or table
        return opener

    async def _play(self, table: str) -> int | None:
        """Takes the act whose time has come first. Returns when the next one's comes.

        Raises StoreUnavailable, NoSuchTable, Unreadable.
        """
        turns = await self._follow(table)
        if turns.history.table.over:
            self._forget(table)
            return None
        self._busy[table] = turns
        seat = turns.due(micros(self._now()))
        if seat is not None:
            await self._act(table, seat, turns)
        if not turns.busy:
            self._busy.pop(table, None)
        return turns.first()

    async def _follow(self, table: str) -> Turns:
        """The table as of a moment after the call, unless nothing is known to have happened."""
        turns, watched = self._busy.get(table) or self._turns.get(table), self._agenda.get(table)
        if turns is None:
            head = (await self._store.heads([table])).get(table)
            history = None if head is None else await self._kept.at(table, head.version, PUBLIC)
            if history is None:
                raise NoSuchTable(table)
            turns = Turns(self._reader, history, self._pause)
            self._turns.keep(table, turns)
        elif watched is None or watched.version > turns.version:
            turns.follow(await self._store.stream(table, turns.version))
        return turns

    async def _think(self, table: str, seat: Seat, turns: Turns, thread: ThreadPoolExecutor) -> None:
        """Has the bot choose before it acts. Raises StoreUnavailable."""
        since, level, holding = turns.since[seat], _level(turns, seat), turns.holding.get(seat)
        followed = await self._seat(turns, seat, thread)
        share = (self._left_s(turns), lambda: self.thinking - 1, self._acting)
        choose = partial(self._thinking.choose, table, seat, level, followed, *share)
        thought = await _in(thread, _thought, seat, followed, holding, choose)
        if thought.error is not None:
            self._log.error("a bot could not choose", table=table, seat=seat, exc_info=thought.error)
            self._metrics.bots.failed.inc()
        turns.choose(seat, since, thought, micros(self._now()))

    def _left_s(self, turns: Turns) -> float:
        """The seconds in which bots may think before the table's next act."""
        if not turns.since or not turns.pause:
            return inf
        now = micros(self._now())
        return (turns.thinks_until(now) - now) / 1_000_000 - min(QUIET_S, turns.pause / 4_000_000)

    def _acting(self, seconds: float) -> bool:
        """Whether a table is looked at, or will be within so many seconds, so that a thought would delay an act there.

        Called from the thread that thinks.
        """
        awaited = self._agenda.awaited
        soon = awaited is not None and awaited <= micros(self._now()) + seconds * 1_000_000
        return self._pause > 0 and (soon or bool(self._looking))

    async def _act(self, table: str, seat: Seat, turns: Turns) -> None:
        """Takes the act that the bot has chosen."""
        since, pause, level, holding = turns.since[seat], turns.pause, _level(turns, seat), turns.holding.get(seat)
        thought = turns.take(seat)
        result = await self._taken(table, seat, thought)
        if result is None:
            watched = self._agenda.get(table)
            if watched is not None and thought.version == turns.version >= watched.version:
                # Nothing new explains it, so what is remembered may be wrong.
                self._forget_turns(table)
                self._seats.forget(table, seat)
                self._again_at(table, micros(self._now()))
            return
        turns.follow(result.records)
        first = result.records[0]
        late_s = (micros(first.at) - since - pause) / 1_000_000
        self._metrics.bots.acted(level, thought.worlds, late_s, hurried=thought.hurried)
        if holding is not None:
            holding.act(thought.place)
            if thought.mildest and first.version == thought.version + 1:
                holding.mildest = first.version

    async def _seat(self, turns: Turns, seat: Seat, thread: ThreadPoolExecutor) -> FollowedSeat:
        """The bot's seat, which has seen all events up to the table's version."""
        table, holding = turns.history.table, turns.holding.get(seat)
        followed, records = await self._seats.get(table, turns.game, seat, turns.recent)
        try:
            await _in(thread, _see, seat, followed, records, holding)
        except Exception:  # the table must go on whatever is wrong with the bot
            self._log.exception("a bot could not follow its table", table=table.table, seat=seat)
            self._metrics.bots.failed.inc()
            followed, records = await self._seats.anew(table, turns.game, seat, blind=True)
            await _in(thread, _see, seat, followed, records, holding)
        return followed

    async def _taken(self, table: str, seat: Seat, thought: Thought) -> CommandResult | None:
        """The result of the act; None if it came too late. Raises StoreUnavailable, NoSuchTable, Refused."""
        once = sha256("\n".join(("bot", table, str(seat), str(thought.own))).encode()).digest()
        for action in (thought.action, thought.fallback):
            if action is None:
                continue
            try:
                result = await self._commands.handle(table, ActAsBot(seat, action), receipt=Receipt(once, ANY_BODY))
            except Refused as refused:
                if refused.version == thought.version:
                    self._log.exception("a bot chose what is not offered", table=table, seat=seat)
                    self._metrics.bots.failed.inc()
                    continue
                self._moved(table, refused.version)
            else:
                self._moved(table, result.records[-1].version)
                if not result.replayed:
                    return result
            self._metrics.bots.lost.inc()
            return None
        raise ValueError(f"nothing that seat {seat} of table {table} is offered can be done")


def _see(seat: Seat, followed: FollowedSeat, records: Sequence[Recorded], holding: Holding | None) -> None:
    """Follows the next events. A bot that has taken the mildest act waits at what it was offered then."""
    if holding is not None and holding.mildest > followed.version:
        followed.see([record for record in records if record.version <= holding.mildest])
        holding.hold(offered(followed, seat))
    followed.see(records)


def _thought(seat: Seat, followed: FollowedSeat, holding: Holding | None, choose: Callable[[], Thought]) -> Thought:
    """What the bot wants to do, which it chooses if need be; without turns, nothing while it waits for other offers."""
    if holding is None:
        thought = choose()
        return thought if thought.action is not None else replace(thought, action=thought.fallback)
    offers, here, mildest = offered(followed, seat), place(followed, seat), mildest_act(followed, seat)
    if holding.waits(offers):
        return Thought(None, mildest, followed.version, followed.own)
    thought = Thought(mildest, mildest, followed.version, followed.own) if holding.returned(here) else choose()
    if thought.action is None:
        holding.hold(offers)
    return replace(thought, place=here)


def _level(turns: Turns, seat: Seat) -> str:
    """The level of the seat's bot."""
    opponent = opponent_at(turns.history.table, seat)
    return "" if opponent is None else opponent.level


async def _in(thread: ThreadPoolExecutor, do: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """What the function returns, which is called in the thread."""
    return await asyncio.get_running_loop().run_in_executor(thread, do, *arguments)
