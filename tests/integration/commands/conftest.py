"""Command handling over a real log, in two processes, each with a cache of its own."""

from typing import NamedTuple

import pytest
import structlog

from domain.record.history import Reader
from service.commands.cache import TableCache
from service.commands.handler import CommandHandler
from service.store.database import Database
from service.store.store import Store
from service.store.writer import Writer
from tests.support.registry import GAMES


class Process(NamedTuple):
    """What one process handles commands with."""

    commands: CommandHandler
    tables: TableCache
    store: Store


def _process(database: Database) -> Process:
    store, reader = Store(database), Reader(GAMES)
    tables = TableCache(store, reader)
    return Process(CommandHandler(store, Writer(store), reader, tables, structlog.get_logger()), tables, store)


@pytest.fixture
def process(database: Database) -> Process:
    return _process(database)


@pytest.fixture
def elsewhere(database: Database) -> Process:
    """Another process on the same log."""
    return _process(database)
