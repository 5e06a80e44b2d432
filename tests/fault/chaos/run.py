"""A run: games are played while a plan of faults is carried out, and then everything is checked."""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from domain.record.history import Reader
from service.spec.sample import fewest_deals
from tests.fault.chaos.checker import Log, booked, by_table, check, forgotten, notices, read_log
from tests.fault.chaos.faults import FAULTS, World
from tests.fault.chaos.links import link
from tests.fault.chaos.memory import Memory, Notice
from tests.fault.chaos.players import Client, Party, Wanted, listen, look, opened, sit, state
from tests.fault.chaos.wrapped import BUG, FOLDER
from tests.support.doors import Door
from tests.support.picking import temper_of
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.receivers import OK, Received, receiving, status
from tests.support.redis import Valkey
from tests.support.registry import GAMES
from tests.support.waiting import PATIENCE_S, until

INSIDE = Path(__file__).with_name("inside")
ROOT = Path(__file__).parents[3]
SERVICES = 2
LASTS = 40
"""The most acts after which a fault is healed, and the most seconds, since much keeps all from acting."""
LASTS_S = 4.0
RESTS_S = 2.0
"""Seconds without an event after which bots and clocks are taken to rest. Both are quicker."""
TOGETHER = 0.3
"""So often another fault strikes together with one."""
WITHOUT_BOTS, TIMED, NOTIFIED = 0.6, 0.3, 0.4
"""The shares of tables without bots, with clocks, and with a player who is notified by webhook."""
UNTAKEN = 0.2
"""So often the receiver of webhooks answers a message with an error at first."""

MANY = "100000"
SETTINGS = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_MAX_CONNECTIONS": MANY,
    "CODILLE_MAX_CONNECTIONS_PER_ADDRESS": MANY,
    "CODILLE_MAX_STREAMS_PER_ADDRESS": MANY,
    "CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535",
    "CODILLE_SIGNING_KEY": "5e" * 32,
    "CODILLE_BOT_PAUSE_MS": "20",
    "CODILLE_BOT_PROCESSES": "1",
    "CODILLE_WORKERS": "2",
    "CODILLE_LOG_LEVEL": "warning",
}
OPTIONS: Mapping[str, Mapping[str, object]] = {"nuts": {"stall": 10}}
"""A game's options, besides which it has its defaults."""


class Report(Struct):
    """What a run came to."""

    seed: int
    acts: int = 0
    """Acts that were acknowledged."""
    games: int = 0
    """Games that were begun."""
    strikes: Counter[str] = field(default_factory=Counter)
    """How often each fault struck."""
    healed: Counter[str] = field(default_factory=Counter)
    """How often each fault had struck and was over when the run ended. A death is over when a process has died."""
    events: int = 0
    wrong: list[str] = field(default_factory=list)
    """What was lost, doubled, leaked or out of order."""


class Plan(Struct, frozen=True):
    """What a run is to do. All that is drawn follows from the seed."""

    seed: int
    enough: Callable[[Report], bool]
    """Whether the run may end."""
    first: Sequence[str] = ()
    """Faults that strike once each, in this order, before others are drawn."""
    faults: Sequence[str] = tuple(FAULTS)
    """The faults that are drawn."""
    apart: int = 60
    """The mean number of acknowledged acts between two strikes."""
    tables: int = 12
    """The number of tables at which games are played at once."""
    patience_s: float = PATIENCE_S / 2
    """How long streams, webhooks and statements have to come to the end of the log."""
    bug: str = ""
    """A bug that the service has."""


Say = Callable[[str], None]


