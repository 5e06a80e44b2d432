"""The client that a generator makes of the OpenAPI document: once a run, for all test processes."""

import fcntl
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NAME = "client_generated_for_a_test"
COMMITTED = Path(__file__).parents[2] / "api-spec"

# The generator knows no lines of JSON, which are text to it.
CONFIG = "post_hooks: []\ncontent_type_overrides:\n  application/x-ndjson: text/plain\n"


class Generated:
    """The generated package."""

    def __init__(self, package: ModuleType) -> None:
        self.package = package
        self.models = importlib.import_module(f"{package.__name__}.models")

    def operation(self, path: str) -> Any:
        """The module of an operation: `tag.operation`."""
        return importlib.import_module(f"{self.package.__name__}.api.{path}")

    def action(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of an action of the game."""
        name = "".join(word.capitalize() for word in (game, *wire["type"].split("-")))
        return getattr(self.models, name).from_dict(wire)

    def request(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of a table of the game to open."""
        return getattr(self.models, f"{game.capitalize()}TableRequest").from_dict(wire)

    def view(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of a view of the game."""
        return getattr(self.models, f"{game.capitalize()}View").from_dict(wire)


@pytest.fixture(scope="session")
def generated(described: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generated]:
    """The client of the games that tests run for. The first test process makes it."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "generated"
    home.mkdir(exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / NAME).exists():
            _generate(Path(described.get("CODILLE_SPEC_DIR", COMMITTED)) / "openapi.json", home)
    sys.path.insert(0, str(home))
    try:
        yield Generated(importlib.import_module(NAME))
    finally:
        sys.path.remove(str(home))


def _generate(document: Path, home: Path) -> None:
    (home / "config.yaml").write_text(CONFIG)
    made = subprocess.run(
        [
            str(Path(sys.executable).with_name("openapi-python-client")),
            *("generate", "--path", str(document), "--config", "config.yaml"),
            *("--meta", "none", "--output-path", "part", "--fail-on-warning"),
        ],
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    (home / "part").rename(home / NAME)
