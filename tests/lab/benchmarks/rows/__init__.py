"""The rows of the table, one module each, with a `measure` that yields its figures one by one."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module

from tests.lab.benchmarks.bench import Bench
from tests.lab.benchmarks.figures import Figure

MODULES = {
    **{
        name: name
        for name in (
            "append", "action", "processes", "race", "view", "playout", "bots", "verify", "dump", "travel",
            "projections", "memory", "streams", "clocks", "start", "heavy", "growth", "archive",
        )
    },
    "log": "one_log",
}  # fmt: skip


def _measure(module: str, bench: Bench) -> Iterator[Figure]:
    """Imports the row when it is measured, so that one that another checkout lacks code for leaves the others."""
    figures: Iterator[Figure] = import_module(f"tests.lab.benchmarks.rows.{module}").measure(bench)
    return figures


ROWS: Mapping[str, Callable[[Bench], Iterator[Figure]]] = {
    name: partial(_measure, module) for name, module in MODULES.items()
}
