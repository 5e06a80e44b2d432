"""Postgres as a child of this process."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from deploy.embedded import children
from deploy.embedded.account import nobody
from deploy.embedded.binaries import postgres_programs
from deploy.embedded.errors import EmbeddedError
from deploy.embedded.home import Home, claim, give
from deploy.embedded.passwords import kept, made_password, password
from deploy.embedded.scram import scram_verifier

SERVER = "postgres"
DATABASE = "codille"
OWNER = "postgres"
SERVICE = "codille_service"
ROLES = {OWNER: "owner", SERVICE: "service"}
"""The roles that can connect, and the names of their passwords."""

ITERATIONS = 1
"""Iterations of the passwords' hash. Random passwords need no more, and each new connection pays for them."""

ACCESS = "# Every connection needs its role's password.\nlocal all all scram-sha-256\n"
"""The server's pg_hba.conf."""

PATIENCE_S = 120.0
"""Seconds that a start may take: after a crash the server first replays its log, of a gigabyte at most."""

DYING_S = 10.0
"""Seconds for the processes of a killed server to end."""
BUSY_S = 1.0
"""Seconds after which they are killed: a busy process does not notice that its server is gone."""

LINUX = sys.platform == "linux"
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # After a crash a start first syncs all files: with syncfs once, rather than a thousand files one by one.
    **({"recovery_init_sync_method": "syncfs"} if LINUX else {}),
}

SYNC = ["--sync-method=syncfs"] if LINUX else []
"""A new cluster has a thousand files: syncing their file system once takes a third of syncing them one by one."""


class PostgresUrls(NamedTuple):
    """The addresses of a server's database, with the password of each role."""

    service: str
    """For the service's role, which owns nothing."""
    owner: str


@contextmanager
def postgres(data_dir: Path) -> Iterator[PostgresUrls]:
    """Runs a server on `data_dir`/postgres, made if necessary, and yields the URLs of its database.

    Raises InUseError if another process runs one there, and EmbeddedError if the server cannot start.
    """
    with claim(data_dir, SERVER) as home:
        programs = postgres_programs(home.account)
        if not home.data.exists():
            _initialise(data_dir, home, programs)
        _await_end_of_orphans(home.data)
        _lock(data_dir, home, programs)
        settings = SETTINGS | {"unix_socket_directories": str(home.sockets)}
        with (
            home.handed(home.data) as (data, descriptors),
            children.running(
                [str(programs / "postgres"), "-D", data, *(f"--{key}={value}" for key, value in settings.items())],
                account=home.account,
                log=home.log,
                clear=lambda: _clear(home),
                ready=lambda pid: _ready(home.data, pid),
                patience=PATIENCE_S,
                ask=signal.SIGINT,
                insist=signal.SIGQUIT,
                # At once, without a checkpoint, as in a crash: the write-ahead log has everything that was committed.
                orphaned=signal.SIGQUIT,
                descriptors=descriptors,
            ),
        ):
            yield urls(data_dir, home.sockets)


def urls(data_dir: Path, sockets: Path) -> PostgresUrls:
    """The URLs of this data directory's database, whose server has its socket in `sockets`. Raises EmbeddedError."""

    def url(role: str) -> str:
        return f"postgresql://{role}:{password(data_dir, ROLES[role])}@/{DATABASE}?host={sockets}&port=5432"

    return PostgresUrls(url(SERVICE), url(OWNER))


def _initialise(data_dir: Path, home: Home, programs: Path) -> None:
    """Makes the cluster and its database, under another name until both are complete. Raises EmbeddedError."""
    making = home.data.with_name(f"{SERVER}.new")
    shutil.rmtree(making, ignore_errors=True)
    home.own(making)
    with _setting_up(home, making) as run:
        run(
            programs / "initdb",
            f"--username={OWNER}",
            "--auth=reject",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            "--data-checksums",
            "--no-instructions",
            *SYNC,
        )
        statements = [f"CREATE DATABASE {DATABASE}", *_passwords(data_dir)]
        run(programs / "postgres", "--single", "template1", statements=statements)
    _access(making).write_text(ACCESS)
    making.rename(home.data)


