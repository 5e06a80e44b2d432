"""The directory that the processes of one service measure in, which the metrics library reads and writes."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.run.errors import ServeError

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which the library looks for the directory."""

MEMORY = Path("/dev/shm")  # noqa: S108  made by mkdtemp, so nobody else's
"""Files here are never written to a disk."""

NAME = "codille-metrics-"


@contextmanager
def directory() -> Iterator[Path]:
    """A new directory, in memory where the system has files there, removed at the end.

    The directories of services that were killed are removed too. Raises ServeError where none can be made.
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
    """Holds the directory's lock, which the kernel releases when this process ends. Raises OSError if it is held."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _remove_abandoned(parent: Path) -> None:
    for path in parent.glob(f"{NAME}*"):
        # It is another service's, or another user's; or it is empty, and may have been made just now.
        with suppress(OSError):
            if any(path.iterdir()):
                with _locked(path):
                    shutil.rmtree(path)
