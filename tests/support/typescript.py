"""The kit for TypeScript and JavaScript: its modules, run by Node."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.repetition import TIMES

ROOT = Path(__file__).parents[2]
KIT = ROOT / "api-spec" / "clients" / "typescript"
TESTS = ROOT / "tests" / "kits" / "typescript"
LINTERS = ROOT / ".lint" / "node_modules"

NODE = shutil.which("node") or "node"

PATIENCE_S = 900 * TIMES
"""For how many seconds a program may run."""

HAS_NODE = shutil.which("node") is not None

needs_node = pytest.mark.skipif(not HAS_NODE, reason="node is not installed")
"""The test is skipped where Node is not there."""


def surroundings(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a program that speaks to services on this machine."""
    return os.environ | {"NO_PROXY": "127.0.0.1"} | dict(more or {})


def node(
    *arguments: str | Path, given: str = "", settings: Mapping[str, str] | None = None, folder: Path | None = None
) -> str:
    """What Node prints. It is given a text to read. Raises AssertionError, with all of its output, if it fails."""
    done = subprocess.run(
        [NODE, *arguments],
        input=given,
        env=surroundings(settings),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def asked(script: str, question: Any) -> Any:
    """What one of the tests' scripts answers, in JSON, to a question in JSON."""
    return json.loads(node(TESTS / script, given=json.dumps(question)))


def passes(test: str, settings: Mapping[str, str] | None = None) -> None:
    """Runs a file of tests by Node's own runner. Raises AssertionError if one fails, or none ran."""
    shown = node("--test", TESTS / test, settings=settings)
    assert "\n# fail 0" in shown, shown
    assert "\n# pass 0" not in shown, shown


def sizes(names: Sequence[str]) -> dict[str, int]:
    """How many lines of code each module has: comments, where the types are, and empty lines aside."""
    counted = {}
    for name in names:
        lines = [line.strip() for line in (KIT / "src" / name).read_text(encoding="utf-8").splitlines()]
        counted[name] = sum(not line.startswith(("/*", "*", "//")) for line in lines if line)
    return counted
