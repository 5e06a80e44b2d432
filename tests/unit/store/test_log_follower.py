"""A follower of the log has each event taken in once and in order, whatever fails meanwhile."""

import asyncio
from collections.abc import Sequence

import structlog
from structlog.testing import capture_logs

from domain.record.recorded import Recorded
from service.observability.background_work import Work
from service.store.database import StoreUnavailable
from service.store.log_follower import BATCH, LogFollower
from tests.support.live import MemoryLog, events


class Growing(MemoryLog):
    """A log that stops its follower when nothing more comes."""

    def __init__(self, length: int, stop: asyncio.Event) -> None:
        super().__init__(length)
        self.stop = stop

    async def wait(self, *_: float) -> None:
        self.stop.set()
        await asyncio.Event().wait()


class Watcher:
    """What a follower has taken in, and how long it slept in between."""

    def __init__(self, length: int) -> None:
        self.stop = asyncio.Event()
        self.log = Growing(length, self.stop)
        self.work = Work()
        self.taken: list[int] = []
        self.slept: list[float] = []
        self.outages = 0
        log = structlog.get_logger()
        self.follower = LogFollower(self.log, log, "watching", self.work, 1.0, 2.0, 3.0, sleep=self._sleep)

    async def run(self, *, learns: bool) -> None:
        self.stop.clear()
        await self.follower.run(self.stop, self._learn if learns else None, self._take)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def _learn(self) -> None:
        assert self.follower.position is None
        # What comes meanwhile is not part of what is learnt.
        self.append(BATCH + 1)

    async def _take(self, records: Sequence[Recorded]) -> None:
        if self.outages:
            self.outages -= 1
            raise StoreUnavailable("away")
        self.taken += [record.position for record in records]

    def append(self, count: int) -> None:
        length = len(self.log.records)
        self.log.records += events(*range(length + 1, length + count + 1))


async def test_what_comes_while_it_learns_is_taken_and_a_full_page_is_followed_by_the_next_at_once() -> None:
    watcher = Watcher(5)
    await watcher.run(learns=True)
    assert watcher.taken == list(range(6, 5 + BATCH + 2))
    assert (watcher.follower.position, watcher.slept) == (5 + BATCH + 1, [1.0])


async def test_what_meets_an_outage_is_taken_again_and_the_outage_is_logged_once() -> None:
    watcher = Watcher(5)
    watcher.outages = 2
    with capture_logs() as lines:
        await watcher.run(learns=True)
    assert watcher.taken == list(range(6, 5 + BATCH + 2))
    assert [line["event"] for line in lines] == ["watching interrupted"]
    assert watcher.slept == [3.0, 3.0, 1.0]


async def test_without_anything_to_learn_it_goes_on_where_it_was() -> None:
    watcher = Watcher(5)
    await watcher.run(learns=False)
    assert (watcher.taken, watcher.follower.position) == ([], 5)
    watcher.append(2)
    await watcher.run(learns=False)
    assert watcher.taken == [6, 7]
