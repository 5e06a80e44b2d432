"""Command handling over a real log; a second `Tables` stands for another process with a cache of its own."""

import pytest
import structlog

from domain.record.history import Reader
from domain.registry import GAMES
from service.commands.handler import Tables
from service.store.database import Database
from service.store.store import Store
from service.store.writer import Writer


def _tables(database: Database) -> Tables:
    store = Store(database)
    return Tables(store, Writer(store), Reader(GAMES), structlog.get_logger())


@pytest.fixture
def tables(database: Database) -> Tables:
    return _tables(database)


@pytest.fixture
def elsewhere(database: Database) -> Tables:
    return _tables(database)
