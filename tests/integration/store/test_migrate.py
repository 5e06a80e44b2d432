"""Laying the schema out: once, by the first process, and never differently."""

import asyncio

import asyncpg
import pytest

from service.store.database import SERVICE_ROLE, Database
from service.store.migrate import MigrationRefused, SqlFile, migrate, sql_files
from service.store.store import Appended, Store
from tests.support.log import command, new_id
from tests.support.postgres import Postgres

MIGRATIONS = sql_files("migrations")
FUNCTIONS = sql_files("sql")
EVERYTHING = [script.name for script in (*MIGRATIONS, *FUNCTIONS)]


async def _appends(dsn: str) -> None:
    async with Database(dsn, role=SERVICE_ROLE) as database:
        assert await Store(database).append([command(new_id())]) == [Appended(1, 1, 1)]


async def test_an_empty_database_gets_everything(empty_dsn: str) -> None:
    assert await migrate(empty_dsn) == EVERYTHING
    await _appends(empty_dsn)


async def test_a_second_time_nothing_is_left_to_do(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    assert await migrate(empty_dsn) == []
    await _appends(empty_dsn)


async def test_several_at_once_do_it_once(empty_dsn: str) -> None:
    runs = await asyncio.gather(*(migrate(empty_dsn) for _ in range(5)))
    assert sorted(runs, key=len) == [[], [], [], [], EVERYTHING]
    await _appends(empty_dsn)


async def test_a_changed_migration_is_refused(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    changed = [SqlFile(MIGRATIONS[0].name, MIGRATIONS[0].text + "\n"), *MIGRATIONS[1:]]
    with pytest.raises(MigrationRefused, match="changed"):
        await migrate(empty_dsn, migrations=changed)


async def test_a_newer_database_is_refused(empty_dsn: str) -> None:
    await migrate(empty_dsn, migrations=[*MIGRATIONS, SqlFile("9999_later", "SELECT 1")])
    with pytest.raises(MigrationRefused, match="9999_later"):
        await migrate(empty_dsn)


async def test_a_new_migration_runs_and_a_failing_one_leaves_nothing(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    later = SqlFile("9998_later", "CREATE TABLE codille.later (id int)")
    with pytest.raises(asyncpg.PostgresSyntaxError):
        await migrate(empty_dsn, migrations=[*MIGRATIONS, later, SqlFile("9999_wrong", "CREATE NONSENSE")])
    assert await migrate(empty_dsn, migrations=[*MIGRATIONS, later]) == ["9998_later"]


async def test_functions_follow_their_text(empty_dsn: str) -> None:
    def functions(text: str) -> list[SqlFile]:
        return [*FUNCTIONS, SqlFile("answer", text)]

    one = functions("CREATE FUNCTION codille.answer() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    two = functions("CREATE FUNCTION codille.answer(of int) RETURNS text LANGUAGE sql AS 'SELECT of::text'")
    await migrate(empty_dsn, functions=one)
    assert await migrate(empty_dsn, functions=two) == ["answer"]
    async with Database(empty_dsn, role=SERVICE_ROLE) as database:
        assert [tuple(row) for row in await database.fetch("SELECT codille.answer(2)")] == [("2",)]
        with pytest.raises(asyncpg.UndefinedFunctionError):
            await database.fetch("SELECT codille.answer()")
        assert await migrate(empty_dsn) == []
        with pytest.raises(asyncpg.UndefinedFunctionError):
            await database.fetch("SELECT codille.answer(2)")


async def test_an_owner_who_is_no_superuser_and_a_service_of_its_own(postgres: Postgres, empty_dsn: str) -> None:
    name = empty_dsn.partition("@/")[2].partition("?")[0]
    as_superuser = await asyncpg.connect(empty_dsn)
    await as_superuser.execute(f"CREATE ROLE o{name} LOGIN CREATEROLE; ALTER DATABASE {name} OWNER TO o{name}")
    owner_dsn = empty_dsn.replace("postgres@", f"o{name}@")
    try:
        await migrate(owner_dsn, f"s{name}")
        await migrate(owner_dsn, f"s{name}")
        async with Database(owner_dsn, role=f"s{name}") as database:
            assert await Store(database).append([command(new_id())]) == [Appended(1, 1, 1)]
        await as_superuser.execute(f"ALTER ROLE s{name} LOGIN")
        async with Database(empty_dsn.replace("postgres@", f"s{name}@")) as database:
            assert await Store(database).append([command(new_id())]) == [Appended(1, 1, 2)]
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await database.fetch("DELETE FROM codille.event")
    finally:
        await as_superuser.execute(
            f"REASSIGN OWNED BY o{name} TO postgres; DROP OWNED BY o{name}, s{name}; DROP ROLE s{name}, o{name}"
        )
        await as_superuser.close()
