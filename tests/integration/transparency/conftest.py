"""A log on a real Postgres, and what signs its checkpoints."""

from pathlib import Path

import pytest

from service.store.database import Database
from service.store.store import Append, Store
from service.transparency import Keyring, Transparency
from tests.support.log import command, new_id


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring(None, tmp_path / "data", make=True)


@pytest.fixture
def transparency(database: Database, keyring: Keyring) -> Transparency:
    return Transparency(database, keyring)


async def grown(store: Store, events: int, *, a_table: int = 200) -> None:
    """Appends so many events, at tables of at most so many each."""
    commands: list[Append] = []
    while events:
        count = min(a_table, events)
        commands.append(command(new_id(), count=count))
        events -= count
    for start in range(0, len(commands), 16):
        await store.append(commands[start : start + 16])
