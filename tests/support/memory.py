"""Temporary files in memory: a disk may take seconds to flush what servers write, and none of it is kept."""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 (each file is made under a name of its own)
ROOM_BYTES = 4 << 30


def keep_temporary_files_in_memory() -> None:
    """Has this process, and those it starts, make them there if there is room. TMPDIR is obeyed where it is set."""
    if "TMPDIR" not in os.environ and _roomy():
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # It is read anew.


def _roomy() -> bool:
    """Whether all files can be made there, programs among them."""
    usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
    runs_programs = usable and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return runs_programs and shutil.disk_usage(MEMORY).free >= ROOM_BYTES
