"""What `codille doctor` checks, each by itself.

A check returns what it has seen if nothing is wrong. Otherwise it raises Finding, or the errors of its server.
"""

import os
import shutil
from collections.abc import Awaitable, Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import TypeAlias

from msgspec import Struct

from deploy.embedded import Servers
from projections.connection import Client
from projections.models import RedisState
from projections.scripts import info
from service.cli.terminal_text import counted
from service.config import PREFIX, Settings, load_registry
from service.roles import ROLES
from service.run.schema import MIGRATE, role_of
from service.store.database import Database, StoreUnavailable
from service.store.migrate import (
    FOR_THE_OWNER,
    OF_THE_ARCHIVE,
    READABLE,
    WRITERS_OF_THE_ARCHIVE,
    left_to_administrators,
    missing_migrations,
    schema_of_program,
    sql_files,
)
from service.store.store import Store
from service.transparency import Keyring, NoKey, Transparency
from service.transparency.keys import FILE

POSTGRES, REDIS = 15, 7
"""The earliest versions with which the service works."""

APART_S = 1.0
"""The most seconds by which a server's clock may differ from the one here."""

ROOM = 1024**3
"""Bytes that must be free for the data directory."""

NO_SCHEMA = "there is no schema yet"

GUIDE = "deploy/operations.md"
MEND_SETTING = "mend the variable; deploy/settings.md has all of them"
_ROOM = f"make room, as *A full disk* in {GUIDE} says"
_SAME_TIME = "let the machines set their clocks by the network (chrony)"
_LAID_OUT = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'codille')"
_WRONG_RIGHTS = """
    WITH
        ours AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('codille', 'archive')),
        tables AS (
            SELECT c.oid, concat_ws('.', nspname, relname) AS name
            FROM pg_class c JOIN ours ON ours.oid = c.relnamespace WHERE c.relkind = 'r'
        ),
        functions AS (
            SELECT concat_ws('.', nspname, proname) AS name, has_function_privilege(p.oid, 'EXECUTE') AS callable,
                CASE nspname WHEN 'codille' THEN proname <> ALL ($2::text[]) ELSE proname = ANY ($3::text[]) END needed
            FROM pg_proc p JOIN ours ON ours.oid = p.pronamespace WHERE p.proname = ANY ($4::text[])
        )
    SELECT 'may not use the schema ' || nspname FROM ours WHERE NOT has_schema_privilege(oid, 'USAGE')
    UNION ALL
    SELECT 'may not read ' || name FROM tables WHERE name = ANY ($1::text[]) AND NOT has_table_privilege(oid, 'SELECT')
    UNION ALL
    SELECT 'may change ' || name FROM tables WHERE has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
    UNION ALL
    SELECT CASE WHEN needed THEN 'may not call ' ELSE 'may call ' END || name FROM functions WHERE callable <> needed
"""
_OWNS_SCHEMA = """
    SELECT session_user::text, coalesce(
        (SELECT pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = 'codille'),
        has_database_privilege(current_database(), 'CREATE')
    )
"""
_WHO = "SELECT session_user"
_VERSION = """
    SELECT current_setting('server_version_num')::integer / 10000, current_setting('server_version'),
        current_setting('server_encoding')
"""


class Finding(Exception):
    """Something is wrong; `to_do` says what to do."""

    def __init__(self, text: str, to_do: str) -> None:
        super().__init__(text)
        self.to_do = to_do


class Patient(Struct, frozen=True):
    """What is checked. `clock` gives Unix time."""

    settings: Settings
    servers: Servers
    url: str
    """The address of the server in question; empty if none is."""
    clock: Callable[[], float]
    wrong: frozenset[str]
    """The names of variables that are wrong; their settings are as without them."""

    @property
    def signs(self) -> bool:
        """Whether a process of this role needs the key."""
        return "signing key" in ROLES[self.settings.role].opens

    def compare(self, before: float, there: float, server: str) -> str:
        """Compares the server's clock, which was read since `before`, with the one here. Raises Finding."""
        after = self.clock()
        apart = there - (before + after) / 2
        if abs(apart) - (after - before) / 2 > APART_S:
            raise Finding(f"the clock of {server} is {apart:+.1f} s from the one here", _SAME_TIME)
        return f"{server} has the time that it is here"


Check: TypeAlias = Callable[[Patient], Awaitable[str]]
OfPostgres: TypeAlias = Callable[[Patient, Database], Awaitable[str]]
OfRedis: TypeAlias = Callable[[Patient, Client], Awaitable[str]]


async def games(patient: Patient) -> str:
    """The games and the documents of the settings are there."""
    patient.settings.documents()
    return f"{counted(len(load_registry(patient.settings.registry)), 'game')}, role {patient.settings.role}"


async def program(_: Patient) -> str:
    """The versions here."""
    return f"codille {version('codille')}, schema {schema_of_program().number}, Python {python_version()}"


