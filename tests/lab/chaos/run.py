"""A run: games are played while a plan of faults is carried out, and then everything is checked."""

import asyncio
import gc
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from domain.record.history import Reader
from domain.record.recorded import Recorded
from tests.history.archives import ARCHIVES, Archive
from tests.lab.chaos.checker import Log, by_table, check, read_log
from tests.lab.chaos.clocks import Clock, library, sweep
from tests.lab.chaos.disk import Disk
from tests.lab.chaos.disk import possible as disks_are_possible
from tests.lab.chaos.faults import FAULTS, Missed, possible
from tests.lab.chaos.games import MIXES, SETTINGS, Games, Mix, Say, notified
from tests.lab.chaos.links import link
from tests.lab.chaos.memory import Memory
from tests.lab.chaos.players import Party, taken, whose
from tests.lab.chaos.world import World
from tests.lab.chaos.wrapped import BUG, FOLDER
from tests.support.doors import Door
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.redis import Valkey
from tests.support.registry import GAMES
from tests.support.service import weight
from tests.support.waiting import PATIENCE_S

ROOT = Path(__file__).parents[3]
INSIDE = Path(__file__).with_name("inside").relative_to(ROOT)
LASTS = 40
"""The most acts after which a fault is healed, and the most seconds, since much keeps all from acting."""
LASTS_S = 4.0
PACE = 20
"""Acts a second. Where fewer are taken, the next fault does not wait for all acts that the plan has between two."""
MISSED_S = 0.1
"""Seconds until a fault strikes again that had nothing to strike."""
AT_START = 3
"""So many faults of Postgres strike while services migrate an earlier database."""
TOGETHER = 0.3
"""So often another fault strikes together with one."""
ERRORS = '"request failed"', '"the log differs from its audit"', "Traceback (most recent call last)"
"""Entries of a service's log with one of these are due to no fault."""
ENTRY = re.compile(r"\n(?=\{)")
"""Between two entries of a log: a line of JSON each, with what follows it and is none, as a traceback."""
DISK_MB = 1024
"""The size of the disk of Postgres."""

SIGNING_KEY = "5e" * 32
OWN_SETTINGS = {"CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535", "CODILLE_WORKERS": "2"}


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
    mix: Mix = MIXES["even"]
    """Who is at them."""
    services: int = 2
    """The number of services. Each has two processes with the interface."""
    patience_s: float = PATIENCE_S / 2
    """How long streams, webhooks and statements have to come to the end of the log."""
    bug: str = ""
    """A bug that the service has."""
    archive: str = ""
    """The database of earlier versions with which the service begins; empty for none."""
    before: Path | None = None
    """A checkout of an earlier release, which the first service runs. It starts before the others."""


def runs_out(reader: Reader, records: Sequence[Recorded]) -> bool:
    """Whether a time limit of the game's rules runs at the table."""
    table = reader.fold(None, records)
    return table.deal_state is not None and reader.of(table).decider.timer(table.deal_state) is not None


