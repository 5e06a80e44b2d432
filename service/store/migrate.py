"""Creates and updates the schema, under the owner's role.

Migrations are numbered files. Each runs once, in order, and never changes afterwards. A migration that has run is
identified by the digest of its text, since some once had other numbers. Functions are files too, one each, and are
created again whenever their text changes. The service's role may only read tables and call functions, except the
functions for the owner.

All these files together are a schema, whose versions are numbered in `schema.txt`. Each line there has the version, the
earliest version whose programs work with it, and the digest of its files. So nodes of one version go on while those of
the next begin: an earlier program leaves a later schema alone, and works with it if it may.
"""

from collections.abc import Sequence
from hashlib import sha256
from importlib import resources

import asyncpg
from asyncpg import Connection
from msgspec import Struct

from service.config import PREFIX
from service.store.database import SERVICE_ROLE
from service.store.hosts import Hosts

READABLE = (
    "log", "stream", "event", "receipt", "checkpoint", "subtree", "signing_key", "player", "token", "schema_migration",
    "schema_version", "signature", "webhook", "webhook_message", "webhook_cursor", "invitation", "report"
)  # fmt: skip
OF_THE_ARCHIVE = ("checkpoint", "played_table", "deal", "tally", "aside")
"""The readable tables of the archive's schema."""

ARCHIVE_ROLE = "codille_archive"
"""Owns the functions that write the archive, and may write nothing else. Nobody logs in as it."""

WRITERS_OF_THE_ARCHIVE = ("advance_archive", "restart_archive")

FOR_THE_OWNER = ("grant_token", "reissue")
"""Functions that grant tokens of any scope, or to any caller."""

EARLIER = {
    bytes.fromhex("713fd162a72ffe95954ae1602b113bb1c625628fe40698dd4da6a400b08a04b8"): (
        "0008_webhooks",
        "ALTER TABLE codille.webhook ALTER COLUMN name DROP NOT NULL",
    ),
}
"""By the digest of a migration's earlier text: its name, and the statement that updates a database it ran on."""

LARGE_OBJECTS = (
    "lo_creat", "lo_create", "lo_from_bytea", "lo_import", "lo_open", "lo_put", "lo_truncate", "lo_truncate64",
    "lo_unlink", "lowrite",
)  # fmt: skip
"""Functions of Postgres that create and change large objects, which any role may call by default."""

# Any number will do, as long as all migrating processes use the same.
_LOCK = 0x636F64696C6C65

_BOOKKEEPING = """
    CREATE SCHEMA IF NOT EXISTS codille;
    CREATE TABLE IF NOT EXISTS codille.schema_migration (
        number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS codille.schema_function (
        name text PRIMARY KEY, digest bytea NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS codille.schema_version (
        number integer NOT NULL, earliest integer NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
"""
_VERSION = "SELECT number, earliest FROM codille.schema_version ORDER BY number DESC LIMIT 1"
_REACHED = """
    INSERT INTO codille.schema_version (number, earliest)
    SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM codille.schema_version WHERE number >= $1)
"""
_DROP = """
    SELECT 'DROP FUNCTION ' || oid::regprocedure FROM pg_proc
    WHERE pronamespace IN (to_regnamespace('codille'), to_regnamespace('archive')) AND proname = $1
"""
_WITHHELD_BY_POSTGRES = """
    SELECT format('REVOKE TEMPORARY ON DATABASE %1$I FROM PUBLIC, %2$I', current_database(), $1::text)
    WHERE has_database_privilege($1, current_database(), 'TEMPORARY')
    UNION ALL
    SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %I', oid::regprocedure, $1::text)
    FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY ($2)
        AND has_function_privilege($1, oid, 'EXECUTE')
"""
_ARCHIVE = """
    SELECT
        quote_ident(pg_get_userbyid(n.nspowner)), r.oid IS NOT NULL,
        coalesce(pg_has_role(n.nspowner, r.oid, 'USAGE'), false)
    FROM pg_namespace n LEFT JOIN pg_roles r ON r.rolname = $1 WHERE n.nspname = 'archive'
"""
"""The owner of the archive's schema, whether there is the archive's role, and whether the owner may act as it."""
_OWNS_DATABASE = "SELECT pg_has_role(datdba, 'MEMBER') FROM pg_database WHERE datname = current_database()"
_RENUMBER = "UPDATE codille.schema_migration SET number = $2, name = $3 WHERE digest = $1"
_REMEMBER = """
    INSERT INTO codille.schema_function (name, digest) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, at = now()
"""


