"""Valkey, which speaks Redis, as a child of this process."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from deploy.embedded import children
from deploy.embedded.binaries import valkey_program
from deploy.embedded.home import claim
from deploy.embedded.passwords import made_password, password

SERVER = "valkey"

PATIENCE_S = 60.0
"""Seconds that a start may take: the server first reads its append-only file."""


@contextmanager
def valkey(data_dir: Path) -> Iterator[str]:
    """Runs a server on `data_dir`/valkey, made if necessary, and yields its URL, with the password that it requires.

    Its append-only file is synced every second. Raises InUseError if another process runs one there, and EmbeddedError
    if the server cannot start.
    """
    with claim(data_dir, SERVER) as home:
        home.own(home.data)
        program = valkey_program(home.account)
        secret = made_password(data_dir, SERVER)
        with home.handed(home.data) as (data, descriptors):
            settings = {
                "port": "0",
                "unixsocket": str(_socket(home.sockets)),
                "unixsocketperm": "700",
                "daemonize": "no",
                "maxmemory": "0",
                "save": "",
                "dir": data,
                "appendonly": "yes",
            }
            with children.running(
                [
                    str(program),
                    *(part for key, value in settings.items() for part in (f"--{key}", value)),
                    # Only the hash, since other users can see a program's arguments.
                    *("--user", "default", "on", f"#{sha256(secret.encode()).hexdigest()}", "~*", "&*", "+@all"),
                ],
                account=home.account,
                log=home.log,
                clear=home.clear,
                ready=lambda _: _answers(_socket(home.sockets), secret),
                patience=PATIENCE_S,
                # Valkey treats this as the command SHUTDOWN, which flushes its file first.
                ask=signal.SIGTERM,
                insist=signal.SIGKILL,
                orphaned=signal.SIGTERM,
                descriptors=descriptors,
            ):
                yield url(data_dir, home.sockets)


def url(data_dir: Path, sockets: Path) -> str:
    """The URL of the server on this data directory, with its socket in `sockets`. Raises EmbeddedError."""
    return f"unix://:{password(data_dir, SERVER)}@{_socket(sockets)}"


def _socket(sockets: Path) -> Path:
    return sockets / "valkey.sock"


def _answers(path: Path, secret: str) -> bool:
    """Whether the server answers, which it does once it has read all its data."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(path))
            connection.sendall(f"AUTH {secret}\r\n".encode())
            if connection.recv(64) != b"+OK\r\n":
                return False
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
