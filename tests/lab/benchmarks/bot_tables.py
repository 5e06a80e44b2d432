"""What people notice of many tables at which bots play."""

import time
from collections.abc import Iterator
from itertools import cycle

import httpx

from domain.registry import GAMES
from service.store.bots_alone import MOST_OF_PLAYER
from tests.lab.benchmarks.bench import Bench, alternating, median
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.interface import Driven, Floor, Service, drive, service

LEVELS = ("random", "quick", "strong")
PEOPLE = 8
"""The connections over which people act, one act after the other."""
PATIENCE_S = 60


def measure(bench: Bench, row: str) -> Iterator[Figure]:
    """The time of people's acts beside 200 tables of bots in their usual play, and beside none."""
    tables = bench.pick(200, 200, 2)
    settling_s = bench.pick(20, 20, 0)
    floor = Floor(bench, per_connection=bench.pick(80, 40, 1))

    def played(tables: int) -> Driven:
        with service(bench, floor.database(), "one", more={"CODILLE_BOT_PROCESSES": "1"}) as running:
            if tables:
                _open(running, tables)
                time.sleep(settling_s)
            return drive(bench, running, floor.actions(running.url)[:PEOPLE])

    measured = alternating(bench.rounds, {"bots": lambda: played(tables), "none": lambda: played(0)})
    p99_ms = {name: median([one.latencies.p99_ms for one in driven]) for name, driven in measured.items()}
    yield Figure(
        row=row,
        case=f"acts of people beside {tables} tables of bots, p99",
        value=p99_ms["bots"],
        unit="ms",
        beside=Beside(name="beside none", value=p99_ms["none"]),
        must=Bound(most=2),
        note=f"{median([one.per_s for one in measured['bots']]):,.0f} acts/s over {PEOPLE} connections, beside none "
        f"{median([one.per_s for one in measured['none']]):,.0f}",
        details=measured,
    )


def _open(running: Service, tables: int) -> None:
    """Opens so many tables of all games and levels, and waits until bots have acted. Raises RuntimeError."""
    with httpx.Client(base_url=running.url, trust_env=False, timeout=PATIENCE_S) as client:
        opened = []
        for number, game in zip(range(tables), cycle(GAMES.values()), strict=False):
            if number % MOST_OF_PLAYER == 0:
                registered = client.post("/v1/players", json={"name": "bench"}).raise_for_status().json()
                client.headers["Authorization"] = f"Bearer {registered['token']}"
            seats = range(game.course.seats(game.options()))
            bots = {str(seat): LEVELS[(number + seat) % len(LEVELS)] for seat in seats}
            answer = client.post("/v1/tables", json={"game": game.name, "bots": bots}).raise_for_status()
            opened.append(answer.json()["table"])
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            first = (
                client.get(f"/v1/tables/{opened[0]}/events", params={"limit": 100}).raise_for_status().json()["items"]
            )
            if any(event["actor"].startswith("bot:") for event in first):
                return
            time.sleep(0.1)
        raise RuntimeError("bots do not play")
