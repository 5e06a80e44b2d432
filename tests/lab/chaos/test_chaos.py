"""Nothing is lost, doubled, leaked or out of order while everything fails. `make fault` does the same at length.

Services begin with a database of earlier versions, which they migrate, and whose games are played on. In `make long`
every such database is one, and a process dies before and after every point between a request's arrival and what follows
from it; otherwise at some of them.
"""

import random
import time
from pathlib import Path

from tests.history.archives import ARCHIVES
from tests.lab.chaos.faults import DEATHS, FAULTS
from tests.lab.chaos.run import Plan, Report, run
from tests.support.for_each import for_each
from tests.support.repetition import TIMES
from tests.support.waiting import PATIENCE_S

DEADLY = "beebb89"
"""With this database processes die at points."""
TRIED = [*ARCHIVES] if TIMES > 1 else [DEADLY]
DRAWN = 8 if TIMES > 1 else 3
"""So many faults strike besides the deaths."""
DIES = [*DEATHS] if TIMES > 1 else [*DEATHS][::5]
"""The deaths: before a command, after an append, before what follows of it is written, after a webhook; or all."""


@for_each("archive", TRIED)
async def test_nothing_is_lost_whatever_fails(archive: str, tmp_path: Path) -> None:
    """Processes die, and other things go wrong meanwhile."""
    others, rng = [name for name in FAULTS if name not in DEATHS], random.Random(TRIED.index(archive))  # noqa: S311
    first = [*(DIES if archive == DEADLY else ()), *rng.sample(others, DRAWN)]
    rng.shuffle(first)
    late = time.monotonic() + 2 * PATIENCE_S

    def enough(report: Report) -> bool:
        return {*first} - report.impossible <= report.healed.keys() or time.monotonic() > late

    plan = Plan(1, enough, first, faults=(), apart=4, tables=6, archive=archive)
    report = await run(tmp_path / archive, plan)
    assert report.wrong == []
    assert {*first} - report.healed.keys() == report.impossible
