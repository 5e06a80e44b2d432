"""`make fault`: runs at length, and prints what struck and what went wrong."""

import argparse
import asyncio
import shutil
import sys
import time
from pathlib import Path

from tests.fault.chaos.faults import FAULTS
from tests.fault.chaos.run import Plan, Report, run

FOLDER = Path(".fault").absolute()
"""Where services have their data during a run."""


def main() -> None:
    """Exits with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="make fault", description="Plays games while everything fails.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", nargs="*", default=list(FAULTS), help="Only those whose name begins so.")
    asked = parser.parse_args()
    names = [name for name in FAULTS if name.startswith(tuple(asked.faults))] if asked.faults else []
    ends = time.monotonic() + 60 * asked.minutes

    def say(text: str) -> None:
        print(time.strftime("%H:%M:%S"), text, flush=True)

    shutil.rmtree(FOLDER, ignore_errors=True)
    report = asyncio.run(run(FOLDER, Plan(asked.seed, lambda _: time.monotonic() > ends, faults=names), say))
    _print(report)
    if report.wrong:
        sys.exit(f"the log, the calls and what services logged are in {FOLDER}")
    shutil.rmtree(FOLDER)


def _print(report: Report) -> None:
    print(f"seed {report.seed}: {report.acts} acts in {report.games} games, {report.events} events")
    for name, times in sorted(report.strikes.items()):
        print(f"{times:6} {name}")
    print(f"{report.strikes.total():6} faults")
    print("\n".join(report.wrong[:50]) if report.wrong else "nothing lost, doubled, leaked or out of order")


if __name__ == "__main__":
    main()
