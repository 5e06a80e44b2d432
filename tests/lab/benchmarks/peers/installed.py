"""Installing the peers, each by itself. One that cannot be installed is listed with the reason."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import deploy

HERE = Path(__file__).parent
ROOT = Path(deploy.__file__).parents[1]
"""As in `bench.py`, which imports this module."""

PACKAGES = {"eventsourcing": "eventsourcing", "umadb": "umadb", "open-spiel": "pyspiel", "pokerkit": "pokerkit"}
"""By peer from PyPI: the module that is there when it is installed. Its dependency group is called `peer-<name>`."""

NODE = ("emmett", "message-db")
"""Peers from npm, which are locked in `node/package-lock.json`."""

PATIENCE_S = 300


class Peers:
    """Which peers there are, and why the others are not. Those from npm are installed below `directory`."""

    def __init__(self, directory: Path, *, use: bool = True) -> None:
        self.node = directory / "node"
        self._use = use
        self._missing: dict[str, str] = {}

    def install(self, tell: Callable[[str], None] = lambda _text: None) -> None:
        """Installs what is not there yet; takes a while the first time."""
        absent = [peer for peer, module in PACKAGES.items() if find_spec(module) is None]
        if absent or find_spec("matplotlib") is None:
            tell("installing peers from PyPI")
            if _run(_uv("bench")):
                self._missing |= {
                    peer: f"not installed: {why}" for peer in absent if (why := _run(_uv(f"peer-{peer}")))
                }
        if _npm() is None:
            self._missing |= dict.fromkeys(NODE, "not installed: there is no npm here")
            return
        if not (self.node / "node_modules" / ".package-lock.json").exists():
            tell("installing peers from npm")
            shutil.copytree(HERE / "node", self.node, dirs_exist_ok=True)
            why = _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(self.node)])
            if why:
                self._missing |= dict.fromkeys(NODE, f"not installed: {why}")
        for script in (HERE / "node").glob("*.mjs"):
            shutil.copy(script, self.node)

    def why_not(self, peer: str) -> str | None:
        """Why the peer cannot be measured; None if it can."""
        if not self._use:
            return "not asked for"
        if peer in self._missing:
            return self._missing[peer]
        if peer in PACKAGES:
            return None if find_spec(PACKAGES[peer]) else "not installed"
        return None if (self.node / "node_modules").exists() else "not installed"


def _uv(group: str) -> list[str]:
    """Adds a dependency group to this environment, and takes nothing away."""
    here = ROOT / ".venv-uv" / "bin" / "uv"
    uv = str(here) if here.exists() else "uv"
    return [uv, "sync", "--locked", "--quiet", "--inexact", "--python", sys.executable, "--group", group]


def _npm() -> str | None:
    return shutil.which("npm") if shutil.which("node") else None


def _run(command: Sequence[str]) -> str:
    """What is wrong, in a line; nothing if nothing is."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return (lines[-1] if lines else f"exit status {done.returncode}")[:200] if done.returncode else ""
