"""The rows of the table, one module each, with a `measure` that yields its figures one by one."""

from collections.abc import Callable, Iterator, Mapping

from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure
from tests.benchmarks.rows import (
    action,
    append,
    bots,
    clocks,
    growth,
    heavy,
    memory,
    one_log,
    playout,
    processes,
    projections,
    race,
    start,
    streams,
    travel,
    verify,
    view,
)

ROWS: Mapping[str, Callable[[Bench], Iterator[Figure]]] = {
    "append": append.measure,
    "action": action.measure,
    "processes": processes.measure,
    "race": race.measure,
    "view": view.measure,
    "playout": playout.measure,
    "bots": bots.measure,
    "verify": verify.measure,
    "travel": travel.measure,
    "projections": projections.measure,
    "memory": memory.measure,
    "streams": streams.measure,
    "clocks": clocks.measure,
    "start": start.measure,
    "heavy": heavy.measure,
    "growth": growth.measure,
    "log": one_log.measure,
}
