"""A game without turns: a table whose four seats act 25 times a second, and how many such tables a core carries."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from service.cli.load_test import Latencies, latencies
from tests.lab.benchmarks.bench import Bench, module
from tests.lab.benchmarks.figures import Bound, Figure
from tests.lab.benchmarks.interface import Service, measured_by, service

ROW = "a race without turns"
PER_S = 25.0
"""Acts a second at a table."""
RACES = ("lost-race", "wrong-phase")
"""What an act may be refused for that was offered: another was first, or the hand was over."""


class Raced(Struct, frozen=True):
    """What came of tables at which seats raced."""

    tables: int
    per_s: float
    """Acts a second at each table."""
    refused: Mapping[str, int]
    latencies: Latencies
    carried: float
    """How many such tables a core of the service would carry."""
    client_busy: float


def measure(bench: Bench) -> Iterator[Figure]:
    """One process that serves the interface and one that projects; each act is offered first, then taken."""
    many = bench.pick(12, 6, 1)
    with service(bench, bench.database("race", migrated=True), "apart") as running:
        one = _race(bench, running, 1)
        full = _race(bench, running, many)
    lost = {code: one.refused.get(code, 0) + full.refused.get(code, 0) for code in RACES}
    note = ", ".join(f"{number} × {code}" for code, number in lost.items())
    yield Figure(
        row=ROW,
        case="one table, four seats",
        value=one.per_s,
        unit="acts/s",
        must=Bound(least=0.95 * PER_S, of_ratio=False),
        note=f"p99 {one.latencies.p99_ms:.1f} ms; no act lost, none refused but {note}",
        details={"one": one, "many": full},
    )
    yield Figure(
        row=ROW,
        case=f"such tables a core carries, of {many}",
        value=full.carried,
        unit="tables",
        note=f"{full.per_s:.1f} acts/s at each, p99 {full.latencies.p99_ms:.1f} ms; "
        f"the client took {full.client_busy:.0%} of a core",
    )


def _race(bench: Bench, target: Service, tables: int) -> Raced:
    """Has so many tables race. Raises RuntimeError if an act was refused that was not lost to another."""
    warm_s, seconds = bench.pick(2.0, 0.7, 0.1), max(1.0, bench.seconds)
    measured, cpu_s = measured_by(module("racing", target.url, tables, PER_S, warm_s, seconds), target)
    wrong = {code: number for code, number in measured["refused"].items() if code not in RACES}
    if wrong or not measured["taken"]:
        raise RuntimeError(f"acts were refused: {wrong}")
    return Raced(
        tables,
        measured["due"] / measured["seconds"] / tables,
        measured["refused"],
        latencies(measured["latencies_s"]),
        tables * measured["seconds"] / cpu_s,
        measured["busy"],
    )
