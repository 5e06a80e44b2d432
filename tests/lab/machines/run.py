"""A run: games are played while one fault after the other strikes, and after each everything is checked."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.record.history import Reader
from tests.lab.chaos.checker import Log, check
from tests.lab.chaos.games import Games, Say, notified
from tests.lab.chaos.memory import Call, Memory
from tests.lab.machines.faults import FAULTS
from tests.lab.machines.guide import FORMS
from tests.lab.machines.hosts import CLIENTS
from tests.lab.machines.machines import URL, Machines
from tests.support.registry import GAMES

KINDS = {
    "lost": ("is lost", "other events than the record", "are not the last events", "have gaps", "the counter is at"),
    "doubled": ("were acknowledged with one event", "was answered in two ways", "was never acknowledged"),
    "streams": ("the stream of",),
}
"""What is wrong, by the words with which the checker says so. All else is another thing."""


class Row(Struct):
    """What a fault came to."""

    fault: str
    form: str
    wanted_s: float
    gap_s: float = 0.0
    """The longest time without an accepted act, of all tables together."""
    waited_s: float = 0.0
    """The longest that a client has waited until one act was answered."""
    acts: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, kind: str) -> int:
        """How much of this kind is wrong; `other` for what is of no kind."""
        return sum(kind == kind_of(line) for line in self.wrong)


def kind_of(line: str) -> str:
    """What a line of the checker is about."""
    return next((kind for kind, words in KINDS.items() if any(word in line for word in words)), "other")


class Timed(Memory):
    """A memory that knows when acts were answered."""

    def __init__(self) -> None:
        super().__init__()
        self.accepted_at: list[float] = []
        """When the first acknowledgement of each act arrived."""
        self.waited_s = 0.0
        """The longest time from an act to its answer."""
        self._asked_at: dict[str, float] = {}

    def ask(self, call: Call) -> Call:
        """Writes down a request that is about to be sent."""
        if call.kind == "act":
            self._asked_at.setdefault(call.key, time.monotonic())
        return super().ask(call)

    def answer(self, call: Call, status: int, body: Any, *, replayed: bool = False) -> None:
        """Writes down the answer to a request."""
        before = self.acknowledged
        super().answer(call, status, body, replayed=replayed)
        if self.acknowledged > before:
            self.accepted_at.append(time.monotonic())
            self.waited_s = max(self.waited_s, time.monotonic() - self._asked_at[call.key])


def longest_gap(times: Iterable[float], since: float, until: float) -> float:
    """The longest time between two of these times, from one moment to another."""
    within = [since, *sorted(one for one in times if since <= one <= until), until]
    return max(after - before for before, after in pairwise(within))


class Plan(Struct, frozen=True):
    """What a run is to do."""

    seed: int
    tables: int
    """The number of tables at which games are played at once."""
    around_s: float
    """Seconds of play before each fault, and after all is whole again."""
    faults: Sequence[str]


class _Over(Exception):
    """Ends the group of tasks that listen without end."""


async def run(folder: Path, plan: Plan, say: Say, progress: Callable[[int, int], None]) -> list[Row]:
    """Follows the page for each form of Redis, and plays while each fault strikes."""
    rows: list[Row] = []
    # What happens without a fault is tried in one form, unless that alone is asked for.
    once = [] if list(plan.faults) == ["nothing"] else [("cluster", "nothing")]
    due = [(form, name) for form in FORMS for name in plan.faults if form in FAULTS[name].forms]
    due = [each for each in due if each not in once]
    for form in dict(due):
        own = [name for at, name in due if at == form]
        machines = Machines(folder, form, say)
        try:
            await machines.start()
            for name in own:
                say(f"{name} ({form})")
                rows.append(await _fault(machines, form, name, plan, say))
                progress(len(rows), len(due))
                say(_told(rows[-1]))
        finally:
            machines.stop()
    return rows


async def _fault(machines: Machines, form: str, name: str, plan: Plan, say: Say) -> Row:
    """Plays while one fault strikes, until all were told of all, and checks everything."""
    fault, memory, ending = FAULTS[name], Timed(), asyncio.Event()
    row = Row(name, form, fault.wanted_s)
    rng = random.Random(f"{plan.seed} {name}")  # noqa: S311 (a run can be repeated; nothing is secret)
    log: Log | None = None

    async def strike() -> None:
        try:
            await asyncio.sleep(plan.around_s)
            since = time.monotonic()
            row.wrong += await fault.strike(machines, rng)
            say(f"whole again after {time.monotonic() - since:.0f} s")
            await asyncio.sleep(plan.around_s)
            row.gap_s = longest_gap(memory.accepted_at, since, time.monotonic())
            row.waited_s = memory.waited_s
        finally:
            ending.set()

    async with notified(memory, CLIENTS) as hook:
        games = Games(memory, lambda: URL, machines.dsn, hook, ending, say=say)
        try:
            async with asyncio.TaskGroup() as streams:
                async with asyncio.TaskGroup() as work:
                    work.create_task(strike())
                    for place in range(plan.tables):
                        work.create_task(games.at(place, rng.getrandbits(64), streams))
                log = await games.settled()
                raise _Over
        except* _Over:
            pass
        except* Exception as failed:
            row.wrong += [f"it did not go on: {error!r}" for error in failed.exceptions]
    row.acts = memory.acknowledged
    if log is not None:
        row.wrong += await asyncio.to_thread(lambda: list(check(Reader(GAMES), log, memory)))
    return row


def _told(row: Row) -> str:
    return f"{row.fault}: {row.gap_s:.1f} s without an act, {row.acts} acts, {len(row.wrong)} wrong"


def written(folder: Path, rows: Sequence[Row]) -> None:
    """Keeps the rows beside what hosts have logged."""
    (folder / "rows.json").write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
