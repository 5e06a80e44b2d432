"""Benchmarks of two checkouts in turn: `make pairs`, or `python -m tests.lab.benchmarks.pairs BEFORE [ROW…]`.

BEFORE is a folder with another checkout that is set up. Each pair runs the rows there and here, one after the other,
so that a machine whose speed changes meanwhile treats both alike. The table shows the median of the pairs' ratios.

The files of this checkout measure both. The rows in `OUTSIDE` know a service by its command and its interface alone,
so they measure every commit since 70ad555. The others run on the other checkout's Python with the other one's code, as
long as that has what they use; a row for which it has not is named.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from tests.lab.benchmarks import outside
from tests.lab.benchmarks.bench import ROOT, Bench
from tests.lab.benchmarks.outside import Checkout
from tests.lab.benchmarks.rows import ROWS

TESTS = Path(__file__).parents[2]

Case: TypeAlias = tuple[str, str]
"""A row and a case of it."""

OUTSIDE: Mapping[str, Callable[[Bench, Checkout], Mapping[str, tuple[float, str]]]] = {
    "action": outside.action,
    "view": outside.view,
    "start": outside.start,
}

LESS_IS_MORE = ("ms", "s", "KB a table", "KB a stream", "µs of CPU", "% of a core")
"""Units in which a smaller figure is the better one."""


def main() -> None:
    """Measures, and shows for each figure how this checkout compares with the other; 1.05 is five per cent better."""
    arguments = _arguments()
    rows, checkouts = arguments.rows or [*ROWS], (arguments.before.resolve(), ROOT)
    console = Console(width=None if sys.stdout.isatty() else 200)
    ratios: defaultdict[Case, list[float]] = defaultdict(list)
    for pair in range(1, arguments.pairs + 1):
        console.print(f"pair {pair} of {arguments.pairs}", style="dim")
        before, after = (_measured(checkout, rows) for checkout in checkouts)
        for case in before.keys() & after.keys():
            ratios[case].append(_gain(before[case], after[case]))
    table = Table("row", "case", "median", "least", "most", box=None)
    for (row, case), gains in sorted(ratios.items()):
        table.add_row(row, case, *(f"{number:.3f}" for number in (median(gains), min(gains), max(gains))))
    console.print(table)


def _measured(checkout: Path, rows: Sequence[str]) -> Mapping[Case, tuple[float, str]]:
    """By row and case the figure and its unit, measured briefly in a checkout."""
    within = [row for row in rows if row not in OUTSIDE]
    return _outside(checkout, [row for row in rows if row in OUTSIDE]) | (inside(checkout, within) if within else {})


def _outside(checkout: Path, rows: Sequence[str]) -> dict[Case, tuple[float, str]]:
    one = Checkout(checkout)
    with tempfile.TemporaryDirectory(prefix="codille-pairs-") as work, Bench(Path(work), quick=True) as bench:
        Path(work).chmod(0o755)
        return {(row, case): figure for row in rows for case, figure in OUTSIDE[row](bench, one).items()}


def inside(checkout: Path, rows: Sequence[str]) -> dict[Case, tuple[float, str]]:
    """This checkout's tests, run with the other one's code: of both, theirs are found first."""
    with tempfile.TemporaryDirectory(prefix="codille-pairs-") as work:
        (Path(work) / "tests").symlink_to(TESTS)
        out = Path(work) / "out"
        command = [checkout / ".venv/bin/python", "-m", "tests.lab.benchmarks", "--quick", "--out", out, *rows]
        path = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join((work, str(checkout)))}
        subprocess.run(command, cwd=checkout, env=os.environ | path, stdout=subprocess.DEVNULL, check=False)
        if not (out / "bench.json").exists():
            sys.stderr.write(f"{checkout} lacks what these rows use: {', '.join(rows)}\n")
            return {}
        figures = json.loads((out / "bench.json").read_text())["figures"]
    for one in figures:
        if one["case"] == "failed":
            sys.stderr.write(f"{one['row']} cannot be measured in {checkout}: {one['note']}\n")
    return {
        # Cases name what a row happened to play, as "99 deals, 4080 events".
        (one["row"], "".join(sign for sign in one["case"] if not sign.isdigit())): (one["value"], one["unit"])
        for one in figures
        if one["value"]
    }


def _gain(before: tuple[float, str], after: tuple[float, str]) -> float:
    """How many times better the second figure is."""
    return before[0] / after[0] if after[1] in LESS_IS_MORE else after[0] / before[0]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make pairs", description="Measures another checkout and this one in turn.")
    parser.add_argument("before", type=Path, help="the folder of the other checkout")
    parser.add_argument("--pairs", type=int, default=7, help="how many pairs")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of {', '.join(ROWS)}")
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    main()
