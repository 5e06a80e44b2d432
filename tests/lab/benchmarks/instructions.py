"""Instructions in two checkouts: `python -m tests.lab.benchmarks.instructions BEFORE [ROW…]`, or `make instructions`.

On a machine that others use too, times differ by a quarter from run to run. The number of instructions that a process
executes for a request differs by four per cent at most. Valgrind counts them (Debian's package `valgrind`); what the
kernel does for system calls is not counted, and is a quarter of an action's time.
"""

import argparse
import asyncio
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from domain.registry import GAMES
from service.cli.load_test import Connection
from tests.lab.benchmarks.bench import ROOT, Bench, environment
from tests.lab.benchmarks.outside import ALONE, PATIENCE_S, Checkout, Floor, lists

WARM, COUNTED = 200, 60
"""The requests of each connection before counting and while counting: caches are full by then."""

CONNECTIONS = 4
DEALS = (3, 30)
"""Two games of so many deals: what the longer one takes more goes by its events alone."""

PROGRAM = Path(__file__).with_name("in_process.py")
PARTS = ("playout", "decide", "offers", "refusals", "views")
"""Parts of an act in process, which `in_process.py` does; views are the house's."""
CALLGRIND = ("valgrind", "--tool=callgrind")


def main() -> None:
    """Shows each row's instructions there and here, and how many times fewer they are here."""
    parser = argparse.ArgumentParser(prog="make instructions", description="Counts instructions in two checkouts.")
    parser.add_argument("before", type=Path, help="the folder of the other checkout, which must be set up")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"some of {', '.join([*ROWS, *PARTS])}")
    arguments = parser.parse_args()
    table = Table("row", "before", "here", "times fewer", box=None)
    rows, checkouts = arguments.rows or [*ROWS, *PARTS], (Checkout(arguments.before), Checkout(ROOT))
    for row in filter(ROWS.__contains__, rows):
        _add(table, row, *(counted(checkout, row) for checkout in checkouts))
    if any(row in PARTS for row in rows):
        before, here = map(in_process, checkouts)
        for part in filter(PARTS.__contains__, rows):
            _add(table, f"{part}, all games", sum(before[part].values()), sum(here[part].values()))
            for game, number in before[part].items():
                _add(table, f"{part} {game}", number, here[part][game])
    Console().print(table)


def _add(table: Table, row: str, before: int, here: int) -> None:
    table.add_row(row, f"{before:,}", f"{here:,}", f"{before / here:.3f}")


def counted(checkout: Checkout, row: str) -> int:
    """The instructions of a row in a checkout."""
    with tempfile.TemporaryDirectory(prefix="codille-instructions-") as work:
        Path(work).chmod(0o755)
        with Bench(Path(work), quick=True, tiny=True) as bench:
            return ROWS[row](bench, checkout)


def in_process(checkout: Checkout) -> dict[str, dict[str, int]]:
    """The instructions of each part of an act in process, by part and game."""
    counts: dict[str, dict[str, int]] = {part: {} for part in PARTS}
    with tempfile.TemporaryDirectory(prefix="codille-instructions-") as work:
        profile = Path(work) / "profile"
        python = str(checkout.folder / ".venv" / "bin" / "python")
        wrapper = (*CALLGRIND, "--instr-atstart=no", f"--callgrind-out-file={profile}")
        command = [*wrapper, python, str(PROGRAM), *GAMES]
        done = subprocess.run(command, cwd=work, env=environment(ALONE), capture_output=True, text=True, check=True)
        # Valgrind numbers the dumps in their order.
        for number, line in enumerate(done.stdout.splitlines(), 1):
            part, game, acts = line.split()
            counts[part][game] = _total_of(profile.with_name(f"{profile.name}.{number}")) // int(acts)
    return counts


def _action(bench: Bench, checkout: Checkout) -> int:
    return _of_requests(bench, checkout, halfway=False)


def _view(bench: Bench, checkout: Checkout) -> int:
    return _of_requests(bench, checkout, halfway=True)


def _of_requests(bench: Bench, checkout: Checkout, *, halfway: bool) -> int:
    """The instructions of the interface's process for a request: an action or, half-way through a game, a view."""
    profile = bench.work / "profile"
    wrapper = (*CALLGRIND, "--instr-atstart=no", f"--callgrind-out-file={profile}")
    floor = Floor(bench, checkout, DEALS[:1] * CONNECTIONS, tables=3)
    with checkout.service(bench, floor.begun(), wrapper) as running:
        url, (pid,) = running.url, running.processes
        requests = [one * (WARM + COUNTED) for one in floor.halfway(url)] if halfway else floor.acts()
        sent = lists(url, requests)
        asyncio.run(_sent(url, [one[:WARM] for one in sent]))
        measured = [one[WARM : WARM + COUNTED] for one in sent]
        _control("-i", "on", pid)
        asyncio.run(_sent(url, measured))
        _control("-i", "off", pid)
        _control("-d", pid)
        return _total(profile) // sum(map(len, measured))


async def _sent(url: str, lists: Sequence[Sequence[bytes]]) -> None:
    """Sends each list's requests one after the other, all lists at once. Raises RuntimeError if one is refused."""

    async def send(requests: Sequence[bytes]) -> None:
        async with Connection(url, timeout_s=PATIENCE_S) as connection:
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
            total = _total_of(dump)
            if total:
                return total
        time.sleep(0.1)
    raise RuntimeError("Valgrind wrote no counts")


def _total_of(dump: Path) -> int:
    """The instructions of a dump; 0 if it is not written yet."""
    total = re.search(r"^(?:summary|totals): ([1-9]\d*)", dump.read_text(errors="replace"), re.MULTILINE)
    return int(total[1]) if total else 0


def _replay(bench: Bench, checkout: Checkout) -> int:
    """The instructions of `codille verify` for an event: what a long record takes more than a short one."""
    floor = Floor(bench, checkout, DEALS, tables=1)
    with checkout.service(bench, floor.played) as running:
        records = floor.records(running.url)
    counts = []
    for number, (record, _) in enumerate(records):
        file = bench.work / f"record-{number}"
        file.write_bytes(record)
        (key,) = msgspec.json.decode(record.splitlines()[-1])["keys"]
        wrapper = (*CALLGRIND, "--callgrind-out-file=/dev/null")
        said = checkout.run("verify", str(file), "--key", key, wrapper=wrapper)
        collected = re.search(r"Collected : (\d+)", said)
        if collected is None:
            raise RuntimeError("Valgrind wrote no counts")
        counts.append(int(collected[1]))
    (short, less), (long, more) = zip(counts, (events for _, events in records), strict=True)
    return (long - short) // (more - less)


ROWS: Mapping[str, Callable[[Bench, Checkout], int]] = {"action": _action, "view": _view, "replay": _replay}


if __name__ == "__main__":
    main()
