"""`python -m tests.lab.golden.refresh [game …]` writes the results of the recorded games anew; their acts stay."""

import sys
from collections.abc import Sequence

from tests.golden.games import file, names, played, written
from tests.support.registry import GAMES


def main(named: Sequence[str]) -> None:
    """Writes the files of the games named, of all if none is. Raises RefusedStep where an act is refused now."""
    for of in named or GAMES:
        file(of).write_text(written([played(of, name) for name in names(of)]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