class Schema(Struct, frozen=True):
    """A version of the schema, and the earliest version whose programs work with it."""

    number: int
    earliest: int


class MigrationRefused(Exception):
    """The schema cannot be brought up to date; the message says why, and what to do."""


class SqlFile(Struct, frozen=True):
    """One SQL file: a migration or a function."""

    name: str
    text: str

    @property
    def digest(self) -> bytes:
        """SHA-256 of the text."""
        return sha256(self.text.encode()).digest()

    @property
    def number(self) -> int:
        """The migration's number, which gives the order."""
        return int(self.name.partition("_")[0])


def sql_files(folder: str) -> list[SqlFile]:
    """The SQL files in a folder of this package, in order of their names."""
    files = sorted(resources.files("service.store").joinpath(folder).iterdir(), key=lambda file: file.name)
    return [SqlFile(file.name.removesuffix(".sql"), file.read_text()) for file in files if file.name.endswith(".sql")]


def schema_of_program() -> Schema:
    """The version of the schema that this program makes."""
    *_, last = resources.files("service.store").joinpath("schema.txt").read_text().splitlines()
    number, earliest, _ = last.split()
    return Schema(int(number), int(earliest))


async def migrate(
    owner_dsn: str,
    service_role: str = SERVICE_ROLE,
    verifier: str | None = None,
    *,
    migrations: Sequence[SqlFile] | None = None,
    functions: Sequence[SqlFile] | None = None,
    schema: Schema | None = None,
) -> list[str]:
    """Brings the database up to date, all or nothing, and returns the names of the files that were run.

    A later schema with which this program works stays as it is. Concurrent calls wait for each other. Creates the
    service's role if it does not exist, with a login and the password of this verifier: the server gets the verifier
    alone, so that the password appears in no log of its statements. Raises MigrationRefused if a migration that has run
    was changed or is unknown here, if the schema is too late for this program, if the role is the owner's own, or if
    the owner may not create the role. Raises the driver's errors.
    """
    own = schema or schema_of_program()
    connection = await Hosts(owner_dsn).connect(server_settings={"application_name": "codille migrate"})
    try:
        async with connection.transaction():
            # Released at commit, so the next process to migrate sees all changes.
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await connection.execute(_BOOKKEEPING)
            if await _is_later(connection, own):
                return []
            run = await _run_migrations(connection, sql_files("migrations") if migrations is None else migrations)
            run += await _make_functions(connection, sql_files("sql") if functions is None else functions)
            await connection.execute(_REACHED, own.number, own.earliest)
            await _grant(connection, service_role, verifier)
    finally:
        await connection.close()
    return run


async def missing_migrations(dsn: str) -> list[str]:
    """The names of the migrations that have not run, as the service's role sees it.

    Raises MigrationRefused as `migrate` does, and the driver's errors.
    """
    migrations = sql_files("migrations")
    connection = await Hosts(dsn).connect(server_settings={"application_name": "codille"})
    try:
        # In one transaction, since a pooler may be in between.
        async with connection.transaction():
            if await connection.fetchval(
                "SELECT to_regclass('codille.schema_version') IS NOT NULL"
            ) and await _is_later(connection, schema_of_program()):
                return []
            return [migration.name for migration in await _missing(connection, migrations)]
    except (asyncpg.UndefinedTableError, asyncpg.InvalidSchemaNameError, asyncpg.InsufficientPrivilegeError):
        # There is no schema yet, or it is not readable for this role.
        return [migration.name for migration in migrations]
    finally:
        await connection.close()


async def left_to_administrators(owner_dsn: str, service_role: str = SERVICE_ROLE) -> list[str]:
    """The statements with which an administrator takes unneeded privileges from the service's role, and makes that of
    the archive, which the next `codille migrate` uses.

    The log's owner can run them only if it owns the database, may create roles, or is a superuser. Raises
    the driver's errors.
    """
    connection = await Hosts(owner_dsn).connect(server_settings={"application_name": "codille migrate"})
    try:
        return await _excess(connection, service_role)
    finally:
        await connection.close()


