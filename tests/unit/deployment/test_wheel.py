"""The wheel and the image hold the specification as it was committed, and what is built beside it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from service.built import BUILT
from service.pages import KIT_MODULES
from tests.support.kits import HAS_NPM, needs_npm, served_kits

ROOT = Path(__file__).parents[3]
DOCUMENTS = ("openapi.json", "asyncapi.json")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
BUILDER = PROJECT["build-system"]["build-backend"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built here."""
    folder = tmp_path_factory.mktemp("wheel")
    if HAS_NPM:
        served_kits()
    # As programs that install do: they name the builder, and begin in the project's folder.
    building = f"import {BUILDER} as builder; builder.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", building], cwd=ROOT, check=True, capture_output=True, timeout=300)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def packed(wheel: Path) -> Mapping[str, bytes]:
    """What the wheel holds of the specification, by path."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.startswith("api-spec/")}


def test_the_wheel_holds_the_committed_documents_the_catalogue_and_what_pages_load(packed: Mapping[str, bytes]) -> None:
    specification = ROOT / "api-spec"
    committed = [*(specification / name for name in DOCUMENTS), *(specification / "catalogue").iterdir()]
    committed += (specification / "clients/typescript/src" / name for name in KIT_MODULES)
    held = {name: data for name, data in packed.items() if not name.startswith(("api-spec/built/", "api-spec/kits/"))}
    assert held == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in committed}


def test_the_wheel_holds_what_is_built(packed: Mapping[str, bytes]) -> None:
    """That this is what the code makes is looked at with the other files of the specification."""
    held = {name: data for name, data in packed.items() if name.startswith("api-spec/built/")}
    files = (ROOT / "api-spec" / BUILT).rglob("*.json")
    assert held == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files}


@needs_npm
def test_the_wheel_holds_the_kits_that_the_service_serves(packed: Mapping[str, bytes]) -> None:
    made = {path.name: path.read_bytes() for path in served_kits().iterdir()}
    assert {name.removeprefix("api-spec/kits/"): data for name, data in packed.items() if "/kits/" in name} == made


def test_a_builder_needs_what_the_service_needs_until_that_is_built(wheel: Path, tmp_path: Path) -> None:
    assert wheel.name.startswith("codille-")
    requires = f"import {BUILDER} as builder; print(builder.get_requires_for_build_wheel())"
    assert _printed(requires, ROOT) == "[]"
    clone = tmp_path / "clone"
    for room in ("domain", "projections", "service"):
        shutil.copytree(ROOT / room, clone / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / file, clone)
    assert _printed(requires, clone) == str(PROJECT["project"]["dependencies"])
    # An installation that follows the checkout never waits for it.
    editable = requires.replace("wheel()", "editable()")
    assert _printed(editable, clone) == _printed(editable, ROOT)


def _printed(program: str, folder: Path) -> str:
    """What a Python program prints that runs in this folder and imports from there."""
    command = [sys.executable, "-c", program]
    environ = {"PYTHONPATH": str(folder)}
    run = subprocess.run(command, cwd=folder, env=environ, check=True, capture_output=True, text=True)
    return run.stdout.strip()


def test_what_is_installed_from_the_wheel_serves_the_committed_documents(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    # Where the wheel is installed comes first, before the checkout that an editable installation adds to the path.
    folder = Path(_printed("from service.config import SPECIFICATION; print(SPECIFICATION)", tmp_path))
    assert folder.is_relative_to(tmp_path)
    for name in DOCUMENTS:
        assert (folder / name).read_bytes() == (ROOT / "api-spec" / name).read_bytes()


def test_the_licence_is_the_same_wherever_it_is_stated(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (carried,) = (name for name in archive.namelist() if name.endswith("/licenses/LICENSE"))
        assert archive.read(carried) == (ROOT / "LICENSE").read_bytes()
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        assert "License-Expression: Apache-2.0\n" in archive.read(metadata).decode()
    assert "org.opencontainers.image.licenses=Apache-2.0\n" in (ROOT / "deploy/compose/Dockerfile").read_text()
    for name in DOCUMENTS:
        assert json.loads((ROOT / "api-spec" / name).read_text())["info"]["license"]["name"] == "Apache-2.0"


def test_the_image_is_built_from_all_that_the_wheel_holds() -> None:
    packed = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    dockerfile = (ROOT / "deploy/compose/Dockerfile").read_text()
    copied = re.findall(r"^COPY (\S+) \1$", dockerfile, re.MULTILINE)
    assert {path.split("/")[0] for path in packed} <= set(copied)
    # What is built is built there, with what is locked, before the package is.
    ignored = {f"!{path}" for path in packed} - set((ROOT / ".dockerignore").read_text().splitlines())
    assert ignored == {"!api-spec/built"}
    assert "codille openapi --built\nRUN uv sync --locked --no-dev --group build --no-editable\n" in dockerfile
