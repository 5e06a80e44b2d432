"""The kits for clients, completed with what is generated for them."""

import fcntl
import importlib
import os
import subprocess
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


@cache
def python_kit() -> ModuleType:
    """The face of the Python kit that has no `async`."""
    # Those that tests have are no settings of the service's.
    environ = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    (ROOT / ".kits").mkdir(exist_ok=True)
    with (ROOT / ".kits" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "kit-python"], cwd=ROOT, env=environ, check=True)  # noqa: S607 (whichever the system has)
    return importlib.import_module("codille_client.sync")
