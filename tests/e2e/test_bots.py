"""Games of people and bots at running services, while the processes that play for bots are killed and come again.

`CODILLE_TEST_BOT_GAMES` is how many games are played (default: six short ones). In a long
run processes are killed until the games are over, otherwise twice.
"""

import asyncio
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import httpx
import pytest

from deploy.embedded import launch
from domain.record.recorded import Recorded
from domain.seats import Seat, bot_in
from domain.table.state import evolve, opponent_at, seats_due
from service.commands.handler import Refused
from service.compute.job_process import NICENESS
from service.run.process import BOTS_NICENESS
from service.store.database import Database
from service.store.tail import Tail
from tests.support.botplay import BotProcess, Now
from tests.support.doors import Door, doors
from tests.support.games import chance
from tests.support.helpers import helper
from tests.support.picking import pick
from tests.support.postgres import as_service
from tests.support.projecting import READER
from tests.support.registry import GAMES, fewest_deals
from tests.support.service import CODILLE, Running, audited, environment, left, measured, of_role, running
from tests.support.timekeeping import until_it
from tests.support.waiting import until

NAMES = sorted(GAMES, key=lambda name: fewest_deals(GAMES[name]) * helper(name, "habits").events_a_deal)
"""The games, short ones first."""

NUMBER = int(os.environ.get("CODILLE_TEST_BOT_GAMES", "6"))
LONG = len(NAMES) < NUMBER
GAMES_PLAYED = NAMES if LONG else NAMES[:6]
PAUSE_S, MOST_KILLS = (15.0, None) if LONG else (2.0, 2)
"""Seconds between two kills, and how many there are at most."""

SETTINGS = {
    "CODILLE_RATE_LIMIT": "off",
    "CODILLE_SIGNING_KEY": "5e" * 32,
    "CODILLE_LOG_LEVEL": "warning",
    "CODILLE_BOT_PAUSE_MS": "0",
    "CODILLE_BOT_PROCESSES": "1",
}


async def test_each_act_of_a_bot_is_done_once_whatever_is_killed(
    dsn: str, empty_redis: str, described: Mapping[str, str], tmp_path: Path
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis}
    settings = {**SETTINGS, **described, **served_by}
    async with Database(as_service(dsn)) as database, Tail(database) as tail:
        people = BotProcess(database, tail, Now(), READER)
        with doors(tmp_path, 2, settings) as both:
            tables = [await seated(people, number) for number in range(NUMBER)]
            over = asyncio.Event()
            killing = asyncio.create_task(kill(both, over))
            await asyncio.gather(*(act(people, table, seats) for table, seats in tables))
            over.set()
            assert await killing > 0
        for table, _ in tables:
            acted_once(await people.store.stream(table))
    audited(tmp_path, settings)


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_bots_are_played_for_from_the_first_on_and_their_processes_are_kept_running(
    dsn: str, empty_redis: str, described: Mapping[str, str], tmp_path: Path, workers: str
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis}
    settings = {**SETTINGS, **described, **served_by, "CODILLE_BOT_PROCESSES": "2", "CODILLE_WORKERS": workers}
    async with Database(as_service(dsn)) as database, Tail(database) as tail:
        people = BotProcess(database, tail, Now(), READER)
        with running(tmp_path / "data", settings=settings) as service:
            assert of_role(service, "bots") == []
            table = await people.with_bots("toy")
            assert NICENESS < BOTS_NICENESS < 15, "jobs come before bots, and other programs leave bots time"
            first = await playing(service, 2)
            await ended(people, table)
            os.kill(first[0], signal.SIGKILL)
            await until(lambda: len({*of_role(service, "bots")} - {first[0]}) == 2)
            await ended(people, await people.with_bots("toy"))
            await until(lambda: measured(service.metrics_url, "codille_bots_needed") == 1)
            assert measured(service.metrics_url, "codille_bots_playing") == 1
            last = of_role(service, "bots")
            assert service.stop() == 0
            await until(lambda: left(last) == [])


async def test_a_part_of_its_own_plays_for_bots(
    dsn: str, empty_redis: str, described: Mapping[str, str], tmp_path: Path
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis}
    settings = {**SETTINGS, **described, **served_by, "CODILLE_SIGNING_KEY": "", "CODILLE_BOT_PROCESSES": "2"}
    command = [str(CODILLE), "serve", "--role", "bots"]
    log = tmp_path / "log"
    async with Database(as_service(dsn)) as database, Tail(database) as tail:
        people = BotProcess(database, tail, Now(), READER)
        table = await people.with_bots("toy")
        with log.open("wb") as stream, started(command, environment(tmp_path, settings), stream) as part:
            await ended(people, table)
            part.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(part.wait, 60) == 0
        acted_once(await people.store.stream(table))


