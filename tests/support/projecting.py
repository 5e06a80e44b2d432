"""A log in memory, random games to fill it, and what the projections make of it."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import chain
from typing import Any, cast
from uuid import UUID

import msgspec
import structlog
from redis.asyncio import Redis

from domain.games.crocodile import CROCODILE
from domain.kernel.game import Game
from domain.record.history import Moment, Reader, record_command, record_opening
from domain.record.recorded import Recorded
from domain.table.actions import (
    Act,
    ActAsBot,
    BotSeat,
    CloseTable,
    Command,
    LeaveSeat,
    OpenTable,
    RunOut,
    TakeSeat,
)
from domain.table.deadlines import timer_of
from domain.table.options import DEFAULT, SpectatorDelay, TableOptions
from domain.table.seat_offers import default_action, offers
from domain.table.state import opponent_at
from domain.table.view import to_act
from projections.redis_keys import CURRENT, SHARDS, Layout
from projections.runner import Limits, Projector
from projections.scripts import keys_like, send
from projections.source import End, SourceUnavailable
from tests.support.games import EVERYBODY, SEED, deals_allowed, moment, willing
from tests.support.picking import pick
from tests.support.registry import GAMES
from tests.support.run import played_once

READER = Reader(GAMES)
MOST_DEALS = 12
"""A game of more deals has as few as may be."""

QUICK = Limits(
    batch=50,
    rebuild_batch=64,
    capacity=100,
    retention_s=1e9,
    lease_s=2.0,
    idle_s=0.02,
    pause_s=0.02,
    grace_s=0.02,
)
"""Limits that leave no test waiting; nothing leaves Redis."""

LOG = structlog.get_logger("tests")


def played(
    number: int, after_s: int, settings: TableOptions = DEFAULT, *, deals: int = 3, bots: Sequence[BotSeat] = ()
) -> list[Recorded]:
    """A game of Crocodile, in which all take the mildest act each second, beginning after these seconds.

    The players on seats 0 and up without bots are EVERYBODY.
    """
    table = f"01970000-0000-7000-8000-{number:012x}"
    command = OpenTable(EVERYBODY[0], deals, CROCODILE.options(), SEED, settings, bots=tuple(bots))
    history, records = record_opening(CROCODILE, table, command, moment(0, after_s))
    made = list(records)
    while not history.table.over:
        state = history.table
        free = [seat for seat, player in enumerate(state.players) if player is None]
        given: Command
        if free:
            given = TakeSeat(EVERYBODY[free[0]], free[0])
        else:
            seat = to_act(CROCODILE, state)[0]
            action = default_action(CROCODILE, state, seat)
            by_bot = opponent_at(state, seat) is not None
            given = ActAsBot(seat, action) if by_bot else Act(EVERYBODY[seat], action)
        history, records = record_command(CROCODILE, history, given, moment(history.version, after_s))
        made += records
    return made


class MemoryLog:
    """A log of all tables, in memory; a `Source`."""

    def __init__(self, records: list[Recorded] | None = None) -> None:
        self.records: list[Recorded] = []
        self.away = False
        self._streams: dict[str, list[Recorded]] = {}
        self._grown = asyncio.Event()
        self.append(records or [])

    def replace(self, records: list[Recorded]) -> None:
        """Makes another log of it."""
        self.records.clear()
        self._streams.clear()
        self.append(records)

    def append(self, records: list[Recorded]) -> None:
        """Gives the records the next positions."""
        for record in records:
            placed = msgspec.structs.replace(record, position=len(self.records) + 1)
            self.records.append(placed)
            self._streams.setdefault(placed.table, []).append(placed)
        self._grown.set()
        self._grown = asyncio.Event()

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """Events after a position."""
        await self._look()
        return self.records[after : after + limit]

    async def stream(self, table: str, after: int, upto: int) -> list[Recorded]:
        """Events of a table."""
        await self._look()
        return self._streams.get(table, [])[after:upto]

    async def ends(self, tables: Collection[str], position: int) -> Mapping[str, End]:
        """How far tables have come."""
        await self._look()
        ends = {}
        for table in tables:
            records = [record for record in self._streams[table] if record.position <= position]
            ends[table] = End(records[-1].version, max((record.deal or 0 for record in records), default=0))
        return ends

    async def end(self) -> int:
        """The last position."""
        await self._look()
        return len(self.records)

    async def wait(self, after: int, timeout: float) -> None:  # noqa: ASYNC109 (as in Source)
        """Until there is more."""
        try:
            async with asyncio.timeout(timeout):
                while len(self.records) <= after:
                    await self._grown.wait()
        except TimeoutError:
            return

    async def _look(self) -> None:
        await asyncio.sleep(0)
        if self.away:
            raise SourceUnavailable


def table_id(number: int) -> str:
    """The id of a table."""
    return str(UUID(int=0x01970000_0000_7000_8000_000000000000 + number))


def player_id(number: int) -> str:
    """The id of a player."""
    return str(UUID(int=0x01970000_0000_7000_9000_000000000000 + number))


class Play:
    """One table, played at random; each step is one command and its records."""

    def __init__(self, number: int, rng: random.Random, *, players: int = 9, game: Game | None = None) -> None:
        self._rng = rng
        self._game = game or rng.choice(list(GAMES.values()))
        self._people = [player_id(one) for one in rng.sample(range(players), min(players, 9))]
        self._number = number
        self._steps = self._waited_s = 0
        options = self._game.options()
        seed = sha256(f"seed {number}".encode()).digest()
        deals = self._game.course.deals(options).default
        if deals > MOST_DEALS:
            deals = next(deals_allowed(self._game, options))
        own = TableOptions(spectator_delay=SpectatorDelay(events=9) if number % 3 == 1 else None)
        command = OpenTable(self._people[0], deals, options, seed, own)
        self.history, self.first = record_opening(self._game, table_id(number), command, self._moment())

    def steps(self) -> Iterator[list[Recorded]]:
        """Everything that happens at the table, from its opening on."""
        yield list(self.first)
        seats = len(self.history.table.players)
        if self._rng.random() < 0.15:
            yield self._do(TakeSeat(self._people[0], 0))
            yield self._do(CloseTable(self._people[0]))
            return
        if self._rng.random() < 0.3:
            yield self._do(TakeSeat(self._people[-1]))
            yield self._do(LeaveSeat(self._people[-1]))
        for person in self._people[:seats]:
            yield self._do(TakeSeat(person, entropy=self._rng.choice([None, b"luck"])))
        while self.history.table.status == "playing":
            timer = timer_of(self._game, self.history.table)
            if timer is not None and self._rng.random() < 0.02:
                self._waited_s += timer.seconds
                yield self._do(RunOut(timer.since))
                continue
            seat = self._rng.choice(willing(self._game, self.history.table))
            offered = [cast("dict[str, Any]", one.describe()) for one in offers(self._game, self.history.table, seat)]
            action = msgspec.convert(pick(offered, self._rng), self._game.actions)
            yield self._do(Act(cast("str", self.history.table.players[seat]), action))

    def _do(self, command: Command) -> list[Recorded]:
        self.history, records = record_command(self._game, self.history, command, self._moment())
        return list(records)

    def _moment(self) -> Moment:
        self._steps += 1
        # Clocks of several machines: close to each other, and not in the order of the log.
        passed = timedelta(seconds=3 * self._steps + self._waited_s, microseconds=self._rng.randrange(1_000_000))
        began = datetime(2026, 11, 20, 10 + self._number % 10, tzinfo=UTC)
        at = (began + passed).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        chance = sha256(f"chance {self._number} {self._steps}".encode()).digest()
        return Moment(at, table_id(10**6 + self._number * 1000 + self._steps), chance)


def games(
    tables: int, seed: int = 1, *, first: int = 0, at_once: int = 5, players: int = 9, game: Game | None = None
) -> Iterator[list[Recorded]]:
    """So many tables, numbered from `first` on, played at random, `at_once` of them at a time; command by command.

    They are tables of this game, without it of any.
    """
    rng = random.Random(seed)  # noqa: S311 (nothing secret hangs on it)
    waiting = [Play(number, rng, players=players, game=game).steps() for number in range(first, first + tables)]
    running: list[Iterator[list[Recorded]]] = []
    while waiting or running:
        while waiting and len(running) < at_once:
            running.append(waiting.pop(0))
        one = rng.choice(running)
        records = next(one, None)
        if records is None:
            running.remove(one)
        else:
            yield records


def recorded(tables: int, seed: int = 1, *, first: int = 0, game: Game | None = None) -> list[Recorded]:
    """The records of so many tables, played to the end, which is done once a run."""
    name = f"recorded-{tables}-{seed}-{first}-{game.name if game else 'any'}"
    return played_once(name, lambda: chain.from_iterable(games(tables, seed, first=first, game=game)))


def projector(log: MemoryLog, redis: Redis, limits: Limits = QUICK, **options: Any) -> Projector:
    """A projector of this log."""
    return Projector(log, READER, redis, LOG, limits=limits, **options)


class Running:
    """A projector that works while entered."""

    def __init__(self, projector: Projector) -> None:
        self._projector = projector
        self._stop = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Running":
        self.task = asyncio.create_task(self._projector.run(self._stop))
        return self

    async def __aexit__(self, *error: object) -> None:
        self._stop.set()
        assert self.task is not None
        with contextlib.suppress(asyncio.CancelledError):
            await self.task

    def die(self) -> None:
        """Ends it in the middle of whatever it does."""
        assert self.task is not None
        self.task.cancel()


def quiet(done: int, total: int) -> None:
    """Ignores a rebuild's progress."""


