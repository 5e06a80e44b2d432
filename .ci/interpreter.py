"""Names the Python that `make` installs with: `python3`, or another build of its version that is clearly faster.

Builds of one version differ by up to a third, and nothing in their configuration says which is faster. So each does a
fixed piece of work, which takes a second and a half for two. The choice is printed, and the reason on the standard
error.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import process_time

FASTER = 1.1
"""Another build is taken if the first one takes more than this many times as long."""
RUNS = 2
ROUNDS = 5
ROWS = 15_000


def work() -> float:
    """The processor time, in seconds, of calls, small objects, dicts, tuples and sorting."""
    began = process_time()
    rows = []
    for number in range(ROWS):
        row = _Row(number, {"seat": number % 4, "card": number % 52, "text": str(number)})
        rows.append((row.rank(), row.width(), row))
    rows.sort(key=_first)
    counts: dict[tuple[int, int], int] = {}
    for rank, width, row in rows:
        for name in row.fields:
            at = (rank % 13, len(name) + width)
            counts[at] = counts.get(at, 0) + 1
    sorted(counts.items(), key=_first)
    return process_time() - began


class _Row:
    __slots__ = ("fields", "number")

    def __init__(self, number: int, fields: dict[str, object]) -> None:
        self.number, self.fields = number, fields

    def rank(self) -> int:
        return self.number * 7919 % 10007

    def width(self) -> int:
        return sum(len(name) for name in self.fields)


def _first(row: tuple[object, ...]) -> object:
    return row[0]


def measure(python: str) -> tuple[str, float] | None:
    """Where this Python is, and the seconds of its fastest run; None if it is of another version.

    None also where it cannot make environments.
    """
    try:
        done = subprocess.run(
            [python, "-I", __file__, "--work"], capture_output=True, text=True, timeout=60, check=True
        )
        version, seconds, place = done.stdout.rstrip().split(" ", 2)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return (place, float(seconds)) if version == _version() else None


def choose(first: str, others: Iterable[str]) -> tuple[str, str]:
    """The fastest Python, and why; the first, and no reason, unless another one is clearly faster.

    They are measured in turn, since other programs may take the processor for a moment.
    """
    pythons: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for python in (first, *others):
        if os.path.realpath(python) in pythons:
            continue
        measured = measure(python)
        if measured is not None:
            place = os.path.realpath(measured[0])
            pythons.setdefault(place, python)
            seconds[place] = min(measured[1], seconds.get(place, measured[1]))
        elif python == first:
            return first, ""
    for place, python in [*pythons.items()] * (ROUNDS - 1):
        again = measure(python)
        seconds[place] = min(seconds[place], again[1] if again else seconds[place])
    own, best = next(iter(seconds)), min(seconds, key=seconds.__getitem__)
    gain = seconds[own] / seconds[best]
    if gain <= FASTER:
        return first, ""
    return pythons[best], f"{best} runs {gain:.2f} times as fast as {own} and is taken (PYTHON= overrules)"


def others() -> Iterator[str]:
    """Each `python3` on the path and in /usr/bin, by its own version's name too."""
    for folder in [*os.get_exec_path(), "/usr/bin"]:
        for name in ("python3", f"python{_version()}"):
            if os.access(Path(folder, name), os.X_OK):
                yield str(Path(folder, name))


def _version() -> str:
    return "{}.{}".format(*sys.version_info)


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        import ensurepip  # noqa: F401 (environments need it, and Debian has it in a package of its own)

        print(_version(), min(work() for _ in range(RUNS)), sys.executable)
    else:
        python, reason = choose(sys.argv[1], others())
        print(python)
        if reason:
            print(reason, file=sys.stderr)
