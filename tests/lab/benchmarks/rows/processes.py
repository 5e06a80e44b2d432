"""Several processes that serve the interface: what an action costs each of them, beside what it costs one."""

from collections.abc import Callable, Iterator

from tests.lab.benchmarks.bench import Bench, alternating, median
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.interface import Driven, Floor, Shape, drive, service

ROW = "several processes"


def measure(bench: Bench) -> Iterator[Figure]:
    """Two to four processes beside one, each with the projections in a process of their own."""
    floor = Floor(bench, per_connection=bench.pick(16, 8, 1))
    several = bench.pick((2, 3, 4), (2, 4), (2,))

    def played(shape: Shape) -> Callable[[], Driven]:
        def work() -> Driven:
            with service(bench, floor.database(), shape) as running:
                return drive(bench, running, floor.actions(running.url))

        return work

    measured = alternating(bench.rounds, {"1": played("apart"), **{str(number): played(number) for number in several}})
    one = median([1e6 / each.cpu_us for each in measured["1"]])
    for number in several:
        mine = measured[str(number)]
        yield Figure(
            row=ROW,
            case=f"{number} processes",
            value=median([1e6 / each.cpu_us for each in mine]),
            unit="actions/CPU s",
            beside=Beside(name="one process", value=one),
            must=Bound(least=0.85),
            note=f"{median([each.per_s for each in mine]):,.0f} actions/s in all, one process "
            f"{median([each.per_s for each in measured['1']]):,.0f}",
            details={"rounds": mine, "one": measured["1"]},
        )
