"""Two processes on one log, and the time that a test sets."""

import pytest

from domain.record.history import Reader
from service.store.database import Database
from service.store.tail import Tail
from tests.support.registry import GAMES
from tests.support.timekeeping import Process, Time, tail, time

__all__ = ["tail", "time"]


@pytest.fixture
def process(database: Database, tail: Tail, time: Time) -> Process:
    return Process(database, tail, time, Reader(GAMES))


@pytest.fixture
def elsewhere(database: Database, tail: Tail, time: Time) -> Process:
    """Another process on the same log."""
    return Process(database, tail, time, Reader(GAMES))