def test_a_person_alone_plays_with_bots_to_the_end(service_url: str) -> None:
    with httpx.Client(base_url=f"{service_url}/v1", timeout=60, trust_env=False) as http:
        http.headers["Authorization"] = f"Bearer {http.post('/players', json={'name': 'Ada'}).json()['token']}"
        opened = http.post("/tables", json={"game": "ombre", "deals": 3, "bots": {"1": "quick", "2": "random"}})
        path = f"/tables/{opened.json()['table']}"
        assert http.post(f"{path}/seats", json={"seat": 0}).status_code == 201
        while (view := http.get(path).json())["status"] != "finished":
            asked = http.get(f"{path}/offers").json()
            if 0 in asked["to_act"]:
                http.post(f"{path}/actions", json=pick(asked["offers"], chance(view["version"]))).raise_for_status()
            else:
                http.get(f"{path}/events", params={"after": view["version"], "wait": 10})
        assert [seat["bot"] and seat["bot"]["level"] for seat in view["seats"]] == [None, "quick", "random"]
        assert http.get(f"{path}/deals/3/audit").json()["verdict"] == "intact"
        events = http.get(f"{path}/events", params={"limit": 200}).json()["items"]
    assert {"seat:0", "bot:1", "bot:2"} <= {event["actor"] for event in events}


async def seated(people: BotProcess, number: int) -> tuple[str, list[Seat]]:
    """A table with its seats taken by bots and people, some by bots alone; and the people's seats."""
    rng = random.Random(number)  # noqa: S311 (the same in every run)
    name = GAMES_PLAYED[number % len(GAMES_PLAYED)]
    game = GAMES[name]
    seats = range(game.course.seats(game.options()))
    least = 0 if number % 3 else 1
    persons = rng.sample(seats, rng.randint(least, len(seats) - 1))
    level = "random" if number % 6 else "quick"
    bots = {seat: level for seat in seats if seat not in persons}
    return await people.with_bots(name, bots, deals=fewest_deals(game)), persons


async def act(people: BotProcess, table: str, seats: Sequence[Seat]) -> None:
    """Has the people at the table act whenever the game waits for them, until it is over."""
    while not await people.over(table):
        state = await people.state(table)
        waited = seats_due(READER.of(state), state)
        due = [seat for seat in seats if seat in waited]
        if not waited and state.running_deal is not None:
            due = list(seats)
        if due:
            # Without turns, a bot may be first.
            with suppress(Refused):
                await people.act_at(table, due[0])
        await asyncio.sleep(0.01)


async def kill(both: Sequence[Door], over: asyncio.Event) -> int:
    """Kills the processes that play for bots, one after the other, until it is over. Returns how many it killed."""
    killed = 0
    while killed != MOST_KILLS:
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE_S):
                await over.wait()
        if over.is_set():
            break
        for process in of_role(both[killed % 2].service, "bots"):
            os.kill(process, signal.SIGKILL)
            killed += 1
    return killed


def acted_once(records: Sequence[Recorded]) -> None:
    """Bots acted when the game waited for them, and where it waits for nobody, when they were offered something."""
    assert records[-1].type == "game-finished"
    state = READER.opened(records[0])
    game = READER.of(state)
    actions: Counter[str | None] = Counter()
    for record in records[1:]:
        seat = bot_in(record.actor)
        if seat is not None:
            actions[record.action] += 1
            waited = seats_due(game, state)
            assert opponent_at(state, seat) is not None
            assert seat in waited or (not waited and state.running_deal is not None), (record.type, record.version)
        state = evolve(game, state, READER.read(record))
    assert set(actions.values()) == {1}


async def playing(service: Running, number: int) -> list[int]:
    """The processes that play for bots, once so many give way to all else of the service."""
    given = [min(os.getpriority(os.PRIO_PROCESS, service.process.pid) + BOTS_NICENESS, 19)] * number
    await until(lambda: [os.getpriority(os.PRIO_PROCESS, one) for one in of_role(service, "bots")] == given)
    return of_role(service, "bots")


async def ended(people: BotProcess, table: str) -> None:
    """Returns once the game is over."""
    await until_it(lambda: people.over(table))


@contextmanager
def started(command: Sequence[str], environ: Mapping[str, str], log: BinaryIO) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that runs within the context."""
    wrapped = [*launch.prefix(signal.SIGTERM), *command]
    process = subprocess.Popen(wrapped, env=environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