async def run(folder: Path, plan: Plan, say: Say = lambda _: None) -> Report:
    """Plays until it is enough, and checks everything. If something is wrong, the folder has the log and the calls."""
    memory, report = Memory(), Report(plan.seed)
    with ExitStack() as stack:
        world = await asyncio.to_thread(stack.enter_context, _world(folder, plan))
        async with notified(memory) as hook:
            log = await _Run(world, plan, memory, report, hook, say).play()
    report.events = len(log.records)
    say(f"checking {report.events} events")
    report.wrong = await asyncio.to_thread(lambda: [*check(Reader(GAMES), log, memory), *_errors(folder)])
    if report.wrong:
        for name, lines in {"events": log.records, "calls": memory.calls}.items():
            (folder / f"{name}.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return report


def _errors(folder: Path) -> Iterator[str]:
    """What services logged of errors of their own: a request that failed, or a process that ended by one."""
    for log in sorted(folder.glob("service-*/data.log")):
        for entry in ENTRY.split(log.read_text()):
            if any(error in entry for error in ERRORS):
                yield f"{log.parent.name} logged {entry}"


@contextmanager
def _world(folder: Path, plan: Plan) -> Iterator[World]:
    """Servers, links to them and services over these links, which are not started yet."""
    points = folder / "points"
    points.mkdir(parents=True)
    with ExitStack() as stack:
        stack.callback(sweep)
        # Left alone, the WAL would come to fill the disk.
        postgres, valkey = Postgres(binaries(), {"max_wal_size": "128MB"}), Valkey()
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
        settings = {
            **SETTINGS,
            **OWN_SETTINGS,
            "CODILLE_DATABASE_URL": over_link,
            "CODILLE_DATABASE_OWNER_URL": dsn,
            "CODILLE_REDIS_URL": f"unix://{to_redis.path}",
            "CODILLE_SIGNING_KEY": SIGNING_KEY if archive is None else archive.signing_key,
            **code_of(ROOT),
            FOLDER: str(points),
            BUG: plan.bug,
        }
        found, places = library(), [folder / f"service-{number}" for number in range(plan.services)]
        clocks = [Clock(found, folder / f"{place.name}.clock") for place in places] if found else []
        own = [settings | clock.environment for clock in clocks] or [settings] * plan.services
        if plan.before is not None:
            own[0] |= code_of(plan.before)
        doors = [_Enduring(place / "data", its) for place, its in zip(places, own, strict=True)]
        for door in doors:
            stack.callback(door.stop)
        ending, locks = asyncio.Event(), defaultdict[str, asyncio.Lock](asyncio.Lock)
        links = to_postgres, to_redis
        yield World(doors, postgres, dsn, valkey, *links, points, disk, clocks, ending, locks)


def code_of(checkout: Path) -> dict[str, str]:
    """The setting by which a service runs the code of a checkout."""
    return {"PYTHONPATH": os.pathsep.join((str(checkout / INSIDE), str(checkout)))}


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


class _Over(Exception):
    """Ends the group of tasks that listen without end."""


class _Run:
    """A run in progress."""

    def __init__(self, world: World, plan: Plan, memory: Memory, report: Report, hook: str, say: Say) -> None:
        self._world = world
        self._plan = plan
        self._memory = memory
        self._report = report
        self._say = say
        self._rng = random.Random(plan.seed)  # noqa: S311 (a run can be repeated; nothing is secret)
        self._games = Games(
            memory, self._url, world.dsn, hook, world.ending, mix=plan.mix, patience_s=plan.patience_s, say=say
        )
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
                        work.create_task(self._games.at(place, self._rng.getrandbits(64), streams))
                self._say(f"healed: {self._report.acts} acts, {self._report.strikes.total()} faults")
                log = await self._games.settled()
                raise _Over
        except* _Over:
            pass
        assert log is not None
        return log

    async def _started(self) -> None:
        """Starts the services. While they migrate an earlier database, Postgres fails in several ways."""
        rng = random.Random(self._plan.seed)  # noqa: S311
        faults = sorted(name for name in possible(self._world) if name.startswith("postgres"))
        doors = list(self._world.doors)
        if self._plan.before is not None:
            await asyncio.to_thread(doors.pop(0).start)
        async with asyncio.TaskGroup() as group:
            starts = [group.create_task(asyncio.to_thread(door.start)) for door in doors]
            for name in rng.sample(faults, AT_START) if self._plan.archive else ():
                if not all(start.done() for start in starts):
                    await self._one(name, 1, rng)

    async def _revived(self, archive: Archive, work: asyncio.TaskGroup, streams: asyncio.TaskGroup) -> None:
        """Plays on at the tables of an earlier version that are not over, but for those whose time runs out by itself.

        Their records would go on while they are compared.
        """
        log = await read_log(self._world.dsn)
        tokens = await whose(self._url, archive.tokens.values())
        for table, records in by_table(log).items():
            if runs_out(Reader(GAMES), records):
                continue
            party = Party(self._memory, self._url, len(self._games.tables), random.Random(table))  # noqa: S311
            party.table, self._memory.begun[table] = table, len(records)
            if await taken(party, tokens):
                self._games.tables.append(party)
                work.create_task(self._games.play(party, party.rng, streams))

    async def _count(self) -> None:
        """Ends the play when it is enough."""
        report, said = self._report, time.monotonic()
        while not self._plan.enough(report):
            if time.monotonic() > said + 10:
                said = time.monotonic()
                self._weigh()
                # What is written down stays: garbage collections would look at all of it again and again.
                gc.freeze()
                self._say(f"{report.acts} acts in {report.games} games, {report.strikes.total()} faults")
            await asyncio.sleep(0.1)
            report.acts, report.games = self._memory.acknowledged, self._games.begun
        # Other tests may follow in this process.
        gc.unfreeze()
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
                apart = rng.expovariate(1 / plan.apart)
                await self._acts(apart, LASTS_S + apart / PACE)
                for _ in range(1 + (rng.random() < TOGETHER)):
                    if first or faults:
                        name = first.pop(0) if first else rng.choice(faults)
                        group.create_task(self._one(name, rng.randint(1, LASTS), random.Random(rng.getrandbits(64))))  # noqa: S311

    async def _one(self, name: str, lasts: int, rng: random.Random) -> None:
        """One fault: it strikes as soon as there is something to strike, lasts, and is healed."""
        async with self._world.alone(name):
            while not self._world.ending.is_set():
                try:
                    async with FAULTS[name](self._world, rng):
                        self._report.strikes[name] += 1
                        await self._acts(lasts, LASTS_S * rng.random())
                except Missed:
                    await asyncio.sleep(MISSED_S)
                else:
                    self._report.healed[name] += not self._world.ending.is_set()
                    return

    async def _acts(self, number: float, within_s: float) -> None:
        """Returns after so many acts, after so many seconds, or at the end."""
        until_ = self._memory.acknowledged + number
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self._memory.acknowledged < until_ and not self._world.ending.is_set():  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
