"""The log is not changed: not by the service, and not by the owner either."""

import asyncpg
import pytest

from service.store.database import Database
from service.store.store import Store
from tests.support.for_each import for_each
from tests.support.log import command, new_id, receipt
from tests.support.postgres import Owner

RECORDED = ["event", "receipt", "checkpoint"]
COUNTED = ["log", "stream"]
ACCOUNTS = ["player", "token", "issue"]
COLUMN = {
    "event": "type",
    "receipt": "digest",
    "checkpoint": "note",
    "log": "position",
    "stream": "version",
    "player": "name",
    "token": "scopes",
    "issue": "digest",
}


@for_each("table", [*RECORDED, *COUNTED, *ACCOUNTS])
@for_each(
    "statement",
    [
        "INSERT INTO codille.{table} DEFAULT VALUES",
        "UPDATE codille.{table} SET {column} = {column}",
        "DELETE FROM codille.{table}",
        "TRUNCATE codille.{table} CASCADE",
        "SELECT 1 FROM codille.{table} FOR UPDATE",
        "ALTER TABLE codille.{table} DISABLE TRIGGER ALL",
        "DROP TABLE codille.{table}",
    ],
)
async def test_the_service_can_only_read(database: Database, table: str, statement: str) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await database.fetch(statement.format(table=table, column=COLUMN[table]))


@pytest.mark.parametrize("statement", ["CREATE TABLE codille.mine (id int)", "SET ROLE postgres; SELECT 1"])
async def test_the_service_makes_nothing_and_becomes_nobody(owner: Owner, statement: str) -> None:
    await owner.execute("SET SESSION AUTHORIZATION codille_service")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await owner.execute(statement)


async def test_the_service_reads_the_log(store: Store, database: Database) -> None:
    await store.append([command(new_id(), receipt=receipt("key"))])
    for table in ("log", "stream", "event", "receipt"):
        assert len(await database.fetch(f"SELECT * FROM codille.{table}")) == 1  # noqa: S608 (our own names)


@pytest.mark.parametrize("table", RECORDED)
@pytest.mark.parametrize(
    "statement",
    ["UPDATE codille.{table} SET {column} = {column}", "DELETE FROM codille.{table}", "TRUNCATE codille.{table}"],
)
async def test_the_owner_cannot_change_what_is_recorded(owner: Owner, store: Store, table: str, statement: str) -> None:
    await store.append([command(new_id(), receipt=receipt("key"))])
    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute(statement.format(table=table, column=COLUMN[table]))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE codille.log SET position = position - 1",
        "UPDATE codille.log SET position = position",
        "UPDATE codille.log SET shard = 1",
        "DELETE FROM codille.log",
        "TRUNCATE codille.log",
        "UPDATE codille.stream SET version = version - 1",
        "UPDATE codille.stream SET head = decode(repeat('00', 32), 'hex')",
        "UPDATE codille.stream SET id = gen_random_uuid(), version = version + 1",
        "DELETE FROM codille.stream",
        "TRUNCATE codille.stream",
    ],
)
async def test_the_owner_cannot_turn_the_counters_back(owner: Owner, store: Store, statement: str) -> None:
    await store.append([command(new_id(), count=2)])
    with pytest.raises(asyncpg.RestrictViolationError):
        await owner.execute(statement)
