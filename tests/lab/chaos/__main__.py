"""`make fault`: runs at length, and prints what struck and what went wrong."""

import argparse
import asyncio
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.history.archives import ARCHIVES
from tests.lab.chaos.faults import FAULTS
from tests.lab.chaos.games import MIXES
from tests.lab.chaos.run import Plan, Report, run

FOLDER = Path(".fault").absolute()
"""Where services have their data during a run."""


def main() -> None:
    """Exits with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="make fault", description="Plays games while everything fails.")
    parser.add_argument("--minutes", type=float, default=10.0, help="How long a run plays.")
    parser.add_argument("--seed", type=int, default=1, help="That of the first run; each further run has the next.")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--apart", type=int, default=60, help="The mean number of acts between two faults.")
    parser.add_argument("--tables", type=int, default=12, help="The number of tables played at once.")
    parser.add_argument("--mix", default="even", choices=MIXES, help="Who is at them.")
    parser.add_argument("--faults", nargs="*", default=list(FAULTS), help="Only those whose name begins so.")
    parser.add_argument("--archive", default="", choices=["", *ARCHIVES], help="A database of earlier versions.")
    parser.add_argument("--before", type=Path, help="A checkout of an earlier release, which one of two services runs.")
    asked = parser.parse_args()
    # Ended like this, a run stops its servers and unmounts its disk as well.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    names = [name for name in FAULTS if name.startswith(tuple(asked.faults))]
    reports: list[Report] = []
    for seed in range(asked.seed, asked.seed + asked.runs):
        shutil.rmtree(FOLDER, ignore_errors=True)
        ends = time.monotonic() + 60 * asked.minutes
        plan = Plan(
            seed,
            lambda _, ends=ends: time.monotonic() > ends,
            faults=names,
            apart=asked.apart,
            tables=asked.tables,
            mix=MIXES[asked.mix],
            archive=asked.archive,
            before=asked.before and asked.before.absolute(),
        )
        reports.append(asyncio.run(run(FOLDER, plan, _say)))
        _print(reports[-1])
        if reports[-1].wrong:
            sys.exit(f"the log, the calls and what services logged are in {FOLDER}")
    shutil.rmtree(FOLDER)
    if asked.runs > 1:
        _print_all(reports)


def _say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, flush=True)


def _print(report: Report) -> None:
    print(f"seed {report.seed}: {report.acts} acts in {report.games} games, {report.events} events")
    for name, times in sorted(report.strikes.items()):
        print(f"{times:6} {name}")
    print(f"{report.strikes.total():6} faults, of which {report.healed.total()} were over at the end")
    for name in sorted(report.impossible):
        print(f"       {name} cannot be made to strike on this machine")
    quarter = len(report.weights) // 4
    for part, some in (("first", report.weights[:quarter]), ("last", report.weights[-quarter:])) if quarter else ():
        memory, descriptors = (int(median(each)) for each in zip(*some, strict=True))
        print(f"in the {part} quarter the services had {memory >> 20} MB and {descriptors} descriptors")
    print("\n".join(report.wrong[:50]) if report.wrong else "nothing lost, doubled, leaked or out of order", flush=True)


def _print_all(reports: Sequence[Report]) -> None:
    healed = sum((report.healed for report in reports), Counter[str]())
    acts, games = sum(report.acts for report in reports), sum(report.games for report in reports)
    print(f"{len(reports)} runs: {acts} acts in {games} games, {healed.total()} faults of {len(healed)} kinds")


if __name__ == "__main__":
    main()
