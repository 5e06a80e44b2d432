"""Laying out the schema, under the owner's role.

Migrations are numbered files. Each is run once, in order, and never changed afterwards. Functions are files too, one
each, created again whenever their text changes. The service's role may only read tables and call the functions.
"""

import contextlib
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

import asyncpg
from msgspec import Struct

from service.store.database import SERVICE_ROLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Connection

READABLE = ("log", "stream", "event", "receipt", "checkpoint", "subtree", "signing_key", "player", "token")

# Any number will do that all migrating processes share.
_LOCK = 0x636F64696C6C65

_BOOKKEEPING = """
    CREATE SCHEMA IF NOT EXISTS codille;
    CREATE TABLE IF NOT EXISTS codille.schema_migration (
        number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS codille.schema_function (
        name text PRIMARY KEY, digest bytea NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
"""
_DROP = """
    SELECT 'DROP FUNCTION ' || oid::regprocedure FROM pg_proc
    WHERE pronamespace = 'codille'::regnamespace AND proname = $1
"""
_REMEMBER = """
    INSERT INTO codille.schema_function (name, digest) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, at = now()
"""


class MigrationRefused(Exception):
    """The database was laid out by migrations that are unknown here, or have been changed since."""


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
        """A migration's number, by which they are ordered."""
        return int(self.name.partition("_")[0])


def sql_files(folder: str) -> "list[SqlFile]":
    """The SQL files in a folder of this package, in the order of their names."""
    files = sorted(resources.files("service.store").joinpath(folder).iterdir(), key=lambda file: file.name)
    return [SqlFile(file.name.removesuffix(".sql"), file.read_text()) for file in files if file.name.endswith(".sql")]


async def migrate(
    owner_dsn: str,
    service_role: str = SERVICE_ROLE,
    *,
    migrations: "Sequence[SqlFile] | None" = None,
    functions: "Sequence[SqlFile] | None" = None,
) -> list[str]:
    """Brings the database up to date, all or nothing, and returns the names of the files that were run.

    Concurrent calls wait for each other. Creates the service's role if there is none. Raises MigrationRefused when a
    migration that was run has changed or is unknown here, and the driver's errors.
    """
    connection = await asyncpg.connect(owner_dsn, server_settings={"application_name": "codille migrate"})
    try:
        async with connection.transaction():
            # Held until commit, so the next process to migrate sees all changes.
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await connection.execute(_BOOKKEEPING)
            run = await _run_migrations(connection, sql_files("migrations") if migrations is None else migrations)
            run += await _make_functions(connection, sql_files("sql") if functions is None else functions)
            await _grant(connection, service_role)
    finally:
        await connection.close()
    return run


async def _run_migrations(connection: "Connection", migrations: "Sequence[SqlFile]") -> list[str]:
    done = {row["number"]: row for row in await connection.fetch("SELECT * FROM codille.schema_migration")}
    known = {migration.number: migration for migration in migrations}
    for number, row in done.items():
        if number not in known:
            raise MigrationRefused(f"the database has migration {row['name']}, which this version does not know")
        if known[number].digest != row["digest"]:
            raise MigrationRefused(f"migration {row['name']} was changed after it was run")
    run = [migration for number, migration in sorted(known.items()) if number not in done]
    for migration in run:
        await connection.execute(migration.text)
        await connection.execute(
            "INSERT INTO codille.schema_migration (number, name, digest) VALUES ($1, $2, $3)",
            migration.number,
            migration.name,
            migration.digest,
        )
    return [migration.name for migration in run]


async def _make_functions(connection: "Connection", functions: "Sequence[SqlFile]") -> list[str]:
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


async def _drop(connection: "Connection", name: str) -> None:
    """Drops a function whatever its parameters, which may differ in its new text."""
    for (drop,) in await connection.fetch(_DROP, name):
        await connection.execute(drop)


async def _grant(connection: "Connection", service_role: str) -> None:
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", service_role):
        await _create_role(connection, service_role)
    role = await connection.fetchval("SELECT quote_ident($1)", service_role)
    await _become(connection, service_role, role)
    tables = ", ".join(f"codille.{table}" for table in READABLE)
    await connection.execute(f"""
        REVOKE ALL ON ALL TABLES IN SCHEMA codille FROM PUBLIC, {role};
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA codille FROM PUBLIC;
        GRANT USAGE ON SCHEMA codille TO {role};
        GRANT SELECT ON {tables} TO {role};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA codille TO {role};
    """)


async def _create_role(connection: "Connection", service_role: str) -> None:
    """Creates the role, unless another database's migration, in the same cluster, creates it at the same time."""
    role = await connection.fetchval("SELECT quote_ident($1)", service_role)
    try:
        async with connection.transaction():
            await connection.execute(f"CREATE ROLE {role} NOLOGIN")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        return


async def _become(connection: "Connection", service_role: str, role: str) -> None:
    """Lets the owner's connections take on the service's role."""
    # Since version 16 the creator of a role is a member that may not SET it.
    needed = "SET" if connection.get_server_version().major >= 16 else "MEMBER"
    if not await connection.fetchval("SELECT pg_has_role(current_user, $1, $2)", service_role, needed):
        # The role is another owner's and has a login of its own, so nothing has to be granted.
        with contextlib.suppress(asyncpg.InsufficientPrivilegeError):
            async with connection.transaction():
                await connection.execute(f"GRANT {role} TO CURRENT_USER")
