"""How far long work has come: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console

EVERY_S = 2.0
"""Time between two lines."""

Tell: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, and how much there is."""


@contextmanager
def progress(work: str, unit: str) -> Iterator[Tell]:
    """Shows on standard error how far the work has come, in so many of the unit."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(work, unit)
        return
    # Only here, since few commands take so long that they show a bar.
    from rich import progress as bars

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn(unit),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console) as bar:
        task = bar.add_task(work, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(work: str, unit: str) -> Tell:
    told = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if done == total or time.monotonic() - told >= EVERY_S:
            told = time.monotonic()
            print(f"{work}: {done} of {total} {unit}", file=sys.stderr, flush=True)

    return tell