async def run(folder: Path, plan: Plan, say: Say = lambda _: None) -> Report:
    """Plays until it is enough, and checks everything. If something is wrong, the folder has the log and the calls."""
    memory, report = Memory(), Report(plan.seed)
    with _world(folder, plan.bug) as world:
        await asyncio.gather(*(asyncio.to_thread(door.start) for door in world.doors))
        async with _notified(memory) as hook:
            log = await _Run(world, plan, memory, report, hook, say).play()
    report.events = len(log.records)
    say(f"checking {report.events} events")
    report.wrong = await asyncio.to_thread(lambda: list(check(Reader(GAMES), log, memory)))
    if report.wrong:
        for name, lines in {"events": log.records, "calls": memory.calls}.items():
            (folder / f"{name}.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return report


@contextmanager
def _world(folder: Path, bug: str) -> Iterator[World]:
    """Servers, links to them and services over these links, which are not started yet."""
    points = folder / "points"
    points.mkdir(parents=True)
    with ExitStack() as stack:
        postgres, valkey = Postgres(binaries()), Valkey()
        stack.callback(postgres.remove)
        stack.callback(valkey.remove)
        postgres.start()
        valkey.start()
        to_postgres = stack.enter_context(link(postgres.socket))
        to_redis = stack.enter_context(link(Path(urlsplit(valkey.url).path)))
        over_link = as_service(postgres.dsn()).replace(str(postgres.socket.parent), str(to_postgres.path.parent))
        settings = SETTINGS | {
            "CODILLE_DATABASE_URL": over_link,
            "CODILLE_DATABASE_OWNER_URL": postgres.dsn(),
            "CODILLE_REDIS_URL": f"unix://{to_redis.path}",
            "PYTHONPATH": os.pathsep.join((str(INSIDE), str(ROOT))),
            FOLDER: str(points),
            BUG: bug,
        }
        doors = [_Enduring(folder / f"service-{number}" / "data", settings) for number in range(SERVICES)]
        for door in doors:
            stack.callback(door.stop)
        yield World(doors, postgres, valkey, to_postgres, to_redis, points)


class _Enduring(Door):
    """A service that is started again and again until it runs: its servers may be away."""

    def start(self) -> None:
        """Starts it, and returns once it listens."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return super().start()
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)


@asynccontextmanager
async def _notified(memory: Memory) -> AsyncIterator[str]:
    """Where webhooks are sent. It writes down what it takes, and refuses some messages once."""
    rng, known = random.Random(0), set[str]()  # noqa: S311

    def answer(received: Received) -> bytes:
        # After a second failure it would be minutes until the service sends a message again.
        if received.id not in known and rng.random() < UNTAKEN:
            known.add(received.id)
            return status(500)
        told = received.notice
        data = told["data"]
        memory.notices[Notice(data["table"], data["version"], told["type"], data["player"])].add(received.id)
        return OK

    async with receiving() as receiver:
        receiver.answer = answer
        yield receiver.url


class _Over(Exception):
    """Ends the group of tasks that listen without end."""


class _Run:
    """A run in progress."""

    def __init__(self, world: World, plan: Plan, memory: Memory, report: Report, hook: str, say: Say) -> None:
        self._world = world
        self._plan = plan
        self._memory = memory
        self._report = report
        self._hook = hook
        self._say = say
        self._rng = random.Random(plan.seed)  # noqa: S311 (a run can be repeated; nothing is secret)
        self._tables: list[Party] = []

    async def play(self) -> Log:
        """Plays until it is enough, heals what is hurt, and returns the log when all were told of it."""
        log: Log | None = None
        try:
            async with asyncio.TaskGroup() as streams:
                async with asyncio.TaskGroup() as work:
                    work.create_task(self._count())
                    work.create_task(self._strike())
                    for place in range(self._plan.tables):
                        work.create_task(self._games(place, self._rng.getrandbits(64), streams))
                self._say(f"healed: {self._report.acts} acts, {self._report.strikes.total()} faults")
                log = await self._settled()
                raise _Over
        except* _Over:
            pass
        assert log is not None
        return log

    async def _count(self) -> None:
        """Ends the play when it is enough."""
        report, said = self._report, time.monotonic()
        while not self._plan.enough(report):
            if time.monotonic() > said + 10:
                said = time.monotonic()
                self._say(f"{report.acts} acts in {report.games} games, {report.strikes.total()} faults")
            await asyncio.sleep(0.1)
            report.acts = self._memory.acknowledged
        self._world.ending.set()

    async def _strike(self) -> None:
        """Carries out the plan: which faults strike after how many acts, and for how long."""
        plan, rng, first = self._plan, random.Random(self._rng.getrandbits(64)), [*self._plan.first]  # noqa: S311
        async with asyncio.TaskGroup() as group:
            while (first or plan.faults) and not self._world.ending.is_set():
                await self._acts(rng.expovariate(1 / plan.apart), LASTS_S)
                for _ in range(1 + (rng.random() < TOGETHER)):
                    if first or plan.faults:
                        name = first.pop(0) if first else rng.choice(plan.faults)
                        group.create_task(self._one(name, rng.randint(1, LASTS), random.Random(rng.getrandbits(64))))  # noqa: S311

    async def _one(self, name: str, lasts: int, rng: random.Random) -> None:
        """One fault: it strikes, lasts, and is healed."""
        async with self._world.alone(name):
            if not self._world.ending.is_set():
                self._report.strikes[name] += 1
                async with FAULTS[name](self._world, rng):
                    await self._acts(lasts, LASTS_S * rng.random())
                self._report.healed[name] += not self._world.ending.is_set()

    async def _acts(self, number: float, within_s: float) -> None:
        """Returns after so many acts, after so many seconds, or at the end."""
        until_ = self._memory.acknowledged + number
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self._memory.acknowledged < until_ and not self._world.ending.is_set():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    async def _games(self, place: int, seed: int, streams: asyncio.TaskGroup) -> None:
        """Plays one game after the other."""
        rng, memory, world = random.Random(seed), self._memory, self._world  # noqa: S311
        names = sorted(GAMES)
        while not world.ending.is_set():
            party = Party(memory, lambda: rng.choice(world.doors).url, self._report.games, rng)
            self._report.games += 1
            await opened(party, self._wanted(names[(place + rng.randrange(len(names))) % len(names)], rng))
            self._tables.append(party)
            people = len(party.tokens)
            for seat in (None, rng.randrange(people)):
                streams.create_task(listen(party, seat, memory.listen(party.table, seat)))
            async with asyncio.TaskGroup() as playing:
                for seat in range(people):
                    playing.create_task(sit(Client(party, seat, seat), temper_of(rng)))
                playing.create_task(look(Client(party, people, rng.choice([None, 0]))))
                await _either(party.over, world.ending)
                party.over.set()

    def _wanted(self, name: str, rng: random.Random) -> Wanted:
        """A table of this game."""
        game, options = GAMES[name], OPTIONS.get(name, {})
        seats = game.course.seats(game.options(**options))
        people = seats if rng.random() < WITHOUT_BOTS else rng.randint(1, seats)
        hook = self._hook if rng.random() < NOTIFIED else ""
        return Wanted(name, fewest_deals(game), options, seats, people, rng.random() < TIMED, hook)

    async def _settled(self) -> Log:
        """The log when nothing happens any more, and all were told of it, or should have been.

        Bots and clocks go on by themselves: where all players are away, to the game's end.
        """
        await self._ask_again()
        log = await read_log(self._world.postgres.dsn())
        while True:
            await self._told(log)
            await asyncio.sleep(RESTS_S)
            before, log = log, await read_log(self._world.postgres.dsn())
            if log.end == before.end:
                return log

    async def _told(self, log: Log) -> None:
        """Returns when all were told of all that this log has. What does not come is a fault that the checker names."""
        reader, records, late = Reader(GAMES), by_table(log), time.monotonic() + self._plan.patience_s
        due = {
            notice
            for party in self._tables
            for notice in notices(reader, records[party.table])
            if notice.player in self._memory.subscribed
        }

        def told() -> bool:
            streams = all((one.last or 0) >= len(records[one.table]) for one in self._memory.streams)
            return streams and due <= self._memory.notices.keys()

        with suppress(TimeoutError):
            await until(told, patience_s=self._plan.patience_s)
        self._say(f"{log.end} events, {len(due - self._memory.notices.keys())} of {len(due)} notices have not come")
        lines = booked(reader, log.records)
        for party in self._tables:
            for seat, player in enumerate(party.players):
                self._memory.statements[player] = await state(party, seat, len(lines[player]), late)

    async def _ask_again(self) -> None:
        """Sends every forgotten act once more with its key, which tells whether it was taken."""
        tables = {party.table: party for party in self._tables}
        acts = forgotten(self._memory.calls)
        await asyncio.gather(*(Client(tables[call.table], -1, call.seat).again(call) for call in acts))


async def _either(one: asyncio.Event, other: asyncio.Event) -> None:
    """Returns when either is set."""
    waits = [asyncio.create_task(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
