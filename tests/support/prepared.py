"""Data directories whose embedded servers have run before: one is made a test process, and tests start from copies.

Making a cluster takes a first start longer than all else. Tests of first starts begin with an empty directory.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HOLDER = Path(__file__).parents[1] / "integration" / "embedded" / "holder.py"

_MADE: dict[tuple[str, ...], Path] = {}
"""By what is put before a command to run it under an account, the directory that is copied."""


def prepare(data_dir: Path, account: Sequence[str] = ()) -> None:
    """Puts data into the directory of servers that have started and ended under the account, and hold nothing."""
    made = _MADE.get(tuple(account)) or _made(account)
    subprocess.run(["cp", "-a", f"{made}/.", data_dir], check=True)  # noqa: S607 (whichever the system has)


def _made(account: Sequence[str]) -> Path:
    made = Path(tempfile.mkdtemp(prefix="codille-test-")) / "data"
    made.mkdir(mode=0o700)
    if account:
        shutil.chown(made, "nobody")
    # The program ends with its input.
    subprocess.run(
        [*account, sys.executable, HOLDER, made],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
        check=True,
    )
    return _MADE.setdefault(tuple(account), made)


def pytest_sessionfinish() -> None:
    """Removes what was copied."""
    for made in _MADE.values():
        shutil.rmtree(made.parent)
