"""A server's directories: its data, used by one process at a time, and a temporary one for its socket."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from deploy.embedded.account import Account, server_account
from deploy.embedded.errors import EmbeddedError, InUseError

SOCKET_PATH_LIMIT = 100
"""Bytes; the address of a unix socket has room for 108, and Postgres appends a name to its directory."""

SOCKET_NAMES = (".s.PGSQL.5432", ".s.PGSQL.5432.lock", "valkey.sock")

LOG_LIMIT = 16 * 1024 * 1024
"""Bytes; a longer log is renamed at the next start."""


class Home(NamedTuple):
    """The files of one server."""

    data: Path
    """Its data; absent before the first start."""
    sockets: Path
    """An empty directory that only the server's account and root can enter, removed with the server."""
    account: Account | None
    """The account that the server runs under; None for the caller's own."""
    log: Path

    def own(self, directory: Path) -> None:
        """Makes the directory if it does not exist, and gives it to the server's account, with everything in it."""
        directory.mkdir(mode=0o700, exist_ok=True)
        if self.account is not None and directory.stat().st_uid != self.account.uid:
            give(directory, self.account)

    def clear(self) -> None:
        """Removes the sockets of a killed server."""
        _remove_sockets(self.sockets)

    @contextmanager
    def handed(self, directory: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """A path by which the server can open the directory, and the descriptors that it must inherit for that.

        Another account often cannot enter the directories above the data (root's home is closed). An open descriptor
        needs no path, so the data can stay where the user wants it.
        """
        if self.account is None:
            yield str(directory), ()
            return
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)


def give(directory: Path, account: Account) -> None:
    """Gives the account the directory and everything in it, the directory last, so that an interrupted call is
    repeated.
    """
    for path, directories, files in os.walk(directory, topdown=False):
        for name in (*directories, *files):
            os.chown(Path(path, name), *account, follow_symlinks=False)
    os.chown(directory, *account)


@contextmanager
def claim(data_dir: Path, server: str) -> Iterator[Home]:
    """Locks the server's directory under `data_dir` against other processes.

    Raises InUseError if another process has locked it, and EmbeddedError if it cannot be written, or if its data
    belongs to another user.
    """
    data = data_dir.absolute() / server
    with ExitStack() as stack:
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((data_dir / f"{server}.lock").open("a+"))
            log = _log(data_dir.absolute() / f"{server}.log")
        except OSError as error:
            why = "it is a file" if data_dir.is_file() else error.strerror
            raise EmbeddedError(f"cannot write in {data_dir.absolute()}: {why}") from error
        if not _locked(lock):
            pid, sockets = _record(lock)
            raise InUseError(data, pid, sockets)
        _check_owner(data)
        _, leftover = _record(lock)
        _clear(leftover)
        account = server_account(data)
        sockets = _sockets(account)
        stack.callback(shutil.rmtree, sockets, ignore_errors=True)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n{sockets}\n")
        lock.flush()
        stack.callback(lock.truncate, 0)
        yield Home(data, sockets, account, log)


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _record(lock: IO[str]) -> tuple[int, Path]:
    """The process that last wrote the lock file, and its socket directory; 0 and an unusable one if there is none."""
    lock.seek(0)
    pid, _, sockets = lock.read().strip().partition("\n")
    return int(pid or 0), Path(sockets or os.devnull)


def _clear(leftover: Path) -> None:
    """Removes the socket directory of a killed process, if it exists and contains only sockets."""
    if leftover.is_dir():
        _remove_sockets(leftover)
        with suppress(OSError):
            leftover.rmdir()


def _remove_sockets(directory: Path) -> None:
    for name in SOCKET_NAMES:
        (directory / name).unlink(missing_ok=True)


def _check_owner(data: Path) -> None:
    if data.exists() and os.geteuid() not in (0, data.stat().st_uid):
        try:
            owner = data.owner()
        except KeyError:
            owner = str(data.stat().st_uid)
        raise EmbeddedError(
            f"{data} belongs to {owner}, as data made by root does; start as root again, "
            "or name another directory in CODILLE_DATA_DIR"
        )


def _log(path: Path) -> Path:
    path.touch(mode=0o600)
    if path.stat().st_size > LOG_LIMIT:
        path.replace(path.with_suffix(".log.1"))
        path.touch(mode=0o600)
    return path


def _sockets(account: Account | None) -> Path:
    """A new private directory whose sockets have short names, and which the account can enter."""
    for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp", "/run")):  # noqa: S108  mkdtemp is safe there
        with suppress(OSError):
            made = Path(tempfile.mkdtemp(prefix="codille-", dir=parent))
            if account is not None:
                os.chown(made, *account)
            if len(os.fsencode(made / SOCKET_NAMES[1])) < SOCKET_PATH_LIMIT and (
                account is None or account.reaches(made)
            ):
                return made
            made.rmdir()
    raise EmbeddedError("no temporary directory has a name short enough for sockets; set TMPDIR, for example to /tmp")
