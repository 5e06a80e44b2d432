"""Runs the benchmarks: `python -m tests.lab.benchmarks [--quick] [--events N] [ROW…]`, or `make bench`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from tests.lab.benchmarks import report
from tests.lab.benchmarks.bench import ROOT, Bench
from tests.lab.benchmarks.figures import Figure
from tests.lab.benchmarks.machine import busy_s, machine
from tests.lab.benchmarks.rows import ROWS

SMALLEST = 10_000
AT_ONCE_S = 0.1
"""Figures that come in less time were measured together."""


def main() -> None:
    """Measures row by row, and reports. A row that fails is reported as an error in its place."""
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 200)
    here = machine()
    began = time.monotonic()
    figures: list[Figure] = []
    with (
        tempfile.TemporaryDirectory(prefix="codille-bench-", dir=arguments.scratch) as made,
        Bench(Path(made), quick=arguments.quick, events=arguments.events) as bench,
    ):
        bench.peers.install(lambda text: console.print(text, style="dim"))
        for name in arguments.rows or ROWS:
            console.print(f"measuring: {name}", style="dim")
            try:
                for figure in _beside_others(ROWS[name](bench)):
                    figures.append(figure)
                    console.print(_line(figure), style="dim", highlight=False)
            except Exception as error:  # the other rows are worth having all the same
                console.print_exception()
                note = f"{type(error).__name__}: {error}"
                figures.append(Figure(row=name, case="failed", value=None, unit="", note=note))
    arguments.out.mkdir(parents=True, exist_ok=True)
    about = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "took_s": round(time.monotonic() - began),
        "quick": arguments.quick,
        "events": arguments.events,
    }
    report.show(console, here, figures)
    report.write(arguments.out / "bench.json", here, figures, about)
    written = ["bench.json"]
    try:
        for name in ("bench.svg", "bench.png"):
            report.plot(arguments.out / name, figures)
            written.append(name)
    except ImportError as error:
        console.print(f"no plot: {error}", style="yellow")
    console.print(f"{about['took_s']} s; written to {arguments.out}: {', '.join(written)}")
    if any(figure.case == "failed" for figure in figures):
        sys.exit(1)


def _beside_others(measured: Iterator[Figure]) -> Iterator[Figure]:
    """The figures, with what other processes took while each was measured, or the one before if both came at once."""
    began, (all_, own), cores = time.monotonic(), busy_s(), None
    for figure in measured:
        if (took := time.monotonic() - began) > AT_ONCE_S:
            (all_before, own_before), (all_, own) = (all_, own), busy_s()
            began, cores = began + took, max(0.0, (all_ - all_before - own + own_before) / took)
        yield replace(figure, others=cores)


def _line(figure: Figure) -> str:
    beside = figure.beside
    there = f" | {beside.name}: {report.number(beside.value)}" if beside else ""
    ratio = f" | {figure.ratio:.2f} ×" if figure.ratio is not None else ""
    notes = "; ".join(note for note in (figure.note, beside.note if beside else "") if note)
    return f"  {figure.case}: {report.number(figure.value)} {figure.unit}{there}{ratio} {notes}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description="Measures the service beside its limits and peers.")
    parser.add_argument("--quick", action="store_true", help="every row briefly, to try it out")
    parser.add_argument("--events", type=_events, default=None, help="grow the log up to so many events (1e6)")
    parser.add_argument("--out", type=Path, default=ROOT / ".bench" / "out", help="where to write JSON and plot")
    parser.add_argument("--scratch", type=Path, default=None, help="where the servers keep their data meanwhile")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of {', '.join(ROWS)}")
    arguments = parser.parse_args()
    for row in arguments.rows:
        if row not in ROWS:
            parser.error(f"there is no row {row}; there are {', '.join(ROWS)}")
    arguments.events = arguments.events or (30_000 if arguments.quick else 1_000_000)
    return arguments


def _events(text: str) -> int:
    events = int(float(text))
    if events < SMALLEST:
        raise argparse.ArgumentTypeError(f"at least {SMALLEST}")
    return events


if __name__ == "__main__":
    main()
