"""A run: games are played while a plan of faults is carried out, and then everything is checked."""

import asyncio
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from domain.record.history import Reader
from service.spec.sample import fewest_deals
from tests.fault.chaos.checker import Log, booked, by_table, check, forgotten, notices, read_log, totals
from tests.fault.chaos.clocks import Clock, library, sweep
from tests.fault.chaos.disk import Disk
from tests.fault.chaos.disk import possible as disks_are_possible
from tests.fault.chaos.faults import APART_S, FAULTS, possible
from tests.fault.chaos.kit import sit_with_kit
from tests.fault.chaos.links import link
from tests.fault.chaos.memory import Memory, Notice
from tests.fault.chaos.players import Client, Party, Wanted, board, listen, look, opened, sit, state, taken, whose
from tests.fault.chaos.world import World
from tests.fault.chaos.wrapped import BUG, FOLDER
from tests.history.archives import ARCHIVES, Archive
from tests.support.doors import Door
from tests.support.picking import temper_of
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.receivers import OK, Received, receiving, status
from tests.support.redis import Valkey
from tests.support.registry import GAMES
from tests.support.service import weight
from tests.support.waiting import PATIENCE_S, until

INSIDE = Path(__file__).with_name("inside")
ROOT = Path(__file__).parents[3]
LASTS = 40
"""The most acts after which a fault is healed, and the most seconds, since much keeps all from acting."""
LASTS_S = 4.0
RESTS_S = 1.5 + APART_S
"""Seconds without an event after which bots and clocks are taken to rest. Both are quicker."""
AT_START = 3
"""So many faults of Postgres strike while services migrate an earlier database."""
TOGETHER = 0.3
"""So often another fault strikes together with one."""
WITHOUT_BOTS, TIMED, NOTIFIED = 0.6, 0.3, 0.4
"""The shares of tables without bots, with clocks, and with a player who is notified by webhook."""
WITH_KIT = 0.3
"""The share of players who use the kit."""
UNTAKEN = 0.2
"""So often the receiver of webhooks answers a message with an error at first."""

DISK_MB = 1024
"""The size of the disk of Postgres."""

SIGNING_KEY = "5e" * 32
MANY = "100000"
SETTINGS = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_MAX_CONNECTIONS": MANY,
    "CODILLE_MAX_CONNECTIONS_PER_ADDRESS": MANY,
    "CODILLE_MAX_STREAMS_PER_ADDRESS": MANY,
    "CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535",
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
    impossible: set[str] = field(default_factory=set)
    """Faults of the plan that cannot be made to strike on this machine."""
    weights: list[tuple[int, int]] = field(default_factory=list)
    """The bytes of memory and the descriptors of all services together, every ten seconds at which all ran."""
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
    services: int = 2
    """The number of services. Each has two processes with the interface."""
    patience_s: float = PATIENCE_S / 2
    """How long streams, webhooks and statements have to come to the end of the log."""
    bug: str = ""
    """A bug that the service has."""
    archive: str = ""
    """The database of earlier versions with which the service begins; empty for none."""


Say = Callable[[str], None]


