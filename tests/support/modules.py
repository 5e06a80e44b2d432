"""Modules that belong to no package, such as scripts and examples."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def module_at(path: Path) -> ModuleType:
    """The module that this file makes, each time anew."""
    spec = importlib.util.spec_from_file_location(f"at_its_place_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made
