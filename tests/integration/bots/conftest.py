"""Two processes that play for bots on one log, and the time that a test sets."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from domain.record.history import Reader
from projections.connection import Client
from service.store.database import Database
from service.store.tail import Tail
from tests.support.botplay import BotProcess
from tests.support.registry import GAMES
from tests.support.timekeeping import Time, tail, time

__all__ = ["tail", "time"]

Make: TypeAlias = Callable[..., BotProcess]


@pytest.fixture
def made(database: Database, tail: Tail, time: Time) -> Make:
    """Makes another process on the same log."""

    def make(redis: Client | None = None, **settings: Any) -> BotProcess:
        return BotProcess(database, tail, time, Reader(GAMES), redis, **settings)

    return make


@pytest.fixture
def process(made: Make) -> BotProcess:
    return made()
