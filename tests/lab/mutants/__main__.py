"""`python -m tests.lab.mutants GAME` draws mutants of a game's rules and shows which its tests do not notice.

They are drawn, by a seed, from the functions and tables that say what is legal, what follows and what is booked. Each
runs alone under the game's refusals, golden games and tests, until the first one fails.
"""

import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.lab.mutants.applied import GAME, MUTANT
from tests.lab.mutants.changes import ROOT, Mutant, described, mutants_of, source_of

FEWEST = 25
NO_RULES = {"__init__", "earlier", "events", "meta", "rules", "view", "words"}
"""The modules of a game that compute nothing by its rules."""
OF_OPPONENTS = {"policy", "unseen"}
"""The modules of a game that play and imagine for opponents."""
SECONDS = 90
"""The processor's time after which a mutant goes on for ever."""
BYTES = 4 * 2**30


def modules(game: str) -> list[str]:
    """The modules that compute by the game's rules; if they have few mutants, what they use of `domain.parts` too."""
    folder = ROOT / "domain" / "games" / game
    own = [
        f"domain.games.{game}.{path.stem}"
        for path in sorted(folder.glob("*.py"))
        if path.stem not in NO_RULES | OF_OPPONENTS
    ]
    if sum(len(mutants_of(module)) for module in own) >= FEWEST:
        return own
    text = "".join(source_of(module).read_text(encoding="utf-8") for module in own)
    return [*own, *sorted(set(re.findall(r"^from (domain\.parts\.\w+) import", text, re.MULTILINE)))]


def drawn(game: str, count: int, seed: int, of: Sequence[str] = ()) -> list[Mutant]:
    """So many mutants of the modules, or of the game's, the same ones for the same seed."""
    every = [mutant for module in of or modules(game) for mutant in mutants_of(module)]
    chance = random.Random(f"{game} {seed}")  # noqa: S311 - nothing secret is drawn from it
    return chance.sample(every, min(count, len(every)))


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def tried(game: str, mutant: Mutant | None) -> dict[str, Any]:
    """What the tests say of a mutant, or of the game as it is."""
    room = mutant.module.split(".")[1] if mutant else "games"
    tests = [] if room == "games" else [f"tests/unit/{room}"]
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-x", "-p", "tests.lab.mutants.applied", "-p", "no:cacheprovider"),
        *("-p", "no:randomly", "--hypothesis-seed=0", "--tb=line"),
        *(*tests, "tests/property/test_refusals.py", "tests/golden", f"tests/games/{game}"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {GAME: game, "HYPOTHESIS_STORAGE_DIRECTORY": folder}
        environment |= {MUTANT: str(mutant)} if mutant else {}
        run = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, preexec_fn=limited
        )
    # With some mutants the game cannot be imported.
    if run.returncode > 2 and "domain/registry.py" not in run.stderr:
        raise SystemExit(f"{mutant}: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    by = re.search(r"^(?:FAILED|ERROR) (.*)", run.stdout, re.MULTILINE)
    return {"mutant": str(mutant), "caught": run.returncode != 0, "by": by[1] if by else "its limits or import"}


def shown(results: Iterator[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Shows the results as they come; those not noticed with what they change."""
    kept = []
    for place, result in enumerate(results, 1):
        verdict = "caught  " if result["caught"] else "SURVIVED"
        sys.stdout.write(f"{place}/{number} {verdict} {result['mutant']}\n")
        if not result["caught"]:
            sys.stdout.write(f"{described(Mutant.named(result['mutant']))}\n")
        sys.stdout.flush()
        kept.append(result)
    return kept


def main(arguments: Sequence[str] | None = None) -> None:
    """Tries the mutants. Exits with 1 if some were not noticed."""
    parser = ArgumentParser(prog="python -m tests.lab.mutants", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=FEWEST)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", nargs="*", default=(), help="modules; without them, those of the game's rules")
    parser.add_argument("--again", type=Path, help="a file of results: its mutants are tried again")
    parser.add_argument("--out", type=Path, help="where the results are written, as JSON")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.again:
        again = json.loads(asked.again.read_text(encoding="utf-8"))
        mutants = [Mutant.named(result["mutant"]) for result in again]
    else:
        mutants = drawn(asked.game, asked.count, asked.seed, asked.of)
    if tried(asked.game, None)["caught"]:
        raise SystemExit("the tests of the game fail without any mutant")
    with ThreadPoolExecutor(asked.jobs) as pool:
        results = shown(pool.map(lambda mutant: tried(asked.game, mutant), mutants), len(mutants))
    if asked.out:
        asked.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    survivors = sum(not result["caught"] for result in results)
    sys.stdout.write(f"{asked.game}: {len(results) - survivors} of {len(results)} caught\n")
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
