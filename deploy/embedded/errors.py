"""Errors of embedded servers."""

from pathlib import Path


class EmbeddedError(Exception):
    """An embedded server cannot start; the message says why and what to do."""


class InUseError(EmbeddedError):
    """Another process runs a server on the same directory."""

    def __init__(self, directory: Path, pid: int, sockets: Path) -> None:
        super().__init__(
            f"{directory} is in use by process {pid}; "
            "stop that one first, or name another directory in CODILLE_DATA_DIR"
        )
        self.sockets = sockets
