"""PgBouncer before a test's Postgres, which pools transactions and gives each of them another session."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.embedded import launch
from service.store.database import SERVICE_ROLE
from tests.support.postgres import account
from tests.support.proxies import SBIN, environment
from tests.support.waiting import PATIENCE_S

PROGRAM = shutil.which("pgbouncer", path=SBIN)
"""It is unpacked under .tools by `make test`, or installed."""

# All else is as it is without a configuration. Its sessions of Postgres take turns, so each transaction gets another.
_CONFIGURATION = """
[databases]
* = host={postgres} port=5432 {databases}
[pgbouncer]
unix_socket_dir = {home}
listen_port = 5432
auth_type = trust
auth_file = {home}/users
pool_mode = transaction
server_round_robin = 1
server_login_retry = 1
{more}
"""


class PgBouncer:
    """One on a unix socket in a directory of its own."""

    def __init__(self, postgres: Path, more: str = "", databases: str = "") -> None:
        self.home = Path(tempfile.mkdtemp(prefix="pb-"))  # not below a test's: socket paths must be short
        self._process: subprocess.Popen[bytes] | None = None
        assert PROGRAM
        # Root's own files may be out of reach for the account that it runs under.
        self._program = shutil.copy(PROGRAM, self.home)
        configuration = _CONFIGURATION.format(postgres=postgres, home=self.home, more=more, databases=databases)
        (self.home / "ini").write_text(configuration)
        (self.home / "users").write_text(f'"{SERVICE_ROLE}" ""\n"postgres" ""\n')
        if (own := account()) is not None:
            os.chown(self.home, *own)

    def through(self, dsn: str, parameter: str = "&pgbouncer=true") -> str:
        """The address by which the same database is reached through it."""
        return f"{dsn.partition('?')[0]}?host={self.home}{parameter}"

    def start(self) -> None:
        """Starts it, and returns when it takes connections."""
        own = account()
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *launch.prefix(signal.SIGKILL, None if own is None else str(own)),
                    *(self._program, str(self.home / "ini")),
                ],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + PATIENCE_S
        while not (self.home / ".s.PGSQL.5432").exists():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.01)

    def log(self) -> str:
        """What it has said."""
        return (self.home / "log").read_text()

    def kill(self) -> None:
        """Ends it at once, as a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            (self.home / ".s.PGSQL.5432").unlink(missing_ok=True)

    def remove(self) -> None:
        """Ends it and removes its files."""
        self.kill()
        shutil.rmtree(self.home)


@contextmanager
def pgbouncer(postgres: Path, more: str = "", databases: str = "") -> Iterator[PgBouncer]:
    """One that runs before the server whose socket is in the directory `postgres`.

    It has `more` in its configuration, and `databases` in the entry of all databases.
    """
    pooler = PgBouncer(postgres, more, databases)
    try:
        pooler.start()
        yield pooler
    finally:
        pooler.remove()
