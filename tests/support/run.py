"""What a run of the tests has once: the first test process that needs it makes it, and all use it."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from domain.record.recorded import Recorded

FOLDER = "TESTS_RUNFOLDER"


def folder() -> Path:
    """The run's own folder. The process that made it removes it in the end; those that it starts inherit it."""
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="codille-test-")
        atexit.register(shutil.rmtree, os.environ[FOLDER], ignore_errors=True)
    return Path(os.environ[FOLDER])


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The file or directory of this name in the folder. `make` is called once a run, with the path to make it at."""
    made = folder() / name
    with made.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            part = made.with_name(f"{name}.part")
            make(part)
            part.rename(made)
    return made


def played_once(name: str, play: Callable[[], Iterable[Recorded]]) -> list[Recorded]:
    """The records of this name, which are played once a run."""
    kept = made_once(name, lambda path: path.write_bytes(msgspec.msgpack.encode([*play()])))
    return msgspec.msgpack.decode(kept.read_bytes(), type=list[Recorded])
