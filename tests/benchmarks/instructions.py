"""Instructions in two checkouts: `python -m tests.benchmarks.instructions BEFORE [ROW…]`, or `make instructions`.

On a machine that others use too, times differ by a quarter from run to run. The number of instructions that a process
executes for a request differs by four per cent at most. Valgrind counts them (Debian's package `valgrind`); what the
kernel does for system calls is not counted, and is a quarter of an action's time.

Each checkout plays with its own code: this file runs in both, and uses only what 70ad555 has too.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks import interface
from tests.benchmarks.bench import Bench
from tests.benchmarks.rows import verify
from tests.support import service as started

WARM, COUNTED = 200, 60
"""The requests of each connection before counting and while counting: caches are full by then."""

GAMES = 6
"""The number of audited games."""

CALLGRIND = ("valgrind", "--tool=callgrind")

COUNT = "--count"
"""Begins the arguments with which this file runs in a checkout: it counts one row and prints the number."""


def main() -> None:
    """Shows each row's instructions there and here, and how many times fewer they are here."""
    if sys.argv[1:2] == [COUNT]:
        print(COUNTS[sys.argv[2]](*map(int, sys.argv[3:])))
        return
    parser = argparse.ArgumentParser(prog="make instructions", description="Counts instructions in two checkouts.")
    parser.add_argument("before", type=Path, help="the folder of the other checkout, which must be set up")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of {', '.join(ROWS)}")
    arguments = parser.parse_args()
    table = Table("row", "before", "here", "times fewer", box=None)
    for row in arguments.rows or ROWS:
        before, here = (_counted(checkout, row) for checkout in (arguments.before.resolve(), Path.cwd()))
        table.add_row(row, f"{before:,}", f"{here:,}", f"{before / here:.3f}")
    Console().print(table)


def _counted(checkout: Path, row: str) -> int:
    """The instructions of a row in a checkout."""
    command = [checkout / ".venv/bin/python", __file__, COUNT, row]
    environ = os.environ | {"PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"}
    counted = subprocess.run(command, cwd=checkout, env=environ, stdout=subprocess.PIPE, text=True, check=True)
    return int(counted.stdout.split()[-1])


def _action() -> int:
    return _of_requests(halfway=False)


def _view() -> int:
    return _of_requests(halfway=True)


def _of_requests(*, halfway: bool) -> int:
    """The instructions of the interface's process for a request: an action or, half-way through a game, a view."""
    with tempfile.TemporaryDirectory(prefix="codille-instructions-") as work:
        Path(work).chmod(0o755)
        profile = Path(work) / "profile"
        started.CODILLE = type(started.CODILLE)(_wrapped(Path(work), profile))
        with Bench(Path(work), quick=True, tiny=True) as bench:
            floor = interface.Floor(bench, per_connection=5)
            with interface.service(bench, floor.database(halfway=halfway), "apart") as running:
                views, url = floor.views(running.url), running.url
                lists = [one * (WARM + COUNTED) for one in views] if halfway else floor.actions(url)
                asyncio.run(_sent(url, [one[:WARM] for one in lists]))
                counted = [one[WARM : WARM + COUNTED] for one in lists]
                pid = running.processes[0]
                _control("-i", "on", pid)
                asyncio.run(_sent(url, counted))
                _control("-i", "off", pid)
                _control("-d", pid)
                return _total(profile) // sum(map(len, counted))


def _wrapped(folder: Path, profile: Path) -> str:
    """The service's command, which runs the interface's process under Valgrind and counts nothing at first."""
    command = started.CODILLE
    wrapper = folder / "codille"
    wrapper.write_text(
        f"""#!/bin/sh
if [ "$CODILLE_ROLE" = api ]; then
    exec {" ".join(CALLGRIND)} --instr-atstart=no --callgrind-out-file={profile} {sys.executable} {command} "$@"
fi
exec {command} "$@"
"""
    )
    wrapper.chmod(0o755)
    return str(wrapper)


async def _sent(url: str, lists: Sequence[Sequence[bytes]]) -> None:
    """Sends each list's requests one after the other, all lists at once. Raises RuntimeError if one is refused."""

    async def send(requests: Sequence[bytes]) -> None:
        async with interface.Connection(url, timeout_s=60) as connection:
            for request in requests:
                answer = await connection.send(request)
                if answer.status not in (200, 201):
                    raise RuntimeError(f"a request was answered with {answer.status}")

    await asyncio.gather(*map(send, lists))


def _control(*arguments: object) -> None:
    command = ["callgrind_control", *map(str, arguments)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def _total(profile: Path) -> int:
    """The instructions of a dump, once it is written."""
    for _ in range(600):
        for dump in profile.parent.glob(f"{profile.name}.*"):
            total = re.search(r"^(?:summary|totals): ([1-9]\d*)", dump.read_text(errors="replace"), re.MULTILINE)
            if total:
                return int(total[1])
        time.sleep(0.1)
    raise RuntimeError("Valgrind wrote no counts")


def _replay() -> int:
    """The instructions of a verified replay for an event: three audits of the same games, less one."""
    counts = []
    for rounds in (1, 3):
        command = [*CALLGRIND, "--callgrind-out-file=/dev/null", sys.executable, __file__, COUNT, "audits", str(rounds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if counted is None:
            raise RuntimeError("Valgrind wrote no counts")
        counts.append(int(counted[1]))
        events = int(done.stdout)
    return (counts[1] - counts[0]) // (2 * events)


def _audits(rounds: int) -> int:
    """Audits the same games so often; how many events they have."""
    games = verify._games(GAMES)
    reader = verify.Reader(verify.GAMES)
    return [verify.verified(reader, games) for _ in range(rounds)][-1]


ROWS = ("action", "view", "replay")

COUNTS: Mapping[str, Callable[..., int]] = {"action": _action, "view": _view, "replay": _replay, "audits": _audits}


if __name__ == "__main__":
    main()