async def _is_later(connection: Connection, own: Schema) -> bool:
    """Whether the database has a later schema than this program. Raises MigrationRefused if it is too late."""
    reached = await connection.fetchrow(_VERSION)
    if reached is None or reached["number"] <= own.number:
        return False
    if reached["earliest"] > own.number:
        raise MigrationRefused(
            f"the database has version {reached['number']} of the schema, and this program knows {own.number}: start a "
            f"program that knows {reached['earliest']} or a later one"
        )
    return True


async def _run_migrations(connection: Connection, migrations: Sequence[SqlFile]) -> list[str]:
    await _catch_up(connection, migrations)
    run = await _missing(connection, migrations)
    for migration in run:
        await connection.execute(migration.text)
        await connection.execute(
            "INSERT INTO codille.schema_migration (number, name, digest) VALUES ($1, $2, $3)",
            migration.number,
            migration.name,
            migration.digest,
        )
    return [migration.name for migration in run]


async def _catch_up(connection: Connection, migrations: Sequence[SqlFile]) -> None:
    """Updates databases on which a migration ran with an earlier text or under another number."""
    today = {migration.name: migration for migration in migrations}
    for row in await _run(connection):
        name, catching_up = EARLIER.get(row["digest"], (None, None))
        if name in today:
            await connection.execute(catching_up)
            await connection.execute(
                "UPDATE codille.schema_migration SET digest = $2 WHERE number = $1", row["number"], today[name].digest
            )
    numbers = {migration.digest: migration for migration in migrations}
    moved = [row for row in await _run(connection) if row["digest"] in numbers]
    moved = [row for row in moved if row["number"] != numbers[row["digest"]].number]
    # First out of the way, so that no number is taken twice.
    for row in moved:
        await connection.execute(_RENUMBER, row["digest"], -row["number"], row["name"])
    for row in moved:
        migration = numbers[row["digest"]]
        await connection.execute(_RENUMBER, row["digest"], migration.number, migration.name)


async def _run(connection: Connection) -> list[asyncpg.Record]:
    """The migrations that have run, as recorded."""
    return list(await connection.fetch("SELECT number, name, digest FROM codille.schema_migration ORDER BY number"))


async def _missing(connection: Connection, migrations: Sequence[SqlFile]) -> list[SqlFile]:
    """The migrations that have not run, in order. Raises MigrationRefused."""
    done = {row["digest"]: row for row in await _run(connection)}
    numbers = {migration.number for migration in migrations}
    for digest in done.keys() - {migration.digest for migration in migrations} - EARLIER.keys():
        name, number = done[digest]["name"], done[digest]["number"]
        if number in numbers:
            raise MigrationRefused(f"migration {name} was changed after it was run")
        raise MigrationRefused(f"the database has migration {name}, which this version does not know")
    return [migration for migration in sorted(migrations, key=lambda each: each.number) if migration.digest not in done]


async def _make_functions(connection: Connection, functions: Sequence[SqlFile]) -> list[str]:
    rows = await connection.fetch("SELECT name, digest FROM codille.schema_function")
    made = {row["name"]: row["digest"] for row in rows}
    for name in made.keys() - {function.name for function in functions}:
        await _drop(connection, name)
        await connection.execute("DELETE FROM codille.schema_function WHERE name = $1", name)
    run = [function for function in functions if made.get(function.name) != function.digest]
    for function in run:
        await _drop(connection, function.name)
        await connection.execute(function.text)
        await connection.execute(_REMEMBER, function.name, function.digest)
    return [function.name for function in run]


async def _drop(connection: Connection, name: str) -> None:
    """Drops a function whatever its parameters are, since they may differ in its new text."""
    for (drop,) in await connection.fetch(_DROP, name):
        await connection.execute(drop)


