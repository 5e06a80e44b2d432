"""`python -m tests.lab.golden.refresh [--newest] [game …]` writes the results of recorded games anew; their acts stay.

They are played under the rules that they name. With `--newest` they are played under the newest rules, and name these.
"""

import sys
from collections.abc import Sequence

from msgspec.structs import replace

from tests.golden.games import file, play, recordings, written
from tests.support.registry import GAMES

NEWEST = "--newest"


def main(arguments: Sequence[str]) -> None:
    """Writes the files of the games named, of all if none is. Raises RefusedStep where an act is refused now.

    Raises SystemExit, and writes nothing, where a recorded game names earlier rules and newest ones are not asked for.
    """
    named = [name for name in arguments if name != NEWEST] or GAMES
    for of in named:
        newest = GAMES[of].rulebook.version
        older = [one.name for one in recordings(of).values() if one.rules != newest]
        if older and NEWEST not in arguments:
            sys.exit(f"{of} has recorded games under earlier rules than {newest}: refresh {NEWEST} {of} renews them")
        games = [play(of, replace(one, rules=newest)) for one in recordings(of).values()]
        file(of).write_text(written(games), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
