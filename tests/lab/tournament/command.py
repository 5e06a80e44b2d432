"""The command plays, shows the progress, and writes what it came to."""

import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from service.cli.progress import show_progress
from service.cli.terminal_text import console, table
from service.config import load_registry
from service.run.serve_error import ServeError
from tests.lab.tournament.contests import Contest, Played, Tournament
from tests.lab.tournament.duplicates import Pair
from tests.lab.tournament.report import HEADINGS, measured_before, rows, told, write_report
from tests.lab.tournament.state import DealsFile, codes
from tests.lab.tournament.workers import WorkerLost, play

DEALS_FILE = "deals.jsonl"


class Asked(Struct, frozen=True):
    """What the command's arguments ask for."""

    games: Sequence[str]
    pairs: Sequence[Pair]
    deals: int
    """The most deals of a game and a pair."""
    jobs: int
    seed: str
    seconds: float
    """How long to play; `inf` without a limit."""
    out: Path
    beside: Path | None = None
    """A `strength.json` with what was measured of other games."""


def run(asked: Asked, registry: str) -> None:
    """Plays what the file of deals in the folder does not have yet, and writes what all deals show.

    Raises ServeError, after all that, if deals raised errors, and if a process was lost.
    """
    games = load_registry(registry)
    contests = [Contest(game, pair, asked.deals) for game in asked.games for pair in asked.pairs]
    tournament = Tournament(contests)
    file = DealsFile(asked.out / DEALS_FILE, asked.seed, codes(asked.games))
    tournament.add(file.read())
    complete = {contest.name for contest in contests if contest.complete}
    with show_progress("playing", "deals") as progress:

        def finished(played: Played) -> None:
            file.append(played)
            progress(*tournament.counted)
            for contest in contests:
                if contest.complete and contest.name not in complete:
                    complete.add(contest.name)
                    print(told(contest), file=sys.stderr, flush=True)

        try:
            play(tournament, registry, asked.seed, asked.jobs, finished, asked.seconds)
        except WorkerLost as error:
            raise ServeError(str(error)) from error
        finally:
            before = [] if asked.beside is None else measured_before(asked.beside)
            written = write_report(asked.out, contests, games, before)
    output = console()
    output.print(table(HEADINGS, rows(contests)))
    output.print(f"\nwritten: {', '.join(map(str, written))}")
    failed = [contest for contest in contests if contest.failure is not None]
    for contest in failed:
        print(f"\n{contest.name}, {contest.failure}", file=sys.stderr)
    if failed:
        raise ServeError(f"deals failed: {', '.join(contest.name for contest in failed)}")
