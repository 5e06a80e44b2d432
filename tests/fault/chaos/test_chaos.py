"""Nothing is lost, doubled, leaked or out of order while everything fails. `make fault` does the same at length."""

import random
import time
from pathlib import Path

from tests.fault.chaos.faults import DEATHS, FAULTS
from tests.fault.chaos.run import Plan, Report, run
from tests.support.waiting import PATIENCE_S

DRAWN = 8
"""So many faults strike besides the deaths."""


async def test_nothing_is_lost_whatever_fails(tmp_path: Path) -> None:
    """A process dies before and after every point between a request's arrival and what follows from it, and other
    things go wrong meanwhile.
    """
    others = [name for name in FAULTS if name not in DEATHS]
    first = [*DEATHS, *random.Random(1).sample(others, DRAWN)]  # noqa: S311 (a run can be repeated)
    random.Random(2).shuffle(first)  # noqa: S311
    late = time.monotonic() + PATIENCE_S

    def enough(report: Report) -> bool:
        return {*first} <= report.healed.keys() or time.monotonic() > late

    report = await run(tmp_path, Plan(1, enough, first, faults=(), apart=4, tables=6))
    assert report.wrong == []
    assert {*first} - report.healed.keys() == set()
