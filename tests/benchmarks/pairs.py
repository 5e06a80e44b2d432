"""Benchmarks of two checkouts in turn: `python -m tests.benchmarks.pairs BEFORE [--pairs 7] [ROW…]`, or `make pairs`.

BEFORE is a folder with another checkout that is set up. Each pair runs the rows there and here, one after the other,
so that a machine whose speed changes meanwhile treats both alike. The table shows the median of the pairs' ratios.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from tests.benchmarks.bench import ROOT
from tests.benchmarks.rows import ROWS

LESS_IS_MORE = ("ms", "s", "KB a table", "KB a stream", "µs of CPU", "% of a core")
"""Units in which a smaller figure is the better one."""


def main() -> None:
    """Measures, and shows for each figure how this checkout compares with the other; 1.05 is five per cent better."""
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 200)
    ratios: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for pair in range(1, arguments.pairs + 1):
        console.print(f"pair {pair} of {arguments.pairs}", style="dim")
        before, after = (_measured(checkout, arguments.rows) for checkout in (arguments.before, ROOT))
        for case in before.keys() & after.keys():
            ratios[case].append(_gain(before[case], after[case]))
    table = Table("row", "case", "median", "least", "most", box=None)
    for (row, case), gains in sorted(ratios.items()):
        table.add_row(row, case, *(f"{number:.3f}" for number in (median(gains), min(gains), max(gains))))
    console.print(table)


def _measured(checkout: Path, rows: list[str]) -> Mapping[tuple[str, str], tuple[float, str]]:
    """By row and case the figure and its unit, measured briefly in a checkout."""
    with tempfile.TemporaryDirectory(prefix="codille-pairs-") as out:
        command = [checkout / ".venv/bin/python", "-m", "tests.benchmarks", "--quick", "--out", out, *rows]
        subprocess.run(command, cwd=checkout, stdout=subprocess.DEVNULL, check=True)
        figures = json.loads((Path(out) / "bench.json").read_text())["figures"]
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