async def _grant(connection: Connection, service_role: str, verifier: str | None) -> None:
    if service_role == await connection.fetchval("SELECT session_user::text"):
        raise MigrationRefused(
            f"the service cannot connect as {service_role}, the owner: name another role in {PREFIX}DATABASE_URL; "
            "`codille migrate` creates it, or grants it what it needs"
        )
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", service_role):
        await _create_role(connection, service_role, verifier)
    role = await connection.fetchval("SELECT quote_ident($1)", service_role)
    tables = ", ".join(f"codille.{table}" for table in READABLE)
    withheld = ", ".join(f"codille.{function}" for function in FOR_THE_OWNER)
    await connection.execute(f"""
        REVOKE ALL ON ALL TABLES IN SCHEMA codille FROM PUBLIC, {role};
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA codille FROM PUBLIC;
        GRANT USAGE ON SCHEMA codille TO {role};
        GRANT SELECT ON {tables} TO {role};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA codille TO {role};
    """)
    await connection.execute(f"REVOKE EXECUTE ON FUNCTION {withheld} FROM {role}")
    await _grant_archive(connection, role)
    superuser = await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    owns_database = await connection.fetchval(_OWNS_DATABASE)
    for statement in await _excess(connection, service_role):
        if superuser or (owns_database and " ON DATABASE " in statement):
            await connection.execute(statement)


async def _grant_archive(connection: Connection, role: str) -> None:
    """Lets the service read the archive, and its own role alone write there, if the owner may create that role."""
    archive = await connection.fetchrow(_ARCHIVE, ARCHIVE_ROLE)
    if archive is None:
        return
    tables = ", ".join(f"archive.{table}" for table in OF_THE_ARCHIVE)
    await connection.execute(f"""
        REVOKE ALL ON ALL TABLES IN SCHEMA archive FROM PUBLIC, {role};
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA archive FROM PUBLIC;
        GRANT USAGE ON SCHEMA archive TO {role};
        GRANT SELECT ON {tables} TO {role};
    """)
    writers = [f"archive.{function}" for function in WRITERS_OF_THE_ARCHIVE]
    await connection.execute(f"GRANT EXECUTE ON FUNCTION {', '.join(writers)} TO {role}")
    _, made, usable = archive
    if not usable and not await _join_archive_role(connection, made=made):
        # Until an administrator has made it, the writers have the owner's rights, as all other functions do.
        return
    owned = "; ".join(f"ALTER FUNCTION {function} OWNER TO {ARCHIVE_ROLE}" for function in writers)
    await connection.execute(f"""
        GRANT USAGE, CREATE ON SCHEMA archive TO {ARCHIVE_ROLE};
        GRANT SELECT, INSERT, UPDATE, TRUNCATE ON {tables} TO {ARCHIVE_ROLE};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA archive TO {ARCHIVE_ROLE};
        {owned};
        REVOKE CREATE ON SCHEMA archive FROM {ARCHIVE_ROLE};
    """)


async def _join_archive_role(connection: Connection, *, made: bool) -> bool:
    """Lets the owner act as the archive's role, which is created if it is not made yet; answers no if it may not."""
    try:
        async with connection.transaction():
            if not made:
                await connection.execute(f"CREATE ROLE {ARCHIVE_ROLE}")
            await connection.execute(f"GRANT {ARCHIVE_ROLE} TO CURRENT_USER")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError, asyncpg.InsufficientPrivilegeError):
        # Also where the migration of another database in the cluster creates it at this moment.
        return False
    return True


async def _excess(connection: Connection, service_role: str) -> list[str]:
    """What the owner may be unable to do: to revoke what Postgres grants to every role, and to create the archive's."""
    withheld = [row[0] for row in await connection.fetch(_WITHHELD_BY_POSTGRES, service_role, LARGE_OBJECTS)]
    archive = await connection.fetchrow(_ARCHIVE, ARCHIVE_ROLE)
    if archive is not None and not archive[2]:
        owner, made, _ = archive
        withheld += [] if made else [f"CREATE ROLE {ARCHIVE_ROLE}"]
        withheld.append(f"GRANT {ARCHIVE_ROLE} TO {owner}")
    return withheld


async def _create_role(connection: Connection, service_role: str, verifier: str | None) -> None:
    """Creates the role, unless the migration of another database in the cluster creates it at the same time."""
    role, quoted = await connection.fetchrow("SELECT quote_ident($1), quote_nullable($2::text)", service_role, verifier)
    try:
        async with connection.transaction():
            await connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD {quoted}")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        return
    except asyncpg.InsufficientPrivilegeError as error:
        raise MigrationRefused(
            f"there is no role {service_role}, which {PREFIX}DATABASE_URL names, and the owner may not create it: "
            f"let an administrator run CREATE ROLE {role} LOGIN PASSWORD '…'"
        ) from error
