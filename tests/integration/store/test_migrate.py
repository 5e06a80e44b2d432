"""Laying the schema out: once, by the first process, and never differently."""

import asyncio
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import asyncpg
import pytest

from deploy.embedded.scram import scram_verifier
from service.live.notices import KINDS
from service.store.database import Cause, Database, WrongAddress
from service.store.migrate import (
    MigrationRefused,
    Schema,
    SqlFile,
    left_to_administrators,
    migrate,
    missing_migrations,
    schema_of_program,
    sql_files,
)
from service.store.store import Store
from service.store.webhook_store import WebhookStore
from tests.support.log import command, new_id, spans
from tests.support.postgres import Owner, as_service

MIGRATIONS = sql_files("migrations")
FUNCTIONS = sql_files("sql")
URL = "https://bot.example/hook"
EVERYTHING = [script.name for script in (*MIGRATIONS, *FUNCTIONS)]


async def _appends(dsn: str) -> None:
    async with Database(as_service(dsn)) as database:
        assert spans(await Store(database).append([command(new_id())])) == [(1, 1, 1)]


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


LATER = [*MIGRATIONS, SqlFile("9999_later", "CREATE TABLE codille.later (id int)")]
CHANGED = [SqlFile(each.name, f"{each.text}\n-- as later") if each.name == "append" else each for each in FUNCTIONS]


async def test_an_earlier_program_leaves_a_later_schema_alone_and_works_with_it(empty_dsn: str) -> None:
    """Nodes of two versions serve one database while one after the other is replaced."""
    await migrate(empty_dsn)
    own = schema_of_program()
    later = Schema(own.number + 1, own.number)
    assert await migrate(empty_dsn, migrations=LATER, functions=CHANGED, schema=later) == ["9999_later", "append"]
    assert await migrate(empty_dsn) == []
    assert await missing_migrations(as_service(empty_dsn)) == []
    assert await migrate(empty_dsn, migrations=LATER, functions=CHANGED, schema=later) == []
    await _appends(empty_dsn)


async def test_a_schema_that_is_too_late_is_refused_with_what_to_start(empty_dsn: str) -> None:
    own = schema_of_program()
    await migrate(empty_dsn, migrations=LATER, schema=Schema(own.number + 2, own.number + 1))
    for checked in (migrate(empty_dsn), missing_migrations(as_service(empty_dsn))):
        with pytest.raises(MigrationRefused, match=f"start a program that knows {own.number + 1} or a later one"):
            await checked


async def test_a_database_from_before_versions_were_numbered_gets_the_number(empty_dsn: str, admin: Owner) -> None:
    await migrate(empty_dsn)
    await admin.execute("DROP TABLE codille.schema_version")
    assert await missing_migrations(as_service(empty_dsn)) == []
    assert await migrate(empty_dsn) == []
    assert await admin.fetchval("SELECT number FROM codille.schema_version") == schema_of_program().number


def named(name: str) -> SqlFile:
    return next(migration for migration in MIGRATIONS if migration.name.partition("_")[2] == name)


