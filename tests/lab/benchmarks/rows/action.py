"""An action over HTTP: authentication, offers, decision, durable append, answer; in real games."""

from collections.abc import Iterator

from tests.lab.benchmarks.bench import Bench, alternating
from tests.lab.benchmarks.figures import Bound, Figure
from tests.lab.benchmarks.interface import Driven, Floor, Shape, bare, beside_bare, drive, service

ROW = "action over HTTP"


def measure(bench: Bench) -> Iterator[Figure]:
    """One process, with the projections beside it in another, and with everything in it."""
    floor = Floor(bench, per_connection=bench.pick(10, 5, 1))

    def played(shape: Shape) -> Driven:
        with service(bench, floor.database(), shape) as running:
            return drive(bench, running, floor.actions(running.url))

    def limit() -> Driven:
        with bare(bench) as running:
            return drive(bench, running, floor.actions(running.url), again=True)

    measured = alternating(
        bench.rounds,
        {"bare": limit, "apart": lambda: played("apart"), "one": lambda: played("one")},
    )
    for shape, case in (("apart", "one process, projections in another"), ("one", "everything in one process")):
        yield from beside_bare(
            ROW,
            f"{case}, {len(floor.games)} connections",
            "actions",
            measured[shape],
            measured["bare"],
            must=Bound(least=0.5),
            aim=Bound(least=0.7),
        )
