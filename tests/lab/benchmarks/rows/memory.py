"""Memory of many running tables in one process: what is kept to decide on commands, and to keep the read models up."""

import gc
import json
import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from domain.record.history import History, Reader
from domain.record.recorded import Recorded
from domain.registry import GAMES
from projections.fold import fold
from tests.lab.benchmarks.bench import Bench, environment, module, resident_bytes
from tests.lab.benchmarks.figures import Bound, Figure
from tests.lab.benchmarks.games import many

ROW = "memory"
LIMIT_KB = 10


def measure(bench: Bench) -> Iterator[Figure]:
    """Tables half-way through their games, each folded for itself; their events are let go of."""
    distinct, tables = bench.pick((500, 10_000), (50, 1_000), (2, 20))
    players = [[f"{seat:08}-0000-7000-8000-{number:012}" for seat in range(3)] for number in range(distinct)]
    halves = [game.records[: game.actions[len(game.actions) // 2][2]] for game in many(players)]
    file = bench.work / "halves"
    file.write_bytes(pickle.dumps(halves))
    kept = {what: _taken(what, file, tables) for what in KEEPING}
    for what, case in (("commands", "to decide on commands"), ("projections", "to project")):
        yield Figure(row=ROW, case=f"{tables:,} tables, {case}", value=kept[what], unit="KB a table")
    yield Figure(
        row=ROW,
        case=f"{tables:,} tables, all of it in one process",
        value=sum(kept.values()),
        unit="KB a table",
        must=Bound(most=LIMIT_KB, of_ratio=False),
        note=f"{sum(map(len, halves)) / len(halves):.0f} events a table, not counted",
    )


def _taken(what: str, file: Path, tables: int) -> float:
    done = subprocess.run(
        module("rows.memory", what, file, tables), env=environment(), capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout)["kb"])


def _commands(reader: Reader) -> Callable[[Sequence[Recorded]], object]:
    """As `service.commands.cache.TableCache` keeps them."""
    known: OrderedDict[str, History | None] = OrderedDict()

    def keep(records: Sequence[Recorded]) -> object:
        known[f"{records[0].table}{len(known)}"] = reader.history(records)
        return known

    return keep


def _projections(reader: Reader) -> Callable[[Sequence[Recorded]], object]:
    """As `projections.fold.Folds` keeps them."""
    known: OrderedDict[str, object] = OrderedDict()

    def keep(records: Sequence[Recorded]) -> object:
        known[f"{records[0].table}{len(known)}"] = fold(reader, records)[0]
        return known

    return keep


KEEPING = {"commands": _commands, "projections": _projections}


def main(what: str, file: str, tables: str) -> None:
    """Keeps so many tables, after some to warm up, and measures how much of the process's memory each takes."""
    halves: list[Sequence[Recorded]] = pickle.loads(Path(file).read_bytes())  # noqa: S301 (it was written for this)
    keep = KEEPING[what](Reader(GAMES))
    kept: object = None
    for records in halves:
        kept = keep(records)
    gc.collect()
    before = resident_bytes(os.getpid())
    for number in range(int(tables)):
        kept = keep(halves[number % len(halves)])
    gc.collect()
    taken = (resident_bytes(os.getpid()) - before) / int(tables) / 1000
    assert kept
    print(json.dumps({"kb": taken}))


if __name__ == "__main__":
    main(*sys.argv[1:])