async def laid_out(dsn: str, migrations: list[SqlFile]) -> None:
    """Leaves the database as a version did that had these migrations and no functions."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("CREATE SCHEMA codille")
    await connection.execute(
        "CREATE TABLE codille.schema_migration"
        " (number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL, at timestamptz DEFAULT now())"
    )
    for each in migrations:
        await connection.execute(each.text)
        row = (each.number, each.name, each.digest)
        await connection.execute("INSERT INTO codille.schema_migration VALUES ($1, $2, $3)", *row)
    await connection.close()


@pytest.mark.parametrize(
    ("before", "ran"),
    [
        (7, ["0009_webhooks"]),
        (7, ["0009_webhooks", "0010_invitations"]),
        (10, ["0012_added_tokens"]),
        (10, ["0011_webhook_pauses"]),
    ],
)
async def test_migrations_that_ran_under_other_numbers_are_known(
    empty_dsn: str, admin: Owner, before: int, ran: list[str]
) -> None:
    then = [SqlFile(name, named(name.partition("_")[2]).text) for name in ran]
    await laid_out(empty_dsn, [*MIGRATIONS[:before], *then])
    missing = [each.name for each in MIGRATIONS[before:] if each.name[5:] not in {name[5:] for name in ran}]
    assert [name for name in await migrate(empty_dsn) if name[0] == "0"] == missing
    rows = await admin.fetch("SELECT number, name FROM codille.schema_migration ORDER BY number")
    assert [tuple(row) for row in rows] == [(each.number, each.name) for each in MIGRATIONS]
    assert await missing_migrations(as_service(empty_dsn)) == []
    assert await migrate(empty_dsn) == []
    await _appends(empty_dsn)


async def test_what_a_migration_made_with_its_first_text_is_made_as_today(empty_dsn: str, admin: Owner) -> None:
    text = named("webhooks").text.replace("    name text,\n", "    name text NOT NULL,\n", 1)
    await laid_out(empty_dsn, [*MIGRATIONS[:7], SqlFile("0008_webhooks", text)])
    await migrate(empty_dsn)
    assert await missing_migrations(as_service(empty_dsn)) == []
    assert await migrate(empty_dsn) == []
    nullable = (
        "SELECT is_nullable FROM information_schema.columns WHERE table_name = 'webhook' AND column_name = 'name'"
    )
    assert await admin.fetchval(nullable) == "YES"


async def test_webhooks_for_everything_learn_of_closed_tables_and_nodes_of_before_do_not(
    empty_dsn: str, admin: Owner
) -> None:
    before = ["your-turn", "game-started", "deal-scored", "game-over", "dispute-ruled"]
    player, everything, some, later = (new_id() for _ in range(4))
    await laid_out(empty_dsn, [one for one in MIGRATIONS if one.number < named("closed_tables").number])
    await admin.execute("INSERT INTO codille.player (id, name, created_at) VALUES ($1, 'Ada', now())", player)
    for webhook, kinds in ((everything, before[::-1]), (some, before[:4])):
        await admin.execute(
            "INSERT INTO codille.webhook (id, player_id, url, events, created_at) VALUES ($1, $2, $3, $4, now())",
            webhook, player, URL, kinds,
        )  # fmt: skip
    await migrate(empty_dsn)
    for kind in ("table-closed", "game-over"):
        await admin.execute(
            "INSERT INTO codille.webhook_message VALUES ($1, 7, $2, 'msg', '', now())", everything, kind
        )
    async with Database(as_service(empty_dsn)) as database:
        webhooks = WebhookStore(database)
        await webhooks.add(player, later, None, URL, ["table-closed"], bytes(32), datetime.now(UTC))
        kinds = {one.id: one.events for one in await webhooks.list(player, datetime.now(UTC), None, 10)}
        assert kinds == {
            everything: (*before[::-1], "table-closed", "rematch"), some: tuple(before[:4]), later: ("table-closed",)
        }  # fmt: skip
        deliveries = await webhooks.deliveries(everything, None, None, 10, KINDS)
        assert [one.kind for one in deliveries] == ["table-closed", "game-over"]
        # What a node of the version before reads.
        rows = await database.fetch("SELECT w.id::text, w.events FROM codille.webhook w")
        assert dict(map(tuple, rows)) == {everything: before[::-1], some: before[:4], later: []}
        assert [row[0] for row in await database.fetch("SELECT m.kind FROM codille.webhook_message m")] == ["game-over"]


async def test_webhooks_for_everything_learn_of_rematches_and_nodes_of_before_do_not(
    empty_dsn: str, admin: Owner
) -> None:
    before = ["your-turn", "game-started", "deal-scored", "game-over", "table-closed", "dispute-ruled"]
    player, everything, some, later = (new_id() for _ in range(4))
    await laid_out(empty_dsn, [one for one in MIGRATIONS if one.number < named("rematches").number])
    await admin.execute("INSERT INTO codille.player (id, name, created_at) VALUES ($1, 'Ada', now())", player)
    for webhook, kinds in ((everything, before[::-1]), (some, before[:5])):
        await admin.execute(
            "INSERT INTO codille.webhook (id, player_id, url, kinds, created_at) VALUES ($1, $2, $3, $4, now())",
            webhook, player, URL, kinds,
        )  # fmt: skip
    await migrate(empty_dsn)
    for kind in ("table-closed", "game-over", "rematch"):
        await admin.execute(
            "INSERT INTO codille.webhook_message VALUES ($1, 7, $2, 'msg', '', now())", everything, kind
        )
    async with Database(as_service(empty_dsn)) as database:
        webhooks = WebhookStore(database)
        await webhooks.add(player, later, None, URL, ["rematch"], bytes(32), datetime.now(UTC))
        kinds = {one.id: one.events for one in await webhooks.list(player, datetime.now(UTC), None, 10)}
        assert kinds == {everything: (*before[::-1], "rematch"), some: tuple(before[:5]), later: ("rematch",)}
        deliveries = await webhooks.deliveries(everything, None, None, 10, KINDS)
        assert [one.kind for one in deliveries] == ["table-closed", "rematch", "game-over"]
        # What nodes of the version before read, and then those of the one before that.
        rows = await database.fetch("SELECT w.id::text, w.kinds, w.events FROM codille.webhook w")
        first = [kind for kind in before if kind != "table-closed"]
        assert {row[0]: [*row[1:]] for row in rows} == {
            everything: [before[::-1], first[::-1]], some: [before[:5], before[:4]], later: [[], []]
        }  # fmt: skip
        earlier = "SELECT kind FROM codille.webhook_deliveries($1, NULL, NULL, NULL, 10)"
        assert [row[0] for row in await database.fetch(earlier, everything)] == ["table-closed", "game-over"]
        assert [row[0] for row in await database.fetch("SELECT m.kind FROM codille.webhook_message m")] == ["game-over"]


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
    async with Database(as_service(empty_dsn)) as database:
        assert [tuple(row) for row in await database.fetch("SELECT codille.answer(2)")] == [("2",)]
        with pytest.raises(asyncpg.UndefinedFunctionError):
            await database.fetch("SELECT codille.answer()")
        assert await migrate(empty_dsn) == []
        with pytest.raises(asyncpg.UndefinedFunctionError):
            await database.fetch("SELECT codille.answer(2)")


@asynccontextmanager
async def owned(empty_dsn: str, *, may_create_roles: bool) -> AsyncIterator[tuple[str, str]]:
    """Makes an owner of the database who is no superuser, and yields the owner's address and the service's.

    The service's role does not exist yet. Both are dropped in the end.
    """
    name = empty_dsn.partition("@/")[2].partition("?")[0]
    superuser = await asyncpg.connect(empty_dsn)
    may = "CREATEROLE" if may_create_roles else ""
    await superuser.execute(f"CREATE ROLE o{name} LOGIN {may}; ALTER DATABASE {name} OWNER TO o{name}")
    try:
        yield empty_dsn.replace("postgres@", f"o{name}@"), empty_dsn.replace("postgres@", f"s{name}@")
    finally:
        if not await superuser.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", f"s{name}"):
            await superuser.execute(f"CREATE ROLE s{name}")
        both = f"o{name}, s{name}"
        await superuser.execute(f"REASSIGN OWNED BY {both} TO postgres; DROP OWNED BY {both}; DROP ROLE {both}")
        await superuser.close()


def user_of(dsn: str) -> str:
    return dsn.removeprefix("postgresql://").partition("@")[0]


async def served(dsn: str) -> None:
    """Fails unless the service works at this address, and cannot do more."""
    async with Database(dsn) as database:
        assert spans(await Store(database).append([command(new_id())])) == [(1, 1, 1)]
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await database.fetch("DELETE FROM codille.event")


async def test_an_owner_who_may_create_roles_makes_the_services(empty_dsn: str) -> None:
    async with owned(empty_dsn, may_create_roles=True) as (owner, service):
        await migrate(owner, user_of(service), "ace of spades")
        await migrate(owner, user_of(service), scram_verifier("another password"))
        await served(service)


async def test_two_plain_roles_and_two_addresses(empty_dsn: str, admin: Owner) -> None:
    async with owned(empty_dsn, may_create_roles=False) as (owner, service):
        with pytest.raises(MigrationRefused, match=f"CREATE ROLE {user_of(service)} LOGIN PASSWORD"):
            await migrate(owner, user_of(service))
        await admin.execute(f"CREATE ROLE {user_of(service)} LOGIN")
        assert await migrate(owner, user_of(service)) == EVERYTHING
        await served(service)


async def test_the_services_role_is_not_the_owner(empty_dsn: str) -> None:
    with pytest.raises(MigrationRefused, match="the service cannot connect as postgres, the owner"):
        await migrate(empty_dsn, "postgres")


async def test_a_role_that_is_made_has_the_password_of_its_address(empty_dsn: str, admin: Owner) -> None:
    async with owned(empty_dsn, may_create_roles=True) as (owner, service):
        await migrate(owner, user_of(service), "ace of spades")
        kept = await admin.fetchval("SELECT rolpassword FROM pg_authid WHERE rolname = $1", user_of(service))
        await admin.execute(f"ALTER ROLE {user_of(service)} PASSWORD 'ace of spades'")
        own = await admin.fetchval("SELECT rolpassword FROM pg_authid WHERE rolname = $1", user_of(service))
        # The server's own verifier of it, but for the salt.
        assert kept == scram_verifier("ace of spades", salt=b64decode(kept.partition(":")[2].partition("$")[0]))
        assert own == scram_verifier("ace of spades", salt=b64decode(own.partition(":")[2].partition("$")[0]))


BY_DEFAULT = {
    "CREATE TEMPORARY TABLE hidden (text text)",
    "SELECT lo_create(0)",
    "SELECT lo_creat(-1)",
    "SELECT lo_from_bytea(0, 'kept')",
    "SELECT lo_put(1, 0, 'kept')",
    "SELECT lowrite(lo_open(1, 131072), 'kept')",
    "CREATE TABLE hidden (text text)",
    "CREATE SCHEMA hidden",
}
"""What keeps something in the database."""


async def refused(dsn: str, statements: set[str]) -> set[str]:
    """Those of the statements for which the role of this address lacks the right."""
    connection = await asyncpg.connect(dsn)
    lacking = set()
    for statement in statements:
        try:
            await connection.execute(statement)
        except asyncpg.InsufficientPrivilegeError:
            lacking.add(statement)
        except asyncpg.PostgresError:
            pass
    await connection.close()
    return lacking


async def test_the_services_role_keeps_nothing_beside_the_log(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    assert await refused(as_service(empty_dsn), BY_DEFAULT) == BY_DEFAULT
    assert await left_to_administrators(empty_dsn) == []


async def test_what_an_owner_may_not_take_away_is_left_to_administrators(empty_dsn: str, admin: Owner) -> None:
    async with owned(empty_dsn, may_create_roles=True) as (owner, service):
        await migrate(owner, user_of(service))
        assert "CREATE TEMPORARY TABLE hidden (text text)" in await refused(service, BY_DEFAULT)
        left = await left_to_administrators(owner, user_of(service))
        assert left
        assert all(" ON FUNCTION lo" in each or each.startswith("GRANT codille_archive TO ") for each in left)
        await admin.execute(";".join(left))
        assert await refused(service, BY_DEFAULT) == BY_DEFAULT
        assert await left_to_administrators(owner, user_of(service)) == []
        await migrate(owner, user_of(service))
        await served(service)


class Watch:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def failed(self, _cause: Cause, reason: str) -> None:
        self.reasons.append(reason)

    def answered(self) -> None:
        pass


MORE = {
    "is a superuser": "ALTER ROLE {role} SUPERUSER",
    "owns the log": "ALTER SCHEMA codille OWNER TO {role}",
    "owns the database": "ALTER DATABASE {database} OWNER TO {role}",
    "may create roles": "ALTER ROLE {role} CREATEROLE",
    "may become postgres": "GRANT postgres TO {role}",
}


@pytest.mark.parametrize("more", MORE)
async def test_a_role_that_may_do_more_is_refused_with_what_to_do(empty_dsn: str, admin: Owner, more: str) -> None:
    async with owned(empty_dsn, may_create_roles=True) as (owner, service):
        await migrate(owner, user_of(service))
        await served(service)
        database = await admin.fetchval("SELECT current_database()")
        await admin.execute(MORE[more].format(role=user_of(service), database=database))
        watch = Watch()
        async with Database(service, watch=watch) as refused:
            for connect in (refused.fetch("SELECT 1"), refused.connect()):
                with pytest.raises(WrongAddress, match=f"{user_of(service)}, which {more}.*CODILLE_DATABASE_OWNER_URL"):
                    await connect
        assert [f"which {more}" in reason for reason in watch.reasons] == [True, True]
