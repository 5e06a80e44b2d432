"""Postgres as a child of this process."""

import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deploy.embedded import process
from deploy.embedded.binaries import postgres_programs
from deploy.embedded.errors import EmbeddedError
from deploy.embedded.home import Home, claim

SERVER = "postgres"
DATABASE = "codille"
OWNER = "postgres"

PATIENCE_S = 120.0
"""How long a start may take: after a crash the server first replays its log, of a gigabyte at most."""

DYING_S = 10.0
"""How long the processes of a killed server may take to end."""

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}

SYNC = ["--sync-method=syncfs"] if sys.platform == "linux" else []
"""A new cluster has a thousand files: syncing their file system once takes a third of syncing one after the other."""


@contextmanager
def postgres(data_dir: Path, *, durable: bool = True) -> Iterator[str]:
    """Runs a server on `data_dir`/postgres, made if need be, and yields the owner's URL of its database.

    Without `durable` nothing is synced to disk, which is for clusters that are thrown away. Raises InUseError where
    another process runs one there, and EmbeddedError where the server cannot start.
    """
    with claim(data_dir, SERVER) as home:
        programs = postgres_programs(home.account)
        if not home.data.exists():
            _initialise(home, programs, durable=durable)
        _await_end_of_orphans(home.data, DYING_S)
        settings = SETTINGS | {"unix_socket_directories": str(home.sockets)} | ({} if durable else THROWAWAY_SETTINGS)
        with (
            home.handed(home.data) as (data, descriptors),
            process.running(
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
            yield url(home.sockets)


def url(sockets: Path) -> str:
    """The owner's URL of the database of the server with its socket in this directory."""
    return f"postgresql://{OWNER}@/{DATABASE}?host={sockets}&port=5432"


def _initialise(home: Home, programs: Path, *, durable: bool) -> None:
    """Makes the cluster and its database, under another name until both are complete. Raises EmbeddedError."""
    making = home.data.with_name(f"{SERVER}.new")
    shutil.rmtree(making, ignore_errors=True)
    home.own(making)
    with home.handed(making) as (data, descriptors):
        options = [
            f"--username={OWNER}",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            "--data-checksums",
            "--no-instructions",
            *(SYNC if durable else ["--no-sync"]),
        ]
        initdb = [str(programs / "initdb"), "-D", data, *options]
        process.run(initdb, account=home.account, descriptors=descriptors)
        single = [str(programs / "postgres"), "--single", "-D", data, *([] if durable else ["-F"]), "template1"]
        process.run(single, account=home.account, descriptors=descriptors, stdin=f"CREATE DATABASE {DATABASE};\n")
    making.rename(home.data)


def _ready(data: Path, pid: int) -> bool:
    """Whether the server with this process id takes connections, according to its pid file."""
    lines = _pid_file(data)
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _pid_file(data: Path) -> list[str]:
    try:
        return (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []


def _clear(home: Home) -> None:
    """Removes what a killed server left behind. Raises EmbeddedError while processes of it still run."""
    _await_end_of_orphans(home.data, 0)
    home.clear()


def _await_end_of_orphans(data: Path, patience: float) -> None:
    """Waits for the processes of a killed server to end, and removes the pid file it may have left.

    The caller holds the directory, so the server's parent is dead and the server has its signal to quit. The file may
    name another program by now, as often happens in a container, and Postgres would refuse to start. Without /proc the
    file is left for Postgres to judge. Raises EmbeddedError when a process is still there after `patience` seconds.
    """
    if not Path("/proc/self").exists():
        return
    deadline = time.monotonic() + patience
    while orphans := _working_in(data):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"a Postgres without a parent still runs on {data}; stop process {orphans[0]}")
        time.sleep(process.POLL_S)
    (data / "postmaster.pid").unlink(missing_ok=True)


def _working_in(data: Path) -> list[int]:
    """The processes whose working directory is the data directory, as that of every Postgres process is."""
    working = []
    for entry in Path("/proc").iterdir():
        # A process may end meanwhile, and the directory of another user's process cannot be read.
        with suppress(OSError):
            if entry.name.isdigit() and (entry / "cwd").samefile(data):
                working.append(int(entry.name))
    return sorted(working)