async def run(folder: Path, plan: Plan, say: Say = lambda _: None) -> Report:
    """Plays until it is enough, and checks everything. If something is wrong, the folder has the log and the calls."""
    memory, report = Memory(), Report(plan.seed)
    with ExitStack() as stack:
        world = await asyncio.to_thread(stack.enter_context, _world(folder, plan))
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
def _world(folder: Path, plan: Plan) -> Iterator[World]:
    """Servers, links to them and services over these links, which are not started yet."""
    points = folder / "points"
    points.mkdir(parents=True)
    with ExitStack() as stack:
        stack.callback(sweep)
        postgres, valkey = Postgres(binaries()), Valkey()
        stack.callback(postgres.remove)
        disk = Disk(postgres.data, DISK_MB) if disks_are_possible() else None
        if disk is not None:
            stack.callback(disk.remove)
            stack.callback(postgres.kill)
        stack.callback(valkey.remove)
        postgres.start()
        valkey.start()
        to_postgres = stack.enter_context(link(postgres.socket))
        to_redis = stack.enter_context(link(Path(urlsplit(valkey.url).path)))
        archive = ARCHIVES.get(plan.archive)
        dsn = postgres.dsn() if archive is None else postgres.dsn(archive.restore(postgres))
        over_link = as_service(dsn).replace(str(postgres.socket.parent), str(to_postgres.path.parent))
        settings = SETTINGS | {
            "CODILLE_DATABASE_URL": over_link,
            "CODILLE_DATABASE_OWNER_URL": dsn,
            "CODILLE_REDIS_URL": f"unix://{to_redis.path}",
            "CODILLE_SIGNING_KEY": SIGNING_KEY if archive is None else archive.signing_key,
            "PYTHONPATH": os.pathsep.join((str(INSIDE), str(ROOT))),
            FOLDER: str(points),
            BUG: plan.bug,
        }
        found, places = library(), [folder / f"service-{number}" for number in range(plan.services)]
        clocks = [Clock(found, folder / f"{place.name}.clock") for place in places] if found else []
        own = [settings | clock.environment for clock in clocks] or [settings] * plan.services
        doors = [_Enduring(place / "data", its) for place, its in zip(places, own, strict=True)]
        for door in doors:
            stack.callback(door.stop)
        ending, locks = asyncio.Event(), defaultdict[str, asyncio.Lock](asyncio.Lock)
        links = to_postgres, to_redis
        yield World(doors, postgres, dsn, valkey, *links, points, disk, clocks, ending, locks)


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
        report.impossible = {*plan.first, *plan.faults} - possible(world)

    def _faults(self) -> list[str]:
        """The faults that are drawn."""
        return [name for name in self._plan.faults if name not in self._report.impossible]

    def _url(self) -> str:
        """Where one of the services is."""
        return self._rng.choice(self._world.doors).url

    async def play(self) -> Log:
        """Plays until it is enough, heals what is hurt, and returns the log when all were told of it."""
        log: Log | None = None
        try:
            await self._started()
            async with asyncio.TaskGroup() as streams:
                async with asyncio.TaskGroup() as work:
                    work.create_task(self._count())
                    if self._plan.archive:
                        work.create_task(self._revived(ARCHIVES[self._plan.archive], work, streams))
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

    async def _started(self) -> None:
        """Starts the services. While they migrate an earlier database, Postgres fails in several ways."""
        rng = random.Random(self._plan.seed)  # noqa: S311
        faults = sorted(name for name in possible(self._world) if name.startswith("postgres"))
        async with asyncio.TaskGroup() as group:
            starts = [group.create_task(asyncio.to_thread(door.start)) for door in self._world.doors]
            for name in rng.sample(faults, AT_START) if self._plan.archive else ():
                if not all(start.done() for start in starts):
                    await self._one(name, 1, rng)

    async def _revived(self, archive: Archive, work: asyncio.TaskGroup, streams: asyncio.TaskGroup) -> None:
        """Plays on at the tables of an earlier version that are not over."""
        log = await read_log(self._world.dsn)
        tokens = await whose(self._url, archive.tokens.values())
        for table, records in by_table(log).items():
            party = Party(self._memory, self._url, len(self._tables), random.Random(table))  # noqa: S311
            party.table, self._memory.begun[table] = table, len(records)
            if await taken(party, tokens):
                self._tables.append(party)
                work.create_task(self._play(party, party.rng, streams))

    async def _count(self) -> None:
        """Ends the play when it is enough."""
        report, said = self._report, time.monotonic()
        while not self._plan.enough(report):
            if time.monotonic() > said + 10:
                said = time.monotonic()
                self._weigh()
                self._say(f"{report.acts} acts in {report.games} games, {report.strikes.total()} faults")
            await asyncio.sleep(0.1)
            report.acts = self._memory.acknowledged
        self._world.ending.set()

    def _weigh(self) -> None:
        """Notes what the services weigh, if all of them run."""
        if all(door.runs for door in self._world.doors):
            each = [weight(door.service) for door in self._world.doors]
            self._report.weights.append((sum(memory for memory, _ in each), sum(number for _, number in each)))

    async def _strike(self) -> None:
        """Carries out the plan: which faults strike after how many acts, and for how long."""
        plan, rng, faults = self._plan, random.Random(self._rng.getrandbits(64)), self._faults()  # noqa: S311
        first = [name for name in plan.first if name not in self._report.impossible]
        async with asyncio.TaskGroup() as group:
            while (first or faults) and not self._world.ending.is_set():
                await self._acts(rng.expovariate(1 / plan.apart), LASTS_S)
                for _ in range(1 + (rng.random() < TOGETHER)):
                    if first or faults:
                        name = first.pop(0) if first else rng.choice(faults)
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
            party = Party(memory, self._url, self._report.games, rng)
            self._report.games += 1
            await opened(party, self._wanted(names[(place + rng.randrange(len(names))) % len(names)], rng))
            self._tables.append(party)
            await self._play(party, rng, streams)

    async def _play(self, party: Party, rng: random.Random, streams: asyncio.TaskGroup) -> None:
        """Plays the seats of a table, and watches it, until the game is over."""
        memory = self._memory
        for watched in (None, rng.choice([*party.tokens])):
            streams.create_task(listen(party, watched, memory.listen(party.table, watched)))
        async with asyncio.TaskGroup() as playing:
            for seat in party.tokens:
                temper = temper_of(rng)
                if rng.random() < WITH_KIT:
                    own = random.Random(rng.getrandbits(64))  # noqa: S311
                    streams.create_task(sit_with_kit(party, seat, temper, own, memory.listen(party.table, seat)))
                else:
                    playing.create_task(sit(Client(party, seat, seat), temper))
            playing.create_task(look(Client(party, len(party.tokens), rng.choice([None, *party.tokens]))))
            await _either(party.over, self._world.ending)
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
        log = await read_log(self._world.dsn)
        while True:
            await self._told(log)
            await asyncio.sleep(RESTS_S)
            before, log = log, await read_log(self._world.dsn)
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
            for seat, player in party.players.items():
                self._memory.statements[player] = await state(party, seat, len(lines[player]), late)
        for game, due_there in totals(reader, log).items():
            self._memory.boards[game] = await board(self._url, game, due_there, late)

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
