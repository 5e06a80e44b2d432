"""The client that a generator makes of the OpenAPI document: once a run, for all test processes."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from service.built import BUILT, is_current
from service.config import OFFERED
from tests.support.run import made_once

NAME = "codille_generated"
COMMITTED = Path(__file__).parents[2] / "api-spec"
CONFIG = COMMITTED / "openapi-python-client.yaml"
COMMANDS = re.findall(r"```sh\n(.*?)```", (COMMITTED / "README.md").read_text(), re.DOTALL)
"""What the README says to type."""


class Generated:
    """The generated package."""

    def __init__(self, package: ModuleType) -> None:
        self.package = package
        self.models = importlib.import_module(f"{package.__name__}.models")

    @property
    def names(self) -> set[str]:
        """The names of all classes and of all sets of values."""
        return {name for name in vars(self.models) if not name.startswith("_") and not name.islower()}

    def operation(self, path: str) -> Any:
        """The module of an operation: `tag.operation`."""
        return importlib.import_module(f"{self.package.__name__}.api.{path}")

    def action(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of an action of the game; the generic document has one for all actions."""
        name = "".join(word.capitalize() for word in (game, *wire["type"].split("-")))
        return self._model(name, "Action").from_dict(wire)

    def request(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of a table of the game to open."""
        return self._model(f"{game.capitalize()}TableRequest", "TableRequest").from_dict(wire)

    def view(self, game: str, wire: Mapping[str, Any]) -> Any:
        """The model of a view of the game."""
        return self._model(f"{game.capitalize()}View", "View").from_dict(wire)

    def _model(self, name: str, generic: str) -> Any:
        return getattr(self.models, name, None) or getattr(self.models, generic)


@pytest.fixture(scope="session")
def generated(described: Mapping[str, str]) -> Iterator[Generated]:
    """The client of the whole document, for the games that tests run for."""
    folder = Path(described.get("CODILLE_SPEC_DIR", COMMITTED))
    with _client(folder / "openapi.json", NAME) as client:
        yield client


@pytest.fixture(scope="session")
def generated_by_need(built: Path) -> Iterator[Callable[[str], Generated]]:
    """Makes the client of the document for a game, or of the generic one, once in all test processes."""
    with ExitStack() as stack:

        @cache
        def client(need: str) -> Generated:
            document = built / "openapi" / f"{need}.json"
            return stack.enter_context(_client(document, f"{NAME}_{need}"))

        yield client


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of what is built and not committed, made for the code as it is."""
    if not is_current(COMMITTED, OFFERED):
        command = [Path(sys.executable).with_name("codille"), "openapi", "--built"]
        # Those that tests have are no settings of the service's.
        environ = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
        subprocess.run(command, cwd=COMMITTED.parent, env=environ, check=True)
    return COMMITTED / BUILT


@contextmanager
def _client(document: Path, name: str) -> Iterator[Generated]:
    """The client of this document as a package of this name."""
    home = str(made_once(name, lambda part: _generate(document, part)).parent)
    sys.path.insert(0, home)
    try:
        yield Generated(importlib.import_module(name))
    finally:
        sys.path.remove(home)


def _generate(document: Path, package: Path) -> None:
    """Does as the README says, in a folder with this document."""
    folder = package.parent / f"{package.name}-specification"
    folder.mkdir()
    (folder / "openapi.json").symlink_to(document)
    (folder / CONFIG.name).symlink_to(CONFIG)
    (command,) = (command for command in COMMANDS if command.startswith("openapi-python-client "))
    programs = Path(sys.executable).parent
    made = subprocess.run(
        ["/bin/bash", "-euc", command],
        cwd=folder,
        env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    (folder / NAME).rename(package)
