"""Verified replay: decode, hash chain, seals, legality, score; whole games, one core and several."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import msgspec

from domain.audit.auditor import audit
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.registry import GAMES
from tests.lab.benchmarks.bench import Bench, alternating, median, rate_of_core
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.games import played

ROW = "verified replay"
UNIT = "events/s"


PLAYERS = tuple(f"01970000-0000-7000-8000-00000000000{number}" for number in range(3))
"""An audit takes nothing else for a player than a UUID."""


def verified(reader: Reader, games: Sequence[Sequence[Recorded]]) -> int:
    """Audits the games, as the service and a client do; how many events they have. Raises RuntimeError if any fails."""
    for records in games:
        verdict = audit(reader, records).verdict
        if verdict != "intact":
            raise RuntimeError(f"a game is {verdict}")
    return sum(map(len, games))


def plain(games: Sequence[Sequence[Recorded]]) -> int:
    """Decodes and hashes the same bytes, and does nothing with them."""
    for records in games:
        for record in records:
            for part in (record.public, record.seals, record.sealed):
                msgspec.json.decode(part)
            sha256(record.public + record.seals + record.sealed).digest()
    return sum(map(len, games))


def played_games(count: int) -> list[tuple[Recorded, ...]]:
    """Whole games by random play, each with a log of its own."""
    made = (played(seed, PLAYERS).records for seed in range(count))
    return [
        tuple(msgspec.structs.replace(record, position=position) for position, record in enumerate(records, 1))
        for records in made
    ]


def _alone(count: int, seconds: float) -> float:
    """In a process of its own: by the clock, so that what the cores share counts."""
    games, reader = played_games(count), Reader(GAMES)
    verified(reader, games)
    began, done = time.perf_counter(), 0
    while (taken := time.perf_counter() - began) < seconds:
        done += verified(reader, games)
    return done / taken


def measure(bench: Bench) -> Iterator[Figure]:
    """One core beside plain decoding and hashing; then all cores beside one."""
    games, reader = played_games(bench.pick(40, 10, 2)), Reader(GAMES)
    measured = alternating(
        bench.rounds,
        {
            "verified": lambda: rate_of_core(lambda: verified(reader, games), bench.seconds),
            "plain": lambda: rate_of_core(lambda: plain(games), bench.seconds / 2),
        },
    )
    one = median(measured["verified"])
    yield Figure(
        row=ROW,
        case="one core",
        value=one,
        unit=UNIT,
        beside=Beside(name="plain decode + SHA-256", value=median(measured["plain"])),
        must=Bound(least=100_000, of_ratio=False),
        note=f"{1e6 / one:.0f} µs an event",
    )
    cores = len(os.sched_getaffinity(0))
    single = together(1, bench)
    for number in sorted({2, cores} - {1}) if not bench.tiny else ():
        yield Figure(
            row=ROW,
            case=f"{number} cores",
            value=together(number, bench),
            unit=UNIT,
            beside=Beside(name=f"{number} × one core", value=number * single),
            must=Bound(least=0.9),
        )


def together(processes: int, bench: Bench) -> float:
    """The rate of several processes at once."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        count = bench.pick(20, 5, 1)
        return sum(pool.map(_alone, [count] * processes, [bench.seconds] * processes))