def _lock(data_dir: Path, home: Home, programs: Path) -> None:
    """Makes the server require passwords if it does not yet: in new data, and in data of earlier versions.

    A password whose file is missing is replaced. Raises EmbeddedError.
    """
    home.own(home.data)
    access = _access(home.data)
    if access.read_text() == ACCESS and all(kept(data_dir, name) for name in ROLES.values()):
        return
    with _setting_up(home, home.data) as run:
        run(programs / "postgres", "--single", DATABASE, statements=_passwords(data_dir))
    # Written last, so that an interrupted start is repeated. The file's owner and mode stay.
    access.write_text(ACCESS)


def _access(data: Path) -> Path:
    return data / "pg_hba.conf"


def _passwords(data_dir: Path) -> list[str]:
    """Statements that set each role's password, and make the service's role if it does not exist."""
    exists = f"DO $$ BEGIN CREATE ROLE {SERVICE}; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
    verifiers = {role: scram_verifier(made_password(data_dir, name), ITERATIONS) for role, name in ROLES.items()}
    return [exists, *(f"ALTER ROLE {role} LOGIN PASSWORD '{verifier}'" for role, verifier in verifiers.items())]


class _Run(Protocol):
    def __call__(self, program: Path, *options: str, statements: Sequence[str] = ()) -> None: ...


@contextmanager
def _setting_up(home: Home, directory: Path) -> Iterator[_Run]:
    """Runs Postgres' programs on the directory while no server does, under an account that has a name.

    They refuse any other, unlike the server itself. So the directory belongs to `nobody` for that time.
    """
    account = home.account
    lent = nobody() if account is not None and not account.named else None
    if lent is not None:
        give(directory, lent)
    with home._replace(account=lent or account).handed(directory) as (data, descriptors):

        def run(program: Path, *options: str, statements: Sequence[str] = ()) -> None:
            lines = "".join(f"{statement};\n" for statement in statements)
            command = [str(program), options[0], "-D", data, *options[1:]]
            children.run(command, account=lent or account, descriptors=descriptors, stdin=lines)

        yield run
    home.own(directory)


def _ready(data: Path, pid: int) -> bool:
    """Whether the server with this process id accepts connections, according to its pid file."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _clear(home: Home) -> None:
    """Removes what a killed server left behind. Raises EmbeddedError if any of its processes is still running."""
    _await_end_of_orphans(home.data)
    home.clear()


def _await_end_of_orphans(data: Path) -> None:
    """Waits for the processes of a killed server to end, and removes the pid file it may have left.

    The caller has locked the directory, so either the server's parent is dead and the server has its signal to quit, or
    the server itself is dead. Their work is lost already, so processes that go on are killed. The file may name another
    program by now, as often in a container, and Postgres would refuse to start. Without /proc the file is left for
    Postgres to judge. Raises EmbeddedError if a process still exists after DYING_S.
    """
    if not Path("/proc/self").exists():
        return
    began = time.monotonic()
    while orphans := _working_in(data):
        waited_s = time.monotonic() - began
        if waited_s > DYING_S:
            raise EmbeddedError(f"a Postgres without a parent still runs on {data}; stop process {orphans[0]}")
        for orphan in orphans if waited_s > BUSY_S else ():
            with suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)
        time.sleep(children.POLL_S)
    (data / "postmaster.pid").unlink(missing_ok=True)


def _working_in(data: Path) -> list[int]:
    """The Postgres processes in this working directory, which all of a server's processes have."""
    working = []
    for entry in Path("/proc").iterdir():
        # A process may end during the loop, and the directory of another user's process cannot be read.
        with suppress(OSError):
            if not entry.name.isdigit() or (entry / "comm").read_text() != f"{SERVER}\n":
                continue
            if (entry / "cwd").samefile(data):
                working.append(int(entry.name))
    return sorted(working)
