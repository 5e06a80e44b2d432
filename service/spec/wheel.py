"""Builds the project's packages (PEP 517) with hatchling. A wheel also contains what is built and not committed.

The service's own code makes that. Unless it is made already, building a wheel requires the service's dependencies; an
editable installation never does.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling import build
from hatchling.build import build_editable, build_sdist, get_requires_for_build_editable, get_requires_for_build_sdist

from service.built import ROOT, is_current

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

SPECIFICATION = ROOT / "api-spec"
REGISTRY = "domain.registry:GAMES"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What must be installed to build a wheel, beside hatchling."""
    own = [] if is_current(SPECIFICATION, REGISTRY) else _project()["dependencies"]
    return [*build.get_requires_for_build_wheel(config_settings), *own]


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel in this folder and returns its name. Raises CalledProcessError if its contents can't be made."""
    if not is_current(SPECIFICATION, REGISTRY):
        with TemporaryDirectory() as folder:
            _describe(Path(folder))
            environ = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
            environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, environ.get("PYTHONPATH"))))
            command = [sys.executable, "-m", "service.cli", "openapi", "--built", "--out", str(SPECIFICATION)]
            subprocess.run(command, cwd=ROOT, env=environ, check=True)  # noqa: S603 (a command of the project's own)
    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def _describe(folder: Path) -> None:
    """Writes the project's metadata: the service reads its version from there, and is not installed yet."""
    project = _project()
    described = folder / f"{project['name']}-{project['version']}.dist-info"
    described.mkdir()
    text = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (described / "METADATA").write_text(text)


def _project() -> dict[str, Any]:
    described: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return described