async def clients(patient: Patient) -> str:
    """Where players let clients in, if they can."""
    settings = patient.settings
    if not settings.serves_interface:
        return "this role lets no client in"
    if settings.issuer is None:
        return f"no client can be let in: {PREFIX}PUBLIC_URL is not set"
    return f"players let clients in at {settings.issuer}/authorize"


async def key(patient: Patient) -> str:
    """The signing key can be read, by its owner alone, or made."""
    if not patient.signs:
        return "the projector signs; this role needs no key"
    configured, file = patient.settings.signing_key, patient.settings.data_dir.absolute() / FILE
    if configured is None and "SIGNING_KEY" not in patient.wrong and not file.exists():
        if not os.access(_existing(file.parent), os.W_OK):
            raise Finding(
                f"no key can be kept in {file.parent}", f"let this user write there, or set {PREFIX}SIGNING_KEY"
            )
        return f"the first start makes {file}"
    own = _own_key(patient)
    if configured is None and file.stat().st_mode & 0o077:
        raise Finding(f"others than its owner may read {file}", f"chmod 600 {file}")
    return f"the key {own} can be read"


async def room(patient: Patient) -> str:
    """The data directory has room."""
    folder = _existing(patient.settings.data_dir.absolute())
    free = shutil.disk_usage(folder).free
    text = f"{free // 1024**2:,} MiB are free in {folder}"
    if free < ROOM:
        raise Finding(text, _ROOM)
    return text


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that there is."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _own_key(patient: Patient) -> str:
    """The id of the signing key here. Raises Finding."""
    if "SIGNING_KEY" in patient.wrong:
        raise Finding(f"{PREFIX}SIGNING_KEY cannot be read", MEND_SETTING)
    try:
        return Keyring(patient.settings.signing_key, patient.settings.data_dir, make=False).key().verifier.id.hex()
    except NoKey as error:
        raise Finding(str(error), f"put the log's key back from its copy, or set {PREFIX}SIGNING_KEY to it") from error


async def answers(_: Patient, database: Database) -> str:
    """Postgres answers at the address."""
    ((name,),) = await database.fetch(_WHO)
    return f"Postgres answers {name}"


async def role(patient: Patient, _: Database) -> str:
    """The role may do no more than the service needs. Raises WrongAddress."""
    async with Database(patient.url, connections=1) as database:
        ((name,),) = await database.fetch(_WHO)
    return f"{name} owns nothing, and can become no other role"


async def rights(patient: Patient, database: Database) -> str:
    """The role may do what the service needs, and nothing else. Raises WrongAddress."""
    text = await role(patient, database)
    if not await _laid_out(database):
        return text
    # A later schema may have other functions.
    known = [file.name for file in sql_files("sql")]
    readable = [f"codille.{table}" for table in READABLE] + [f"archive.{table}" for table in OF_THE_ARCHIVE]
    found = await database.fetch(_WRONG_RIGHTS, readable, FOR_THE_OWNER, WRITERS_OF_THE_ARCHIVE, known)
    if wrong := [row[0] for row in found]:
        raise Finding(f"the service's role {', '.join(wrong)}", f"{MIGRATE}: it grants just what is needed")
    url = patient.settings.database_direct_url or patient.url
    if statements := await left_to_administrators(url, role_of(url)[0]):
        to_do = "\n".join(
            ("let an administrator of Postgres run in this database:", *(f"{one};" for one in statements))
        )
        raise Finding("a role may do more than it needs", to_do)
    return f"{text}; it may do what the service needs, and nothing else"


async def postgres_version(_: Patient, database: Database) -> str:
    """Postgres is new enough, and holds any text."""
    ((major, text, encoding),) = await database.fetch(_VERSION)
    if major < POSTGRES:
        raise Finding(f"Postgres is {text}", f"upgrade it to {POSTGRES} or newer")
    if encoding != "UTF8":
        raise Finding(f"the database has the encoding {encoding}", "make it anew with ENCODING 'UTF8'")
    return f"Postgres {text}"


async def schema(patient: Patient, database: Database) -> str:
    """The schema is that of this program, or a later one with which it works. Raises MigrationRefused."""
    missing = await missing_migrations(patient.url)
    if not missing:
        return "the database has the schema"
    if patient.settings.role == "all" and patient.servers.owner_url is not None:
        return "the start makes the schema" if not await _laid_out(database) else "the start upgrades the schema"
    raise Finding(f"the database lacks {', '.join(missing)}" if await _laid_out(database) else NO_SCHEMA, MIGRATE)


