"""`make machines`: follows the page of `deploy/machines`, and prints what each fault came to."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence

from service.cli.progress import show_progress
from tests.lab.machines.faults import FAULTS
from tests.lab.machines.hosts import ROOT, missing
from tests.lab.machines.run import Plan, Row, run, written

FOLDER = ROOT / ".machines"
"""Where hosts have their files during a run."""
APART = "CODILLE_MACHINES_APART"
"""Set where this process has namespaces of its own."""
TAKES_S = 25.0
"""Seconds that a fault takes besides the play around it, more or less."""
PLAYED_S = 5.0
"""The fewest seconds of play before and after a fault."""


def main() -> None:
    """Exits with 1 if anything is lost, doubled, missed or repeated, or if hosts cannot be made here."""
    parser = argparse.ArgumentParser(prog="make machines", description="Plays games while hosts fail.")
    parser.add_argument("--minutes", type=float, default=8.0, help="How long a run plays, more or less.")
    parser.add_argument("--games", type=int, default=12, help="So many games are played at once.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", nargs="*", default=list(FAULTS), help="Only those whose name begins so.")
    asked = parser.parse_args()
    if lacking := missing():
        sys.exit(f"hosts cannot be made here: {lacking}")
    if APART not in os.environ:
        # What this process starts ends with it, and nothing of it is seen outside.
        apart = ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
        os.environ[APART] = "1"
        os.execvp(apart[0], [*apart, sys.executable, "-m", "tests.lab.machines", *sys.argv[1:]])  # noqa: S606
    names = [name for name in FAULTS if name.startswith(tuple(asked.faults))]
    around_s = max(PLAYED_S, (60 * asked.minutes / max(1, len(names)) - TAKES_S) / 2)
    with show_progress("machines", "faults") as progress:
        rows = asyncio.run(run(FOLDER, Plan(asked.seed, asked.games, around_s, names), _say, progress))
    written(FOLDER, rows)
    print("\n".join(table(rows)), flush=True)
    if wrong := [f"{row.fault}: {line}" for row in rows for line in row.wrong]:
        print("\n".join(wrong[:50]))
        sys.exit(f"what hosts logged is in {FOLDER}")


def table(rows: Sequence[Row]) -> list[str]:
    """The lines of the table."""
    head = f"{'fault':26} {'Redis':10} {'no act for':>10} {'wanted':>7} {'one act':>8} {'acts':>6}"
    lines = [f"{head} {'lost':>5} {'doubled':>8} {'streams':>8} {'other':>6}"]
    for row in rows:
        times = f"{row.gap_s:8.1f} s {row.wanted_s:5.0f} s {row.waited_s:6.1f} s {row.acts:6}"
        counts = f"{row.count('lost'):5} {row.count('doubled'):8} {row.count('streams'):8} {row.count('other'):6}"
        lines.append(f"{row.fault:26} {row.form:10} {times} {counts}")
    return lines


def _say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, flush=True)


if __name__ == "__main__":
    main()
