"""A plugin of pytest, by which the tests of one game run with a mutant of it.

The module is changed as it is imported: nothing is written, and other processes see nothing of it.
"""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from tests.lab.mutants.changes import Mutant, mutated

MUTANT, GAME = "CODILLE_MUTANT", "CODILLE_MUTANT_GAME"
OF_ALL_GAMES = {Path(__file__).parents[2] / room for room in ("golden", "property")}


class Loader(SourceFileLoader):
    """Loads the mutant's module from its changed source, and never from bytecode."""

    def __init__(self, mutant: Mutant, path: str) -> None:
        super().__init__(mutant.module, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(mutated(self.mutant, self.get_data(path)), path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    """Finds the mutant's module before others do."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = Loader(self.mutant, spec.origin)
        return spec


def apply(mutant: Mutant) -> None:
    """Changes the module when it is imported. Raises RuntimeError if it has been."""
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} is imported already")
    sys.meta_path.insert(0, Finder(mutant))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests of all games only the game's stay."""
    game = os.environ[GAME]
    kept = [item for item in items if OF_ALL_GAMES.isdisjoint(item.path.parents) or game_of(item) == game]
    config.hook.pytest_deselected(items=[item for item in items if item not in {*kept}])
    items[:] = kept


def game_of(item: pytest.Item) -> str | None:
    callspec = getattr(item, "callspec", None)
    return callspec.id.split()[0] if callspec else None


if MUTANT in os.environ:
    apply(Mutant.named(os.environ[MUTANT]))
