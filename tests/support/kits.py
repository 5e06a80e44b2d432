"""The kits for clients, completed with what is generated for them."""

import fcntl
import importlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


HAS_NPM = shutil.which("npm") is not None and (ROOT / ".lint" / "node_modules" / "rollup").exists()

needs_npm = pytest.mark.skipif(
    not HAS_NPM, reason="the kits cannot be made: `make typescript` installs what makes them where there is npm"
)
"""The test is skipped where not all kits can be made."""


@cache
def python_kit() -> ModuleType:
    """The face of the Python kit that has no `async`."""
    _make("kit-python")
    return importlib.import_module("codille_client.sync")


@cache
def served_kits() -> Path:
    """The folder of the kits that services serve, made here."""
    _make("kits")
    return ROOT / "api-spec" / "kits"


def _make(target: str) -> None:
    # Settings that tests have are no settings of the service's.
    environ = {name: text for name, text in os.environ.items() if not name.startswith(("CODILLE_", "MAKE", "MFLAGS"))}
    (ROOT / ".kits").mkdir(exist_ok=True)
    with (ROOT / ".kits" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "-s", target]
        subprocess.run(command, cwd=ROOT, env=environ, check=True, stdout=subprocess.DEVNULL)
