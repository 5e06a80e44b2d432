"""The progress of long work, on standard error: a bar on a terminal, a line every few seconds elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from projections.rebuild import Progress

EVERY_S = 2.0
"""Seconds between two lines."""


@contextmanager
def show_progress(work: str, unit: str) -> "Iterator[Progress]":
    """Shows the progress of the work within the context; amounts are counted in the unit."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(work, unit)
        return
    # Imported late: few commands take long enough to show a bar.
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


def _lines(work: str, unit: str) -> "Progress":
    printed_at = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal printed_at
        if done == total or time.monotonic() - printed_at >= EVERY_S:
            printed_at = time.monotonic()
            print(f"{work}: {done} of {total} {unit}", file=sys.stderr, flush=True)

    return progress