async def key_of_log(patient: Patient, database: Database) -> str:
    """The signing key here is the log's."""
    if not await _laid_out(database):
        return NO_SCHEMA
    keys = await Transparency(database, None).keys()
    if not keys:
        return "the log has no key yet: the first start announces it"
    signing = keys[-1].verifier.id.hex()
    if patient.signs and (own := _own_key(patient)) != signing:
        raise Finding(
            f"the key here is {own}, and the log is signed with {signing}",
            f"use that one: set {PREFIX}SIGNING_KEY to it, or put {FILE} back. `codille keys rotate` changes keys",
        )
    return f"the log is signed with {signing}"


async def writing(_: Patient, database: Database) -> str:
    """Postgres can write to its disk."""
    if not await _laid_out(database):
        return NO_SCHEMA
    try:
        await Store(database).check_writing()
    except StoreUnavailable as error:
        raise Finding(str(error), f"{_ROOM}; if it is a standby, name the primary") from error
    return "Postgres writes"


async def postgres_clock(patient: Patient, database: Database) -> str:
    """Postgres' clock is the one here."""
    before = patient.clock()
    ((there,),) = await database.fetch("SELECT extract(epoch FROM clock_timestamp())::float8")
    return patient.compare(before, there, "Postgres")


async def sessions(_: Patient, database: Database) -> str:
    """If a pooler of transactions is in between, the address says so. Raises WrongAddress."""
    await database.check_sessions()
    return "each connection has its session, or the address says that it has none"


async def owner(_: Patient, database: Database) -> str:
    """The owner's role may change the schema."""
    ((name, owns),) = await database.fetch(_OWNS_SCHEMA)
    if not owns:
        raise Finding(
            f"{name} may neither make nor change the schema",
            f"name the role that owns it in {PREFIX}DATABASE_OWNER_URL",
        )
    return f"{name} may change the schema"


async def _laid_out(database: Database) -> bool:
    """Whether there is a schema of the service, whatever it may read."""
    ((laid_out,),) = await database.fetch(_LAID_OUT)
    return bool(laid_out)


async def redis_answers(_: Patient, redis: Client) -> str:
    """Redis answers at the address."""
    return f"{counted(len(await info(redis, 'server')), 'server')} answers"


async def redis_version(_: Patient, redis: Client) -> str:
    """Redis is new enough."""
    texts = sorted({each["redis_version"] for each in await info(redis, "server")})
    if any(int(text.partition(".")[0]) < REDIS for text in texts):
        raise Finding(f"Redis is {', '.join(texts)}", f"upgrade it to {REDIS} or newer, or take Valkey")
    return f"Redis {', '.join(texts)}"


async def eviction(_: Patient, redis: Client) -> str:
    """Redis evicts nothing."""
    policies = {each.get("maxmemory_policy", "unknown") for each in await info(redis, "memory")}
    if policies != {"noeviction"}:
        raise Finding(
            f"Redis evicts by {', '.join(sorted(policies - {'noeviction'}))}",
            "set `maxmemory-policy noeviction` in its configuration: read models must be whole",
        )
    return "Redis evicts nothing"


async def redis_writing(_: Patient, redis: Client) -> str:
    """Redis can write, and is no replica."""
    if any(each.get("role") != "master" for each in await info(redis, "replication")):
        raise Finding("Redis is a replica", f"name the primary, or the Sentinels, in {PREFIX}REDIS_URL")
    state = RedisState.of(await info(redis, "memory", "persistence"), 0)
    if state.loading:
        raise Finding("Redis still loads its file", "wait until it has")
    if not state.writes:
        raise Finding("Redis could not write its file, and refuses changes", _ROOM)
    return "Redis writes"


async def redis_clock(patient: Patient, redis: Client) -> str:
    """Redis' clocks are the one here."""
    before = patient.clock()
    for each in await info(redis, "server"):
        # Servers that are too old do not say it.
        patient.compare(before, each.get("server_time_usec", before * 1_000_000) / 1_000_000, "Redis")
    return "Redis has the time that it is here"


HERE: Sequence[tuple[str, Check]] = (
    ("games", games),
    ("versions", program),
    ("clients", clients),
    ("keys", key),
    ("disk", room),
)
OF_PRIMARY: Sequence[tuple[str, OfPostgres]] = (
    ("Postgres", answers),
    ("roles", rights),
    ("versions", postgres_version),
    ("versions", schema),
    ("keys", key_of_log),
    ("disk", writing),
    ("clocks", postgres_clock),
    ("pooler", sessions),
)
OF_OTHERS: Sequence[tuple[str, OfPostgres]] = (("Postgres", answers), ("roles", role), ("pooler", sessions))
OF_OWNER: Sequence[tuple[str, OfPostgres]] = (("Postgres", answers), ("roles", owner))
OF_REDIS: Sequence[tuple[str, OfRedis]] = (
    ("Redis", redis_answers),
    ("versions", redis_version),
    ("eviction", eviction),
    ("disk", redis_writing),
    ("clocks", redis_clock),
)
