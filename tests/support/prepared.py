"""Data directories whose embedded servers have run before: one is made a run, and tests start from copies.

Making a cluster takes a first start longer than all else. Tests of first starts begin with an empty directory.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.run import made_once

HOLDER = Path(__file__).parents[1] / "integration" / "embedded" / "holder.py"


def prepare(data_dir: Path, account: Sequence[str] = ()) -> None:
    """Puts data into the directory of servers that have started and ended under the account, and hold nothing."""
    made = made_once("-".join(("data", *account)).replace("/", "-"), lambda part: _make(part, account))
    subprocess.run(["cp", "-a", f"{made}/.", data_dir], check=True)  # noqa: S607 (whichever the system has)


def _make(data_dir: Path, account: Sequence[str]) -> None:
    data_dir.mkdir(mode=0o700)
    if account:
        shutil.chown(data_dir, "nobody")
    # The program ends with its input.
    subprocess.run(
        [*account, sys.executable, HOLDER, data_dir],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
        check=True,
    )
