"""Two processes on one log, and the time that a test sets."""

from collections.abc import AsyncIterator

import pytest

from domain.record.history import Reader
from service.commands import handler
from service.store.database import Database
from service.store.tail import Tail
from tests.support.registry import GAMES
from tests.support.timekeeping import Process, Time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(handler, "moment", time.moment)
    return time


@pytest.fixture
async def tail(database: Database) -> AsyncIterator[Tail]:
    async with Tail(database, beat_s=0.05) as tail:
        yield tail


@pytest.fixture
def process(database: Database, tail: Tail, time: Time) -> Process:
    return Process(database, tail, time, Reader(GAMES))


@pytest.fixture
def elsewhere(database: Database, tail: Tail, time: Time) -> Process:
    """Another process on the same log."""
    return Process(database, tail, time, Reader(GAMES))
