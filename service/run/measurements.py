"""The directory of measurements that the processes of one service share through the metrics library."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.run.serve_error import ServeError

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with which the library finds the directory."""

MEMORY = Path("/dev/shm")  # noqa: S108 (made by mkdtemp, so it belongs to this process)
"""Files here are never written to a disk."""

NAME = "codille-metrics-"


@contextmanager
def directory() -> Iterator[Path]:
    """A new directory, in memory if the system supports it, which is removed at the end.

    Directories left behind by killed services are removed too. Raises ServeError if none can be made.
    """
    try:
        parent = MEMORY if os.access(MEMORY, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())
        made = tempfile.TemporaryDirectory(prefix=NAME, dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise ServeError(f"no directory for what several processes measure: {error}; set TMPDIR") from error
    with made as name, _locked(Path(name)):
        _remove_abandoned(parent)
        yield Path(name)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Locks the directory; the kernel releases the lock when this process ends. Raises OSError if it is locked."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _remove_abandoned(parent: Path) -> None:
    for path in parent.glob(f"{NAME}*"):
        # It belongs to another service or user, or is empty and may have been made just now.
        with suppress(OSError):
            if any(path.iterdir()):
                with _locked(path):
                    shutil.rmtree(path)
