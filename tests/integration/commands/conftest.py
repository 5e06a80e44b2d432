"""Command handling over a real log, in two processes, each with a cache of its own."""

from typing import NamedTuple

import pytest
import structlog

from domain.record.history import Reader
from service.commands.cache import Seating, TableCache
from service.commands.handler import CommandHandler
from service.commands.spectators import Spectators
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
    spectators = Spectators(tables, Seating(tables), store, reader)
    commands = CommandHandler(store, Writer(store), reader, tables, spectators, structlog.get_logger())
    return Process(commands, tables, store)


@pytest.fixture
def process(database: Database) -> Process:
    return _process(database)


@pytest.fixture
def elsewhere(database: Database) -> Process:
    """Another process on the same log."""
    return _process(database)