async def until(done: Callable[[], Awaitable[bool]]) -> None:
    """Returns when it is done; it has to come, and a test that waits for ever is ended by its patience."""
    async with asyncio.timeout(60):
        while not await done():  # noqa: ASYNC110 (nothing tells of it)
            await asyncio.sleep(0.005)


async def caught_up(redis: Redis, log: MemoryLog) -> None:
    """Returns when every shard of the current generation stands at the end of the log."""

    async def done() -> bool:
        layout = Layout(await current(redis) or 0)
        positions = await send(redis, [("HGET", layout.checkpoint(shard), "position") for shard in SHARDS])
        return all(position is not None and int(position) == len(log.records) for position in positions)

    await until(done)


async def current(redis: Redis) -> int | None:
    """The number of the generation that readers are pointed to."""
    value = await redis.get(CURRENT)
    return None if value is None else int(value.partition(b":")[2])


async def differs(redis: Redis, generation: int | None) -> bool:
    """Whether readers are pointed to another generation."""
    return await current(redis) not in (None, generation)


_READING: Mapping[bytes, tuple[str, tuple[str | int, ...]]] = {
    b"string": ("GET", ()),
    b"hash": ("HGETALL", ()),
    b"zset": ("ZRANGE", (0, -1, "WITHSCORES")),
}
"""What reads a value of each type, and what follows the key."""


async def contents(redis: Redis, generation: int | None = None) -> dict[str, Any]:
    """Everything that a generation (the current one) holds: by key its value and when it leaves; no epochs."""
    prefix = f"codille:g{generation or await current(redis)}:"
    keys = [key.decode() async for key in keys_like(redis, f"{prefix}*", count=1000)]
    if not keys:
        return {}
    reading = [_READING[type] for type in await send(redis, [("TYPE", key) for key in keys])]
    values = await send(redis, [(name, key, *more) for key, (name, more) in zip(keys, reading, strict=True)])
    leaving = await send(redis, [("EXPIRETIME", key) for key in keys])
    for value in values:
        if isinstance(value, dict):
            value.pop(b"epoch", None)
    return {key.removeprefix(prefix): (value, at) for key, value, at in zip(keys, values, leaving, strict=True)}
